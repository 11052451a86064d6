// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.TransactionalSink;
import dev.flinktxn.protocol.WriterState;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.SinkTransformation;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;

/** The sink of a table with one STRING column, for a stream of strings. */
final class StringSink
    implements Sink<String>,
        SupportsCommitter<Committable>,
        SupportsWriterState<String, WriterState> {
  private static final long serialVersionUID = 1L;

  private final TransactionalSink sink;

  private StringSink(TransactionalSink sink) {
    this.sink = sink;
  }

  /** Lets the planner make the sink of a table with these options. */
  static StringSink ofTable(Map<String, String> options) {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.enableCheckpointing(JobSpec.ON_REQUEST.toMillis());
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    tables.executeSql(
        options.entrySet().stream()
            .map(option -> String.format("'%s' = '%s'", option.getKey(), option.getValue()))
            .collect(
                Collectors.joining(", ", "CREATE TEMPORARY TABLE snk (v STRING) WITH (", ")")));
    StreamStatementSet statements = tables.createStatementSet();
    statements.addInsertSql("INSERT INTO snk VALUES ('')");
    statements.attachAsDataStream();
    return environment.getTransformations().stream()
        .filter(SinkTransformation.class::isInstance)
        .map(transformation -> ((SinkTransformation<?, ?>) transformation).getSink())
        .map(planned -> new StringSink((TransactionalSink) planned))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public SinkWriter<String> createWriter(WriterInitContext context) throws IOException {
    return new Writer(sink.restoreWriter(context, List.of()));
  }

  @Override
  public StatefulSinkWriter<String, WriterState> restoreWriter(
      WriterInitContext context, Collection<WriterState> restored) throws IOException {
    return new Writer(sink.restoreWriter(context, restored));
  }

  @Override
  public SimpleVersionedSerializer<WriterState> getWriterStateSerializer() {
    return sink.getWriterStateSerializer();
  }

  @Override
  public Committer<Committable> createCommitter(CommitterInitContext context) throws IOException {
    return sink.createCommitter(context);
  }

  @Override
  public SimpleVersionedSerializer<Committable> getCommittableSerializer() {
    return sink.getCommittableSerializer();
  }

  private record Writer(StatefulSinkWriter<RowData, WriterState> rows)
      implements StatefulSinkWriter<String, WriterState>,
          CommittingSinkWriter<String, Committable> {

    @Override
    public void write(String value, Context context) throws IOException, InterruptedException {
      rows.write(GenericRowData.of(StringData.fromString(value)), context);
    }

    @Override
    public void flush(boolean endOfInput) throws IOException, InterruptedException {
      rows.flush(endOfInput);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Collection<Committable> prepareCommit() throws IOException, InterruptedException {
      return ((CommittingSinkWriter<RowData, Committable>) rows).prepareCommit();
    }

    @Override
    public List<WriterState> snapshotState(long checkpoint) throws IOException {
      return rows.snapshotState(checkpoint);
    }

    @Override
    public void close() throws Exception {
      rows.close();
    }
  }
}
