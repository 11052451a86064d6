// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.ExternalSystem;
import dev.flinktxn.protocol.RowTarget;
import dev.flinktxn.protocol.WriterStore;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.runtime.OperatorIDPair;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.SinkTransformation;
import org.apache.flink.streaming.runtime.partitioner.KeyGroupStreamPartitioner;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

/** Where the sink stands in the job. */
class SinkPlacementTest {

  private Optional<String> obstacle = Optional.empty();
  private final StreamExecutionEnvironment environment =
      StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());

  private static final ProviderContext NO_UID = name -> Optional.empty();
  private static final ProviderContext COMPILED = name -> Optional.of("compiled-" + name);

  private SinkPlacement placement(
      String table, DeliveryGuarantee guarantee, String prefix, Integer parallelism) {
    ObjectIdentifier identifier = ObjectIdentifier.of("c", "d", table);
    CommonOptions options =
        new CommonOptions(
            guarantee,
            Optional.ofNullable(prefix),
            Optional.empty(),
            OnLostTransaction.FAIL,
            Optional.ofNullable(parallelism),
            IdempotentUpsert.NEVER);
    return placement(identifier, options, Optional.empty());
  }

  private SinkPlacement placement(
      ObjectIdentifier identifier, CommonOptions options, Optional<KeyHash> key) {
    return new SinkPlacement(
        identifier,
        options,
        CheckpointSettings.read(environment.getConfiguration()),
        false,
        Optional.empty(),
        key,
        () -> obstacle,
        new Nowhere());
  }

  private SinkPlacement keyed(IdempotentUpsert upsert) {
    return placement(
        ObjectIdentifier.of("c", "d", "orders"),
        new CommonOptions(
            DeliveryGuarantee.EXACTLY_ONCE,
            Optional.of("orders"),
            Optional.empty(),
            OnLostTransaction.FAIL,
            Optional.empty(),
            upsert),
        Optional.of(KeyHash.of(RowType.of(new BigIntType()), 0)));
  }

  private SinkPlacement exactlyOnce(String table, String prefix) {
    return placement(table, DeliveryGuarantee.EXACTLY_ONCE, prefix, null);
  }

  private DataStream<RowData> rows(int parallelism) {
    return environment
        .fromSequence(1, 3)
        .map(number -> (RowData) GenericRowData.of(number), TypeInformation.of(RowData.class))
        .setParallelism(parallelism);
  }

  private static Transformation<?> place(
      SinkPlacement placement, ProviderContext context, DataStream<RowData> rows) {
    return placement.consumeDataStream(context, rows).getTransformation();
  }

  @Test
  void thePrefixIsTheUid() {
    Transformation<?> sink = place(exactlyOnce("orders", "my-orders"), COMPILED, rows(1));
    assertThat(sink.getUid()).isEqualTo("my-orders");
    assertThat(sink.getName()).isEqualTo("orders");
  }

  @Test
  void thePrefixIsTheUidUnderAWeakerGuaranteeToo() {
    Transformation<?> sink =
        place(
            placement("orders", DeliveryGuarantee.AT_LEAST_ONCE, "my-orders", null),
            COMPILED,
            rows(1));
    assertThat(sink.getUid()).isEqualTo("my-orders");
  }

  @Test
  void withoutAPrefixTheUidIsLeftToFlink() {
    SinkPlacement placement = placement("orders", DeliveryGuarantee.NONE, null, null);
    assertThat(place(placement, NO_UID, rows(1)).getUid()).isNull();
    assertThat(place(placement, COMPILED, rows(1)).getUid()).startsWith("compiled-");
  }

  @Test
  void theSinkHasTheParallelismOfItsInput() {
    environment.setParallelism(7);
    assertThat(place(exactlyOnce("orders", "orders"), NO_UID, rows(2)).getParallelism())
        .isEqualTo(2);
  }

  @Test
  void theSinkHasTheParallelismItIsGiven() {
    SinkPlacement placement = placement("orders", DeliveryGuarantee.EXACTLY_ONCE, "orders", 5);
    assertThat(placement.getParallelism()).contains(5);
    Transformation<?> sink = place(placement, NO_UID, rows(2));
    assertThat(sink.getParallelism()).isEqualTo(5);
    assertThat(sink.isParallelismConfigured()).isTrue();
  }

  @Test
  void twoInsertsOfOneJobMayNotShareAPrefix() {
    place(exactlyOnce("orders", "same"), NO_UID, rows(1));
    assertThatThrownBy(() -> place(exactlyOnce("audit", "same"), NO_UID, rows(1)))
        .isInstanceOf(ValidationException.class)
        .hasMessageStartingWith("Table c.d.audit: ")
        .hasMessageContainingAll("'sink.transactional-id-prefix' is 'same'", "table c.d.orders");
  }

  @Test
  void twoInsertsOfOneJobMayHavePrefixesOfTheirOwn() {
    place(exactlyOnce("orders", "orders"), NO_UID, rows(1));
    assertThat(place(exactlyOnce("audit", "audit"), NO_UID, rows(1)).getUid()).isEqualTo("audit");
  }

  /** The job of an INSERT into a keyed table, at {@code parallelism}. */
  private JobGraph keyedJob(int parallelism) {
    environment.setParallelism(parallelism);
    environment.enableCheckpointing(60_000);
    place(keyed(IdempotentUpsert.NEVER), NO_UID, rows(parallelism));
    return environment.getStreamGraph().getJobGraph();
  }

  private static List<OperatorID> operators(JobGraph job) {
    return job.getVerticesSortedTopologicallyFromSources().stream()
        .flatMap(vertex -> vertex.getOperatorIDs().stream())
        .map(OperatorIDPair::getGeneratedOperatorID)
        .toList();
  }

  @Test
  void aKeySitsInOneSubtask() {
    SinkTransformation<?, ?> sink =
        (SinkTransformation<?, ?>) place(keyed(IdempotentUpsert.NEVER), NO_UID, rows(3));
    assertThat(sink.getInputs())
        .singleElement()
        .isInstanceOfSatisfying(
            PartitionTransformation.class,
            shuffle ->
                assertThat(shuffle.getPartitioner()).isInstanceOf(KeyGroupStreamPartitioner.class));
    assertThat(sink.getParallelism()).isEqualTo(3);
  }

  @Test
  void withoutAKeyRowsStayWhereTheyAre() {
    SinkTransformation<?, ?> sink =
        (SinkTransformation<?, ?>) place(exactlyOnce("orders", "orders"), NO_UID, rows(3));
    assertThat(sink.getInputs()).singleElement().isNotInstanceOf(PartitionTransformation.class);
  }

  @Test
  void theOperatorsBeforeAKeyedSinkKeepTheirIdsAtAnotherParallelism() {
    List<OperatorID> alone = operators(keyedJob(1));
    assertThat(alone).hasSizeGreaterThan(2);
    assertThat(operators(keyedJob(2))).isEqualTo(alone);
  }

  @Test
  void aKeyedSinkMayTakeUnalignedCheckpoints() {
    environment.getCheckpointConfig().enableUnalignedCheckpoints();
    assertThat(keyedJob(2).getNumberOfVertices()).isEqualTo(2);
  }

  private boolean transactional(IdempotentUpsert upsert, String mode) {
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", "1 min");
    settings.setString("execution.checkpointing.mode", mode);
    environment.configure(settings);
    return keyed(upsert).decided(rows(1)).transactional();
  }

  @Test
  void fallsBackWhereCheckpointsPromiseTooLittle() {
    assertThat(transactional(IdempotentUpsert.FALLBACK, "AT_LEAST_ONCE")).isFalse();
  }

  @Test
  void doesNotFallBackWithoutNeed() {
    assertThat(transactional(IdempotentUpsert.FALLBACK, "EXACTLY_ONCE")).isTrue();
  }

  @Test
  void fallsBackWhereTheTargetTakesNoTransactionsAndNowhereElse() {
    obstacle = Optional.of("there is no right to");
    assertThat(transactional(IdempotentUpsert.FALLBACK, "EXACTLY_ONCE")).isFalse();
    assertThat(transactional(IdempotentUpsert.NEVER, "EXACTLY_ONCE")).isTrue();
  }

  @Test
  void aFallbackThatActsNeedsNoLastCheckpointButOneThatDoesNotActDoes() {
    Configuration settings = new Configuration();
    settings.setString("execution.checkpointing.interval", "1 min");
    settings.setString("execution.checkpointing.checkpoints-after-tasks-finish", "false");
    environment.configure(settings);
    assertThatThrownBy(() -> place(keyed(IdempotentUpsert.FALLBACK), NO_UID, rows(1)))
        .hasMessageContaining(
            "'execution.checkpointing.checkpoints-after-tasks-finish' is 'false'");
    settings.setString("execution.checkpointing.mode", "AT_LEAST_ONCE");
    environment.configure(settings);
    assertThat(place(keyed(IdempotentUpsert.FALLBACK), NO_UID, rows(1)).getUid())
        .isEqualTo("orders");
  }

  /** A target that is never opened. */
  private record Nowhere() implements ExternalSystem {
    @Override
    public WriterStore openWriterStore(WriterInitContext context) {
      throw new AssertionError("opened while planning");
    }

    @Override
    public CommitterStore openCommitterStore(CommitterInitContext context) {
      throw new AssertionError("opened while planning");
    }

    @Override
    public RowTarget openRowTarget(WriterInitContext context) {
      throw new AssertionError("opened while planning");
    }

    @Override
    public String describe() {
      return "nowhere";
    }
  }
}
