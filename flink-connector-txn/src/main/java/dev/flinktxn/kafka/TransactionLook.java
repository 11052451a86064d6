// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.TransactionName;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
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
    Map<TransactionName, Seen> seen = new LinkedHashMap<>();
    var described = admin.describeTransactions(names.keySet());
    for (Map.Entry<String, TransactionName> name : names.entrySet()) {
      try {
        seen.put(name.getValue(), seen(name.getValue(), get(described.description(name.getKey()))));
      } catch (ExecutionException e) {
        // Expired since it was listed.
        if (!(e.getCause() instanceof TransactionalIdNotFoundException)) {
          throw failure(e, prefix);
        }
      }
    }
    return seen;
  }

  private Collection<TransactionListing> list(String prefix)
      throws IOException, InterruptedException {
    String pattern = "^" + Pattern.quote(prefix + TransactionName.SEPARATOR) + ".*$";
    try {
      return get(
          admin
              .listTransactions(
                  new ListTransactionsOptions().filterOnTransactionalIdPattern(pattern))
              .all());
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnsupportedVersionException)) {
        throw failure(e, prefix);
      }
    }
    try {
      // Brokers before 4.1 send all they have.
      return get(admin.listTransactions().all());
    } catch (ExecutionException e) {
      throw failure(e, prefix);
    }
  }

  private Seen seen(
      TransactionName name, org.apache.kafka.clients.admin.TransactionDescription description)
      throws InterruptedException {
    return new Seen(
        name,
        description.state().toString(),
        description.producerId(),
        (short) description.producerEpoch(),
        description.transactionStartTimeMs().orElse(-1),
        Duration.ofMillis(description.transactionTimeoutMs()),
        description.topicPartitions(),
        sequences(description.producerId(), description.topicPartitions()));
  }

  private Map<TopicPartition, Integer> sequences(long producerId, Set<TopicPartition> partitions)
      throws InterruptedException {
    Map<TopicPartition, Integer> sequences = new HashMap<>();
    DescribeProducersResult asked = admin.describeProducers(partitions);
    for (TopicPartition partition : partitions) {
      try {
        for (ProducerState producer : get(asked.partitionResult(partition)).activeProducers()) {
          if (producer.producerId() == producerId) {
            sequences.put(partition, producer.lastSequence());
          }
        }
      } catch (ExecutionException e) {
        // One sign of life less, for a topic that may not be read or is gone.
        sequences.put(partition, -1);
      }
    }
    return sequences;
  }

  private static <T> T get(KafkaFuture<T> asked) throws ExecutionException, InterruptedException {
    return asked.get();
  }

  private static IOException failure(ExecutionException e, String prefix) {
    Throwable cause = e.getCause();
    if (cause instanceof AuthenticationException refusal) {
      return BrokerRefusal.of((KafkaException) refusal);
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
