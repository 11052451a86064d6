// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import dev.flinktxn.protocol.SinkSettings;
import dev.flinktxn.protocol.TransactionName;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.connector.base.DeliveryGuarantee;

/**
 * The values of {@link SinkOptions} for one INSERT.
 *
 * @param guarantee what is promised
 * @param prefix the namespace; empty only without transactions
 * @param transactionTimeout the explicit timeout
 * @param onLostTransaction what a lost transaction does
 * @param parallelism the explicit parallelism
 */
public record CommonOptions(
    DeliveryGuarantee guarantee,
    Optional<String> prefix,
    Optional<Duration> transactionTimeout,
    OnLostTransaction onLostTransaction,
    Optional<Integer> parallelism) {

  private static final String PREFIX_CHARACTERS =
      "it has to be 1 to 64 characters of A-Z a-z 0-9 . _ -";

  /** Reads and checks the options; throws the refusal of the first that cannot be. */
  public static CommonOptions read(OptionReader reader) {
    Refusal refusal = reader.refusal();
    DeliveryGuarantee guarantee =
        reader.oneOf(SinkOptions.DELIVERY_GUARANTEE, DeliveryGuarantee.class);
    IdempotentUpsert upsert = reader.oneOf(SinkOptions.IDEMPOTENT_UPSERT, IdempotentUpsert.class);
    if (upsert != IdempotentUpsert.NEVER) {
      throw refusal.value(
          SinkOptions.IDEMPOTENT_UPSERT.key(),
          upsert,
          "idempotent upserts are not available yet in this version",
          "set it to 'never' or remove it");
    }
    Optional<Integer> parallelism =
        reader.read(SinkOptions.PARALLELISM, "it has to be a whole number above 0");
    if (parallelism.filter(number -> number < 1).isPresent()) {
      throw refusal.value(
          SinkOptions.PARALLELISM.key(),
          parallelism.get(),
          "it has to be a whole number above 0",
          "correct the value");
    }
    return new CommonOptions(
        guarantee,
        prefix(reader, guarantee),
        timeout(reader),
        reader.oneOf(SinkOptions.ON_LOST_TRANSACTION, OnLostTransaction.class),
        parallelism);
  }

  private static Optional<String> prefix(OptionReader reader, DeliveryGuarantee guarantee) {
    String key = SinkOptions.TRANSACTIONAL_ID_PREFIX.key();
    Optional<String> prefix = reader.read(SinkOptions.TRANSACTIONAL_ID_PREFIX, PREFIX_CHARACTERS);
    if (prefix.isEmpty() && guarantee == DeliveryGuarantee.EXACTLY_ONCE) {
      throw reader
          .refusal()
          .missing(
              key,
              "exactly-once needs a name of its own for each INSERT",
              "set it to 1 to 64 characters of A-Z a-z 0-9 . _ - that no other INSERT uses, and"
                  + " keep it when the job is restored");
    }
    if (prefix.isPresent() && !TransactionName.isPrefix(prefix.get())) {
      throw reader
          .refusal()
          .value(
              key,
              prefix.get(),
              PREFIX_CHARACTERS,
              "replace or remove the other characters ("
                  + prefix.get().length()
                  + " characters found)");
    }
    return prefix;
  }

  private static Optional<Duration> timeout(OptionReader reader) {
    String needed = "it has to be a duration above 0 such as '15 min'";
    Optional<Duration> timeout = reader.read(SinkOptions.TRANSACTION_TIMEOUT, needed);
    if (timeout.filter(value -> value.isZero() || value.isNegative()).isPresent()) {
      throw reader
          .refusal()
          .value(SinkOptions.TRANSACTION_TIMEOUT.key(), timeout.get(), needed, "correct the value");
    }
    return timeout;
  }

  /** Whether rows travel in transactions. */
  public boolean transactional() {
    return guarantee == DeliveryGuarantee.EXACTLY_ONCE;
  }

  /** These options with another transaction timeout. */
  public CommonOptions withTransactionTimeout(Duration timeout) {
    return new CommonOptions(
        guarantee, prefix, Optional.of(timeout), onLostTransaction, parallelism);
  }

  /** What the protocol has to know of an INSERT into {@code table}. */
  SinkSettings settings(String table, boolean batch) {
    return new SinkSettings(
        table,
        prefix.orElse(null),
        transactional(),
        guarantee == DeliveryGuarantee.AT_LEAST_ONCE,
        batch,
        onLostTransaction == OnLostTransaction.CONTINUE,
        SinkSettings.CLEANUP_PERIOD,
        transactionTimeout
            .filter(timeout -> timeout.compareTo(SinkSettings.COMMIT_PATIENCE) < 0)
            .orElse(SinkSettings.COMMIT_PATIENCE));
  }
}
