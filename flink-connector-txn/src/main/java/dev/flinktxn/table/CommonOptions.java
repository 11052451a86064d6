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
 * @param idempotentUpsert whether rows are upserts instead of parts of transactions
 */
public record CommonOptions(
    DeliveryGuarantee guarantee,
    Optional<String> prefix,
    Optional<Duration> transactionTimeout,
    OnLostTransaction onLostTransaction,
    Optional<Integer> parallelism,
    IdempotentUpsert idempotentUpsert) {

  private static final String PREFIX_CHARACTERS =
      "it has to be 1 to 64 characters of A-Z a-z 0-9 . _ -";

  /** Reads and checks the options; throws the refusal of the first that cannot be. */
  public static CommonOptions read(OptionReader reader) {
    Refusal refusal = reader.refusal();
    DeliveryGuarantee guarantee =
        reader.oneOf(SinkOptions.DELIVERY_GUARANTEE, DeliveryGuarantee.class);
    IdempotentUpsert upsert = reader.oneOf(SinkOptions.IDEMPOTENT_UPSERT, IdempotentUpsert.class);
    if (upsert == IdempotentUpsert.ALWAYS && guarantee == DeliveryGuarantee.NONE) {
      throw refusal.value(
          SinkOptions.IDEMPOTENT_UPSERT.key(),
          upsert,
          "'%s' is 'none', which may lose rows".formatted(SinkOptions.DELIVERY_GUARANTEE.key()),
          "remove one of them");
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
        prefix(reader, transactional(guarantee, upsert)),
        timeout(reader),
        reader.oneOf(SinkOptions.ON_LOST_TRANSACTION, OnLostTransaction.class),
        parallelism,
        upsert);
  }

  private static Optional<String> prefix(OptionReader reader, boolean required) {
    String key = SinkOptions.TRANSACTIONAL_ID_PREFIX.key();
    Optional<String> prefix = reader.read(SinkOptions.TRANSACTIONAL_ID_PREFIX, PREFIX_CHARACTERS);
    if (prefix.isEmpty() && required) {
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

  /** Whether rows travel in transactions, unless the sink falls back to idempotent upserts. */
  public boolean transactional() {
    return transactional(guarantee, idempotentUpsert);
  }

  private static boolean transactional(DeliveryGuarantee guarantee, IdempotentUpsert upsert) {
    return guarantee == DeliveryGuarantee.EXACTLY_ONCE && upsert != IdempotentUpsert.ALWAYS;
  }

  /** Refuses idempotent upserts into a table without a key to upsert by. */
  public void checkKey(Refusal refusal, boolean keyed) {
    if (!keyed && idempotentUpsert != IdempotentUpsert.NEVER) {
      throw refusal.value(
          SinkOptions.IDEMPOTENT_UPSERT.key(),
          idempotentUpsert,
          "upserts need a key, and the table has none",
          "declare PRIMARY KEY (...) NOT ENFORCED, or remove the option");
    }
  }

  /** These options with another transaction timeout. */
  public CommonOptions withTransactionTimeout(Duration timeout) {
    return new CommonOptions(
        guarantee, prefix, Optional.of(timeout), onLostTransaction, parallelism, idempotentUpsert);
  }

  /** These options once the sink has fallen back to idempotent upserts. */
  CommonOptions withoutTransactions() {
    return new CommonOptions(
        guarantee,
        prefix,
        transactionTimeout,
        onLostTransaction,
        parallelism,
        IdempotentUpsert.ALWAYS);
  }

  /** What the protocol has to know of an INSERT into {@code table}. */
  SinkSettings settings(String table, boolean batch) {
    return new SinkSettings(
        table,
        prefix.orElse(null),
        transactional(),
        guarantee != DeliveryGuarantee.NONE,
        batch,
        onLostTransaction == OnLostTransaction.CONTINUE,
        SinkSettings.CLEANUP_PERIOD,
        transactionTimeout
            .filter(timeout -> timeout.compareTo(SinkSettings.COMMIT_PATIENCE) < 0)
            .orElse(SinkSettings.COMMIT_PATIENCE));
  }
}
