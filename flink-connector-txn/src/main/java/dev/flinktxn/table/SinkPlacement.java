// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import dev.flinktxn.protocol.ExternalSystem;
import dev.flinktxn.protocol.TransactionalSink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.operators.InputFormatOperatorFactory;
import org.apache.flink.streaming.api.transformations.LegacySourceTransformation;
import org.apache.flink.streaming.api.transformations.WithBoundedness;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.sink.DataStreamSinkProvider;
import org.apache.flink.table.data.RowData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the sink into the job under a stable uid, after the checks that need the job's shape.
 *
 * <p>The uid is the prefix: with an operator id derived from the plan, a job restored with a
 * changed query would not find its prepared transactions.
 *
 * @param table the table
 * @param options its options
 * @param checkpoints how the job takes checkpoints
 * @param batch whether the job runs in batch mode
 * @param transactionLimit how long a transaction may stay open
 * @param key what rows are partitioned by; empty without a PRIMARY KEY
 * @param obstacle asks why the target takes no transactions
 * @param system where rows go
 */
record SinkPlacement(
    ObjectIdentifier table,
    CommonOptions options,
    CheckpointSettings checkpoints,
    boolean batch,
    Optional<Duration> transactionLimit,
    Optional<KeyHash> key,
    Supplier<Optional<String>> obstacle,
    ExternalSystem system)
    implements DataStreamSinkProvider {

  private static final Logger LOG = LoggerFactory.getLogger(SinkPlacement.class);

  @Override
  public DataStreamSink<?> consumeDataStream(ProviderContext context, DataStream<RowData> rows) {
    refuseSharedPrefix(rows);
    CommonOptions decided = decided(rows);
    if (decided.transactional()) {
      checkpoints.check(refusal());
      checkpoints.warnings(table.asSummaryString(), transactionLimit).forEach(LOG::warn);
    }
    DataStreamSink<RowData> end =
        partitioned(rows)
            .sinkTo(new TransactionalSink(decided.settings(table.asSummaryString(), batch), system))
            .name(table.getObjectName())
            .setDescription(table.asSummaryString());
    // In every mode: a job restored with a weaker guarantee still has to commit what it prepared.
    options.prefix().or(() -> context.generateUid("sink")).ifPresent(end::uid);
    // The input's parallelism, not the environment's: rows of a changelog must not change places.
    end.getTransformation()
        .setParallelism(
            options.parallelism().orElse(rows.getParallelism()), options.parallelism().isPresent());
    return end;
  }

  @Override
  public Optional<Integer> getParallelism() {
    return options.parallelism();
  }

  /**
   * The rows so that those of one key come to one subtask, in the order in which one upstream
   * subtask sends them. Flink shuffles neither insert-only rows nor a changelog that has the same
   * key as the table when the parallelism stays the same.
   *
   * <p>It is a keyBy because Flink refuses unaligned checkpoints beside a custom partitioner. It is
   * there at parallelism 1 too: operator ids derived from the plan depend on what is chained, so a
   * job restored at another parallelism would not find the state of the operators before the sink.
   */
  private DataStream<RowData> partitioned(DataStream<RowData> rows) {
    return key.isPresent() ? rows.keyBy(key.get(), Types.INT) : rows;
  }

  /** The options as they are carried out: without transactions where the sink falls back. */
  CommonOptions decided(DataStream<RowData> rows) {
    if (!options.transactional()) {
      return options;
    }
    boolean fallback = options.idempotentUpsert() == IdempotentUpsert.FALLBACK;
    if (!batch && endlessWithoutCheckpoints(rows)) {
      if (!fallback) {
        throw CheckpointSettings.off(refusal());
      }
      return fallenBack("checkpointing is off and the input of this INSERT never ends");
    }
    if (fallback && !batch && !checkpoints.exact()) {
      return fallenBack("checkpoints are in mode " + checkpoints.mode());
    }
    // Last, because it may have to ask the target.
    Optional<String> found = fallback ? obstacle.get() : Optional.empty();
    return found.isPresent() ? fallenBack(found.get()) : options;
  }

  private CommonOptions fallenBack(String reason) {
    LOG.warn(
        "Table {}: rows are written as idempotent upserts instead of in transactions, because {}"
            + " and '{}' is '{}'.",
        table.asSummaryString(),
        reason,
        SinkOptions.IDEMPOTENT_UPSERT.key(),
        IdempotentUpsert.FALLBACK);
    return options.withoutTransactions();
  }

  private static boolean endlessWithoutCheckpoints(DataStream<RowData> rows) {
    return !rows.getExecutionEnvironment().getCheckpointConfig().isCheckpointingEnabled()
        && !bounded(rows);
  }

  private Refusal refusal() {
    return new Refusal(table.asSummaryString());
  }

  /** Whether every source ends; a source that does not say so never ends. */
  private static boolean bounded(DataStream<RowData> rows) {
    List<Transformation<?>> sources =
        rows.getTransformation().getTransitivePredecessors().stream()
            .filter(transformation -> transformation.getInputs().isEmpty())
            .collect(Collectors.toList());
    return !sources.isEmpty() && sources.stream().allMatch(SinkPlacement::ends);
  }

  private static boolean ends(Transformation<?> source) {
    if (source instanceof LegacySourceTransformation<?> legacy
        && legacy.getOperatorFactory() instanceof InputFormatOperatorFactory) {
      // VALUES, for one: an input format ends although its transformation does not say so.
      return true;
    }
    return source instanceof WithBoundedness declared
        && declared.getBoundedness() == Boundedness.BOUNDED;
  }

  /** The planner puts all sinks of a statement set, and only these, into one environment. */
  private void refuseSharedPrefix(DataStream<RowData> rows) {
    String prefix = options.prefix().orElse(null);
    for (Transformation<?> other : rows.getExecutionEnvironment().getTransformations()) {
      if (prefix != null && prefix.equals(other.getUid())) {
        throw refusal()
            .value(
                SinkOptions.TRANSACTIONAL_ID_PREFIX.key(),
                prefix,
                "another INSERT of the same job, into table "
                    + other.getDescription()
                    + ", has the same",
                "give one of them another prefix, for example with an OPTIONS hint");
      }
    }
  }
}
