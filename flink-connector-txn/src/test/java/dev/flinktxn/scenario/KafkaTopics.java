// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.fixture.Fault;
import dev.flinktxn.fixture.KafkaFaults;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The topics of one test on a broker that others use too. */
final class KafkaTopics implements Target {

  private final TargetKind kind;
  private final RelayedBroker broker;
  private final ClientThreads threads;
  private final String unique = UUID.randomUUID().toString().substring(0, 8);
  private final Set<String> topics = new LinkedHashSet<>();

  KafkaTopics(TargetKind kind, RelayedBroker broker, ClientThreads threads) {
    this.kind = kind;
    this.broker = broker;
    this.threads = threads;
  }

  @Override
  public TargetKind kind() {
    return kind;
  }

  @Override
  public String create(String name, int partitions, String columns) {
    String topic = unique + "." + name;
    broker.view().probe().createTopic(topic, partitions);
    topics.add(topic);
    return topic;
  }

  @Override
  public List<Map<String, String>> sinks(String topic, String prefix) {
    return List.of(SinkUnderTest.options(broker.bootstrapServersForJobs(), topic, prefix));
  }

  @Override
  public List<String> committed(String topic) {
    return broker.view().committed(topic);
  }

  @Override
  public int written(String topic, List<RunningJob> writers) {
    return broker.view().probe().uncommitted(topic).size();
  }

  @Override
  public Set<String> open(String prefix) {
    return broker.view().openTransactions(SinkUnderTest.idsOf(prefix));
  }

  @Override
  public Set<String> names(String prefix) {
    return broker.view().transactionalIds(SinkUnderTest.idsOf(prefix));
  }

  @Override
  public Set<String> clients() {
    return threads.ofJobs();
  }

  @Override
  public Fault holdCommits(int count) {
    return broker.faults().hold(KafkaFaults.commits(), count);
  }

  @Override
  public Fault loseCommitReplies(int count) {
    return broker.faults().cutAfter(KafkaFaults.commits(), count);
  }

  @Override
  public void clearFaults() {
    broker.faults().clear();
  }

  @Override
  public Fault swallowCleanUp(String prefix, long open) {
    return broker.swallowAborts(SinkUnderTest.idsOf(prefix));
  }

  @Override
  public void awaitWritersGone() {
    threads.awaitNone();
  }

  @Override
  public void awaitNothingLeft(Collection<String> prefixes) {
    prefixes.forEach(prefix -> broker.view().awaitNoOpenTransactions(SinkUnderTest.idsOf(prefix)));
    topics.forEach(broker.view()::awaitNothingBlocks);
    threads.awaitNone();
  }

  /** The topics stay, and the broker, which is the laboratory's. */
  @Override
  public void close() {}
}
