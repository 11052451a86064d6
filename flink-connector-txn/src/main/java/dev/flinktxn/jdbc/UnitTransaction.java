// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.RefusedException;
import dev.flinktxn.protocol.Transaction;
import dev.flinktxn.protocol.TransactionName;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;

/**
 * The rows of one interval of one writer. They stay in memory as long as they fit into what may
 * travel in committables; from then on they go, chunk by chunk, to a staging table of their own.
 * Used by the task thread.
 */
final class UnitTransaction implements Transaction {

  /** Rows sent to a staging table in one transaction. */
  static final int CHUNK = 4 << 20;

  private final JdbcWriterStore store;
  private final TransactionName name;
  private final UUID id;
  private final long mintedAt;
  private final RowEncoder encoder;
  private final CopyBuffer buffer;
  private final WriteMetrics metrics;
  private int limit;
  private long rows;
  private long buffered;
  private boolean deletes;
  private Unit.Kind kind = Unit.Kind.INLINE;
  private boolean prepared;
  private boolean closed;

  /**
   * A transaction without rows.
   *
   * @param inlineLimit how many bytes may travel in the committable
   */
  UnitTransaction(
      JdbcWriterStore store, TransactionName name, UUID id, long mintedAt, int inlineLimit) {
    this.store = store;
    this.name = name;
    this.id = id;
    this.mintedAt = mintedAt;
    this.encoder = store.encoder();
    this.buffer = store.buffer();
    this.metrics = store.metrics();
    this.limit = inlineLimit;
    buffer.truncate(0);
  }

  @Override
  public void write(RowData row) throws IOException, InterruptedException {
    int before = buffer.size();
    try {
      encoder.encode(row, rows, buffer);
    } catch (RefusedException e) {
      metrics.refused();
      throw e;
    }
    rows++;
    buffered++;
    deletes |= row.getRowKind() == RowKind.DELETE;
    metrics.encoded(buffer.size() - before);
    if (buffer.size() > limit) {
      stage();
    }
  }

  @Override
  public void flush() throws IOException, InterruptedException {
    boolean prepares = store.prepares();
    // A transaction that used a temporary table cannot be prepared.
    boolean temporary = prepares && store.movesByMerge();
    if (buffered > 0 && (kind == Unit.Kind.STAGED || temporary)) {
      stage();
    }
    if (prepares) {
      Unit unit = unit();
      // Already now: if the reply gets lost, it is that transaction which has to be given up.
      kind = Unit.Kind.PREPARED;
      store.writes().prepare(this, unit);
      buffer.truncate(0);
    } else {
      store.writes().check(unit());
    }
  }

  /** Sends what is buffered to the staging table. */
  private void stage() throws IOException, InterruptedException {
    Unit.Rows rows = new Unit.Rows(buffer.bytes(), 0, buffer.size());
    store.writes().stage(this, unit(Unit.Rows.NONE), rows, kind == Unit.Kind.INLINE);
    kind = Unit.Kind.STAGED;
    limit = CHUNK;
    metrics.staged(buffered, buffer.size());
    buffer.truncate(0);
    buffered = 0;
  }

  @Override
  public byte[] handle() {
    return encoded(unit(Unit.Rows.NONE));
  }

  @Override
  public byte[] prepare() {
    prepared = true;
    byte[] handle = encoded(unit());
    store.prepared(this);
    return handle;
  }

  private static byte[] encoded(Unit unit) {
    try {
      return unit.encode();
    } catch (IOException e) {
      throw new IllegalStateException("Into memory", e);
    }
  }

  private Unit unit() {
    return unit(
        kind == Unit.Kind.INLINE
            ? new Unit.Rows(buffer.bytes(), 0, buffer.size())
            : Unit.Rows.NONE);
  }

  private Unit unit(Unit.Rows with) {
    TargetTable table = store.table();
    return new Unit(
        id,
        kind,
        mintedAt,
        rows,
        deletes,
        encoder.format(),
        table.copyable(),
        store.schema(),
        table.schema(),
        table.name(),
        table.columnNames(),
        table.key(),
        prepared ? store.predecessors() : List.of(),
        with);
  }

  TransactionName name() {
    return name;
  }

  UUID id() {
    return id;
  }

  long mintedAt() {
    return mintedAt;
  }

  Unit.Kind kind() {
    return kind;
  }

  @Override
  public void close() throws IOException {
    if (!prepared && !closed) {
      closed = true;
      store.abandon(this);
    }
  }
}
