// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.table.api.ValidationException;

/**
 * How the job takes checkpoints, as far as the planner knows: what stands only in a remote
 * cluster's own file is not seen here.
 *
 * @param batch whether the job runs in batch mode, which takes none
 * @param interval time between checkpoints; empty when they are off
 * @param timeout how long one checkpoint may take
 * @param mode what checkpoints promise; says nothing when they are off
 * @param afterTasksFinish whether a last checkpoint is taken when the input has ended
 * @param retention what happens to a failed job's checkpoints
 * @param concurrent how many checkpoints may be under way at once
 */
public record CheckpointSettings(
    boolean batch,
    Optional<Duration> interval,
    Duration timeout,
    CheckpointingMode mode,
    boolean afterTasksFinish,
    ExternalizedCheckpointRetention retention,
    int concurrent) {

  /** The settings in {@code config}. */
  public static CheckpointSettings read(ReadableConfig config) {
    return new CheckpointSettings(
        config.get(ExecutionOptions.RUNTIME_MODE) == RuntimeExecutionMode.BATCH,
        config
            .getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
            .filter(interval -> interval.toMillis() > 0),
        config.get(CheckpointingOptions.CHECKPOINTING_TIMEOUT),
        config.get(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE),
        config.get(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH),
        config.get(CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION),
        config.get(CheckpointingOptions.MAX_CONCURRENT_CHECKPOINTS));
  }

  /** Whether the job takes checkpoints. */
  public boolean enabled() {
    return !batch && interval.isPresent();
  }

  /**
   * Refuses settings under which a sink with {@code options} loses rows. Where it may fall back to
   * idempotent upserts, that is decided later, when the shape of the job is known.
   */
  public void check(Refusal refusal, CommonOptions options) {
    if (options.transactional() && options.idempotentUpsert() == IdempotentUpsert.NEVER) {
      check(refusal);
    }
  }

  /** Refuses settings under which a transactional sink loses rows. */
  void check(Refusal refusal) {
    if (batch) {
      return;
    }
    if (!afterTasksFinish) {
      throw refusal.value(
          CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH.key(),
          false,
          "exactly-once commits the last rows with the checkpoint after the input has ended, so"
              + " they would be lost",
          "set it to true or remove it");
    }
    if (!exact()) {
      throw refusal.value(
          CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE.key(),
          mode,
          "exactly-once needs checkpoints in mode EXACTLY_ONCE",
          "set it to EXACTLY_ONCE, or set 'sink.delivery-guarantee' to 'at-least-once'");
    }
  }

  /** Whether checkpoints promise enough for transactions; checkpoints that are off do. */
  boolean exact() {
    return !enabled() || mode == CheckpointingMode.EXACTLY_ONCE;
  }

  /**
   * Refuses a transaction timeout that ends transactions before a checkpoint can commit them.
   *
   * @param key the option that sets {@code transactionTimeout}
   */
  public void checkTimeout(Refusal refusal, String key, Duration transactionTimeout) {
    if (enabled() && transactionTimeout.compareTo(interval.get()) <= 0) {
      throw refusal.value(
          key,
          words(transactionTimeout),
          "it has to be longer than '%s', which is '%s'"
              .formatted(CheckpointingOptions.CHECKPOINTING_INTERVAL.key(), words(interval.get())),
          "set it to more than the interval plus '%s' (%s), or take checkpoints more often"
              .formatted(CheckpointingOptions.CHECKPOINTING_TIMEOUT.key(), words(timeout)));
    }
  }

  /**
   * What a user has to know although the job may run.
   *
   * @param transactionLimit how long a transaction may stay open, see {@link
   *     SinkAdapter#transactionLimit}
   */
  public List<String> warnings(String table, Optional<Duration> transactionLimit) {
    List<String> warnings = new ArrayList<>();
    if (!enabled()) {
      return warnings;
    }
    Duration longest = interval.get().plus(timeout);
    if (transactionLimit.filter(value -> value.compareTo(longest) < 0).isPresent()) {
      warnings.add(
          ("Table %s: the transaction timeout of %s is shorter than '%s' plus '%s' (%s): the rows"
                  + " of a slow checkpoint can be lost; set 'sink.transaction-timeout' to more.")
              .formatted(
                  table,
                  words(transactionLimit.get()),
                  CheckpointingOptions.CHECKPOINTING_INTERVAL.key(),
                  CheckpointingOptions.CHECKPOINTING_TIMEOUT.key(),
                  words(longest)));
    }
    if (retention == ExternalizedCheckpointRetention.NO_EXTERNALIZED_CHECKPOINTS) {
      warnings.add(
          ("Table %s: '%s' is %s, so the checkpoints of a failed job are deleted, and with them what"
                  + " is needed to commit its prepared transactions; set it to"
                  + " RETAIN_ON_CANCELLATION.")
              .formatted(
                  table, CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION.key(), retention));
    }
    return warnings;
  }

  /** The refusal of an endless job without checkpoints. */
  static ValidationException off(Refusal refusal) {
    return refusal.missing(
        CheckpointingOptions.CHECKPOINTING_INTERVAL.key(),
        "exactly-once makes rows visible with checkpoints, and the input of this INSERT never ends",
        "set it, for example to '1 min', or set 'sink.delivery-guarantee' to 'at-least-once'");
  }

  private static String words(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 60_000 == 0) {
      return millis / 60_000 + " min";
    }
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
  }
}
