// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.types.Row;

/**
 * An operator that passes rows on and fails one checkpoint when told to. The tasks run in this JVM,
 * so they are told through static fields; one test at a time uses them.
 */
final class CheckpointFault {

  /** Which part of a snapshot fails. */
  enum Part {
    /** On the task thread, while the barrier passes. */
    SYNC,
    /** Afterwards, when the state is written. */
    ASYNC
  }

  private static final AtomicReference<Part> ARMED = new AtomicReference<>();
  private static final AtomicInteger FIRED = new AtomicInteger();
  private static volatile long asyncMillis;

  private CheckpointFault() {}

  /** Nothing armed, and an asynchronous part that lasts so long. */
  static void reset(long millis) {
    ARMED.set(null);
    FIRED.set(0);
    asyncMillis = millis;
  }

  /** The next checkpoint with rows since the last one fails in this part. */
  static void arm(Part part) {
    ARMED.set(part);
  }

  static int fired() {
    return FIRED.get();
  }

  static DataStream<Row> pass(DataStream<Row> rows) {
    return rows.map(new Passing()).returns(rows.getType()).uid("fault");
  }

  private static void failIfArmed(Part part, int rows) throws IOException {
    if (rows > 0 && ARMED.compareAndSet(part, null)) {
      FIRED.incrementAndGet();
      throw new IOException("failed as the test asked for, in part " + part);
    }
  }

  private static final class Passing implements MapFunction<Row, Row>, CheckpointedFunction {
    private static final long serialVersionUID = 1L;

    private transient ListState<Integer> rowsPerInterval;
    private transient int rows;

    @Override
    public Row map(Row row) {
      rows++;
      return row;
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
      rowsPerInterval =
          context
              .getOperatorStateStore()
              .getListState(new ListStateDescriptor<>("fault", new FailingSerializer()));
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
      rowsPerInterval.clear();
      rowsPerInterval.add(rows);
      failIfArmed(Part.SYNC, rows);
      rows = 0;
    }
  }

  /** Copied in the synchronous part, used to write in the asynchronous one. */
  private static final class FailingSerializer extends TypeSerializerSingleton<Integer> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean isImmutableType() {
      return true;
    }

    @Override
    public Integer createInstance() {
      return 0;
    }

    @Override
    public Integer copy(Integer from) {
      return from;
    }

    @Override
    public Integer copy(Integer from, Integer reuse) {
      return from;
    }

    @Override
    public int getLength() {
      return Integer.BYTES;
    }

    @Override
    public void serialize(Integer rows, DataOutputView target) throws IOException {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(asyncMillis));
      failIfArmed(Part.ASYNC, rows);
      target.writeInt(rows);
    }

    @Override
    public Integer deserialize(DataInputView source) throws IOException {
      return source.readInt();
    }

    @Override
    public Integer deserialize(Integer reuse, DataInputView source) throws IOException {
      return source.readInt();
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
      target.writeInt(source.readInt());
    }

    @Override
    public TypeSerializerSnapshot<Integer> snapshotConfiguration() {
      return new Snapshot();
    }
  }

  /** Public with a public constructor, as Flink demands of a serializer's snapshot. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Integer> {
    /** Called by Flink. */
    public Snapshot() {
      super(FailingSerializer::new);
    }
  }
}
