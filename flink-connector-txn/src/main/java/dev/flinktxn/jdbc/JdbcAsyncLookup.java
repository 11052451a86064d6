// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.FunctionContext;

/**
 * Looks rows up on a thread of its own: all keys that have come while the database answered are
 * asked for in one query, so that the time of a round trip is shared by many.
 */
public final class JdbcAsyncLookup extends AsyncLookupFunction {
  private static final long serialVersionUID = 1L;

  private static final int MOST_KEYS = 256;

  private final ReadTarget target;
  private final int[] keyFields;
  private final int maxRetries;
  private transient LookupQuery query;
  private transient BlockingQueue<Request> requests;
  private transient Thread thread;
  private transient volatile boolean closed;

  private record Request(RowData key, CompletableFuture<Collection<RowData>> rows) {}

  JdbcAsyncLookup(ReadTarget target, int[] keyFields, int maxRetries) {
    this.target = target;
    this.keyFields = keyFields;
    this.maxRetries = maxRetries;
  }

  @Override
  public void open(FunctionContext context) throws IOException {
    query = new LookupQuery(target, keyFields, maxRetries);
    query.open();
    requests = new LinkedBlockingQueue<>();
    thread = new Thread(this::answer, "lookup of " + target);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public CompletableFuture<Collection<RowData>> asyncLookup(RowData keyRow) {
    CompletableFuture<Collection<RowData>> rows = new CompletableFuture<>();
    requests.add(new Request(keyRow, rows));
    return rows;
  }

  private void answer() {
    List<Request> batch = new ArrayList<>();
    while (!closed) {
      batch.clear();
      try {
        batch.add(requests.take());
        requests.drainTo(batch, MOST_KEYS - 1);
        Map<List<Object>, List<RowData>> found =
            query.find(batch.stream().map(Request::key).toList());
        for (Request request : batch) {
          List<Object> key = query.key(request.key);
          request.rows.complete(key == null ? List.of() : found.getOrDefault(key, List.of()));
        }
      } catch (InterruptedException e) {
        return;
      } catch (Throwable e) {
        batch.forEach(request -> request.rows.completeExceptionally(e));
      }
    }
  }

  /** The task has ended, so that nobody waits for an answer any more. */
  @Override
  public void close() throws InterruptedException {
    closed = true;
    if (thread != null) {
      // Ends a wait for the database, too.
      thread.interrupt();
      thread.join();
    }
    if (query != null) {
      query.close();
    }
  }
}
