// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.data.RowData;

/** A writer store that does what a test tells it and writes down what it is asked. */
final class ScriptedStore implements WriterStore {

  final List<String> calls = new ArrayList<>();
  final List<OpenTransaction> open = new ArrayList<>();
  final Map<Integer, Sighting> sightings = new HashMap<>();
  final List<Integer> begun = new ArrayList<>();
  IOException writeFailure;
  IOException beginFailure;

  @Override
  public Transaction begin(TransactionName name) throws IOException {
    if (beginFailure != null) {
      throw beginFailure;
    }
    calls.add("begin " + name.slot());
    begun.add(name.slot());
    sightings.put(name.slot(), Sighting.OPEN);
    return new Transaction() {
      @Override
      public byte[] handle() {
        return "written".getBytes(StandardCharsets.UTF_8);
      }

      @Override
      public byte[] prepare() {
        calls.add("prepare " + name.slot());
        return ("prepared " + name.slot()).getBytes(StandardCharsets.UTF_8);
      }

      @Override
      public void write(RowData row) throws IOException {
        if (writeFailure != null) {
          throw writeFailure;
        }
        calls.add("write");
      }

      @Override
      public void flush() {
        calls.add("flush");
      }

      @Override
      public void close() {
        calls.add("abort " + name.slot());
      }
    };
  }

  @Override
  public List<Sighting> look(List<Look> looks) {
    calls.add("look at " + looks.stream().map(look -> look.name().slot()).toList());
    return looks.stream().map(look -> sightings.get(look.name().slot())).toList();
  }

  @Override
  public List<OpenTransaction> open(String prefix) {
    calls.add("list " + prefix);
    return List.copyOf(open);
  }

  @Override
  public void abort(OpenTransaction orphan) {
    calls.add("clean up " + orphan.name());
    open.remove(orphan);
  }

  @Override
  public Optional<Duration> transactionTimeout() {
    return Optional.of(Duration.ofMinutes(15));
  }

  @Override
  public void close() {
    calls.add("close");
  }
}
