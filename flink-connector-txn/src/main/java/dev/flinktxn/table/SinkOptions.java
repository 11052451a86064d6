// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import java.time.Duration;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.table.factories.FactoryUtil;

/** The options every sink of this connector has. */
public final class SinkOptions {

  /** What the sink promises about each row. */
  public static final ConfigOption<DeliveryGuarantee> DELIVERY_GUARANTEE =
      ConfigOptions.key("sink.delivery-guarantee")
          .enumType(DeliveryGuarantee.class)
          .defaultValue(DeliveryGuarantee.EXACTLY_ONCE)
          .withDescription(
              "What the sink promises: 'exactly-once', 'at-least-once', or 'none', which may lose"
                  + " rows.");

  /** The namespace of everything one INSERT leaves in the external system. */
  public static final ConfigOption<String> TRANSACTIONAL_ID_PREFIX =
      ConfigOptions.key("sink.transactional-id-prefix")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "The namespace of everything the sink leaves in the external system, and the"
                  + " operator's uid: 1 to 64 of A-Z a-z 0-9 . _ -, one for each INSERT, never"
                  + " changed at restore. Required for exactly-once.");

  /** How long an open transaction may live. */
  public static final ConfigOption<Duration> TRANSACTION_TIMEOUT =
      ConfigOptions.key("sink.transaction-timeout")
          .durationType()
          .noDefaultValue()
          .withDescription(
              "How long an open transaction may live; has to be longer than the checkpoint"
                  + " interval. Unset means the longest the external system allows.");

  /** Whether rows may be written as idempotent upserts instead of in transactions. */
  public static final ConfigOption<IdempotentUpsert> IDEMPOTENT_UPSERT =
      ConfigOptions.key("sink.idempotent-upsert")
          .enumType(IdempotentUpsert.class)
          .defaultValue(IdempotentUpsert.NEVER)
          .withDescription(
              "Whether rows are written as idempotent upserts by the PRIMARY KEY instead of in"
                  + " transactions: 'never', 'fallback' (where transactions cannot be), or"
                  + " 'always'.");

  /** What happens when a transaction is proven lost or its outcome cannot be known. */
  public static final ConfigOption<OnLostTransaction> ON_LOST_TRANSACTION =
      ConfigOptions.key("sink.on-lost-transaction")
          .enumType(OnLostTransaction.class)
          .defaultValue(OnLostTransaction.FAIL)
          .withDescription(
              "What happens when a transaction of a completed checkpoint is proven lost, or its"
                  + " outcome cannot be known any more: 'fail' ends the job, 'continue' counts it"
                  + " and goes on.");

  /** The parallelism of the sink. */
  public static final ConfigOption<Integer> PARALLELISM = FactoryUtil.SINK_PARALLELISM;

  private SinkOptions() {}

  /** All options of this class. */
  public static Set<ConfigOption<?>> all() {
    return Set.of(
        DELIVERY_GUARANTEE,
        TRANSACTIONAL_ID_PREFIX,
        TRANSACTION_TIMEOUT,
        IDEMPOTENT_UPSERT,
        ON_LOST_TRANSACTION,
        PARALLELISM);
  }

  /**
   * Those that may change when a compiled plan is restored. The prefix never may: it belongs to one
   * INSERT of one job, and prepared transactions are found by it.
   */
  public static Set<ConfigOption<?>> forwarded() {
    return Set.of(TRANSACTION_TIMEOUT, ON_LOST_TRANSACTION, PARALLELISM);
  }
}
