// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** The topics of one run. Every method fails after 15 seconds without an answer. */
final class Topics implements AutoCloseable {

  static final int PARTITIONS = 2;

  private final String bootstrapServers;
  private final Admin admin;
  private final String input;
  private final String output;

  Topics(String bootstrapServers, String run) {
    this.bootstrapServers = bootstrapServers;
    this.input = "flights-" + run;
    this.output = "hourly-delays-" + run;
    this.admin =
        Admin.create(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "request.timeout.ms",
                5_000,
                "default.api.timeout.ms",
                15_000));
  }

  /** Where the flights go. */
  String input() {
    return input;
  }

  /** Where the result comes out. */
  String output() {
    return output;
  }

  /** Creates both, replicated as the cluster does by default. */
  void create() {
    List<NewTopic> topics =
        List.of(input, output).stream()
            .map(name -> new NewTopic(name, Optional.of(PARTITIONS), Optional.empty()))
            .toList();
    answer("create " + input + " and " + output, admin.createTopics(topics).all());
  }

  void delete() {
    List<String> topics = List.of(input, output);
    answer("delete " + input + " and " + output, admin.deleteTopics(topics).all());
  }

  /** The partitions of the output topic. */
  List<TopicPartition> outputPartitions() {
    return IntStream.range(0, PARTITIONS)
        .mapToObj(partition -> new TopicPartition(output, partition))
        .toList();
  }

  /** The ends of the output topic's partitions, as readers of that level see them. */
  Map<TopicPartition, Long> outputEnds(IsolationLevel level) {
    Map<TopicPartition, OffsetSpec> question =
        outputPartitions().stream()
            .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
    Map<TopicPartition, ListOffsetsResultInfo> answer =
        answer(
            "read the ends of " + output,
            admin.listOffsets(question, new ListOffsetsOptions(level)).all());
    return answer.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().offset()));
  }

  private <T> T answer(String what, KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "the Kafka cluster at " + bootstrapServers + " did not " + what, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
