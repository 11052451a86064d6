// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.TransactionName;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersOptions;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.DescribeTransactionsResult;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * Looks at all transactions of a prefix, ended ones included, as far as brokers remember them.
 *
 * @param admin asks; bounded in time by its own settings
 */
record TransactionLook(Admin admin) {

  /** How long partitions' leaders may take, whose answer is no more than one sign of life. */
  private static final Duration LEADERS = Duration.ofSeconds(3);

  private static final int NOT_SEEN = -1;

  /**
   * One transactional id. Two looks at the same standing transaction are equal.
   *
   * @param name its name
   * @param state in the brokers' words
   * @param producerId the producer id in force
   * @param epoch the epoch in force
   * @param startedAt when its newest transaction started, by the brokers' clock; -1 if unknown
   * @param timeout how long it may stay open
   * @param partitions those it has written to and not ended yet
   * @param sequences the number of the last record in each, as far as that may be asked
   */
  record Seen(
      TransactionName name,
      String state,
      long producerId,
      short epoch,
      long startedAt,
      Duration timeout,
      Set<TopicPartition> partitions,
      Map<TopicPartition, Integer> sequences) {

    boolean isOpen() {
      return state.equals(TransactionState.ONGOING.toString());
    }
  }

  /** Everything under exactly {@code prefix}, by name. */
  Map<TransactionName, Seen> at(String prefix) throws IOException, InterruptedException {
    Map<String, TransactionName> names = new TreeMap<>();
    for (TransactionListing listing : list(prefix)) {
      TransactionName.parse(prefix, listing.transactionalId())
          .ifPresent(name -> names.put(listing.transactionalId(), name));
    }
    Map<TransactionName, TransactionDescription> described = describe(names, prefix);
    Set<TopicPartition> partitions = new HashSet<>();
    described.values().forEach(one -> partitions.addAll(one.topicPartitions()));
    Map<TopicPartition, Map<Long, Integer>> sequences = sequences(partitions);
    Map<TransactionName, Seen> seen = new LinkedHashMap<>();
    described.forEach((name, one) -> seen.put(name, seen(name, one, sequences)));
    return seen;
  }

  private Map<TransactionName, TransactionDescription> describe(
      Map<String, TransactionName> names, String prefix) throws IOException, InterruptedException {
    Map<TransactionName, TransactionDescription> described = new LinkedHashMap<>();
    DescribeTransactionsResult asked = admin.describeTransactions(names.keySet());
    for (Map.Entry<String, TransactionName> name : names.entrySet()) {
      try {
        described.put(name.getValue(), asked.description(name.getKey()).get());
      } catch (ExecutionException e) {
        // Expired since it was listed.
        if (!(e.getCause() instanceof TransactionalIdNotFoundException)) {
          throw failure(e, prefix);
        }
      }
    }
    return described;
  }

  private Collection<TransactionListing> list(String prefix)
      throws IOException, InterruptedException {
    String pattern = "^" + Pattern.quote(prefix + TransactionName.SEPARATOR) + ".*$";
    try {
      return admin
          .listTransactions(new ListTransactionsOptions().filterOnTransactionalIdPattern(pattern))
          .all()
          .get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnsupportedVersionException)) {
        throw failure(e, prefix);
      }
    }
    try {
      // Brokers before 4.1 send all they have.
      return admin.listTransactions().all().get();
    } catch (ExecutionException e) {
      throw failure(e, prefix);
    }
  }

  private static Seen seen(
      TransactionName name,
      TransactionDescription description,
      Map<TopicPartition, Map<Long, Integer>> sequences) {
    Map<TopicPartition, Integer> own = new HashMap<>();
    for (TopicPartition partition : description.topicPartitions()) {
      own.put(
          partition,
          sequences
              .getOrDefault(partition, Map.of())
              .getOrDefault(description.producerId(), NOT_SEEN));
    }
    return new Seen(
        name,
        description.state().toString(),
        description.producerId(),
        (short) description.producerEpoch(),
        description.transactionStartTimeMs().orElse(-1),
        Duration.ofMillis(description.transactionTimeoutMs()),
        description.topicPartitions(),
        own);
  }

  /** By partition and producer. */
  private Map<TopicPartition, Map<Long, Integer>> sequences(Set<TopicPartition> partitions)
      throws InterruptedException {
    Map<TopicPartition, Map<Long, Integer>> sequences = new HashMap<>();
    DescribeProducersResult asked =
        admin.describeProducers(
            partitions,
            new DescribeProducersOptions().timeoutMs(Math.toIntExact(LEADERS.toMillis())));
    for (TopicPartition partition : partitions) {
      Map<Long, Integer> producers = new HashMap<>();
      try {
        for (ProducerState producer : asked.partitionResult(partition).get().activeProducers()) {
          producers.put(producer.producerId(), producer.lastSequence());
        }
      } catch (ExecutionException e) {
        // One sign of life less, for a topic that may not be read, is gone, or has no leader.
        producers.clear();
      }
      sequences.put(partition, producers);
    }
    return sequences;
  }

  private static IOException failure(ExecutionException e, String prefix) {
    Throwable cause = e.getCause();
    if (cause instanceof AuthenticationException refusal) {
      return BrokerRefusal.of(refusal);
    }
    if (cause instanceof AuthorizationException denial) {
      return new DeniedException(
          "Kafka denies access: "
              + denial.getMessage()
              + ". "
              + BrokerRefusal.transactionalIdAcl(prefix),
          denial);
    }
    return new IOException("The Kafka brokers do not answer: " + cause.getMessage(), cause);
  }
}
