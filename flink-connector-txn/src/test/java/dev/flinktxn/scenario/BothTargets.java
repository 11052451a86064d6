// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.fixture.Await;
import dev.flinktxn.fixture.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A topic and a table that one job writes the same rows to, with an INSERT for each. What holds of
 * this holds of both.
 */
final class BothTargets implements Target {

  private final KafkaTopics topics;
  private final PostgresTables tables;
  private final Map<String, String> tableOfTopic = new HashMap<>();

  BothTargets(KafkaTopics topics, PostgresTables tables) {
    this.topics = topics;
    this.tables = tables;
  }

  /**
   * A fault of each. In one chain of operators the second sink commits when the first has, so the
   * hits of one have to do.
   */
  private record Pair(Fault one, Fault other) implements Fault {
    @Override
    public int hits() {
      return Math.max(one.hits(), other.hits());
    }

    @Override
    public void awaitHits(int count, Duration limit) {
      Await.until(count + " commits meet a fault", limit, () -> hits() >= count);
    }

    @Override
    public void release() {
      one.release();
      other.release();
    }

    @Override
    public void discard() {
      one.discard();
      other.discard();
    }
  }

  private static String tablePrefix(String prefix) {
    return prefix + ".table";
  }

  @Override
  public TargetKind kind() {
    return TargetKind.BOTH;
  }

  @Override
  public String create(String name, int partitions, String columns) {
    String topic = topics.create(name, partitions, columns);
    tableOfTopic.put(topic, tables.create(name, partitions, columns));
    return topic;
  }

  @Override
  public List<Map<String, String>> sinks(String topic, String prefix) {
    List<Map<String, String>> sinks = new ArrayList<>(topics.sinks(topic, prefix));
    sinks.addAll(tables.sinks(tableOfTopic.get(topic), tablePrefix(prefix)));
    return sinks;
  }

  /** What both have; rows that are no expected ones while one is ahead of the other. */
  @Override
  public List<String> committed(String topic) {
    List<String> inTopic = topics.committed(topic);
    List<String> inTable = tables.committed(tableOfTopic.get(topic));
    return inTopic.equals(inTable)
        ? inTopic
        : List.of("in the topic: " + inTopic, "in the table: " + inTable);
  }

  /** Each of the two writers takes the same rows. */
  @Override
  public int written(String topic, List<RunningJob> writers) {
    int takenByEach = tables.written(tableOfTopic.get(topic), writers) / 2;
    return Math.min(topics.written(topic, writers), takenByEach);
  }

  @Override
  public Set<String> open(String prefix) {
    Set<String> open = new HashSet<>(topics.open(prefix));
    open.addAll(tables.open(tablePrefix(prefix)));
    return open;
  }

  /** Those of the one that has more of them. */
  @Override
  public Set<String> names(String prefix) {
    Set<String> ids = topics.names(prefix);
    Set<String> inLedger = tables.names(tablePrefix(prefix));
    return ids.size() > inLedger.size() ? ids : inLedger;
  }

  @Override
  public Set<String> clients() {
    Set<String> clients = new HashSet<>(topics.clients());
    clients.addAll(tables.clients());
    return clients;
  }

  @Override
  public Fault holdCommits(int count) {
    return new Pair(topics.holdCommits(count), tables.holdCommits(count));
  }

  @Override
  public Fault loseCommitReplies(int count) {
    return new Pair(topics.loseCommitReplies(count), tables.loseCommitReplies(count));
  }

  @Override
  public void clearFaults() {
    topics.clearFaults();
    tables.clearFaults();
  }

  @Override
  public Fault swallowCleanUp(String prefix, long open) {
    return new Pair(
        topics.swallowCleanUp(prefix, open / 2),
        tables.swallowCleanUp(tablePrefix(prefix), open / 2));
  }

  @Override
  public void awaitWritersGone() {
    topics.awaitWritersGone();
    tables.awaitWritersGone();
  }

  @Override
  public void awaitNothingLeft(Collection<String> prefixes) {
    topics.awaitNothingLeft(prefixes);
    tables.awaitNothingLeft(prefixes.stream().map(BothTargets::tablePrefix).toList());
  }

  @Override
  public void close() {
    topics.close();
    tables.close();
  }
}
