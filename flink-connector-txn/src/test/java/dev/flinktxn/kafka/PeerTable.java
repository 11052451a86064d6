// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A table as it is declared for {@code txn-kafka} and for its peer, an official connector, and the
 * query that fills it. In the query and in options {@code {topic}} stands for the topic of the one
 * or the other.
 */
final class PeerTable {

  private final String name;
  private final String peer;
  private final Map<String, String> options = new LinkedHashMap<>();
  private final Map<String, String> peerOptions = new LinkedHashMap<>();
  private String columns;
  private String query;
  private PeerView view = PeerView.PARTITIONS;

  private PeerTable(String name, String peer, String columns, String query) {
    this.name = name;
    this.peer = peer;
    this.columns = columns;
    this.query = query;
    peerOptions.put("connector", peer);
    peerOptions.put("sink.transactional-id-prefix", null);
  }

  /** Rows are appended, or changes are written as such. */
  static PeerTable appended(String name) {
    return new PeerTable(
        name, "kafka", "id BIGINT, name STRING, qty INT", "SELECT id, name, qty FROM orders");
  }

  /** Rows are upserted by a PRIMARY KEY. */
  static PeerTable upserted(String name) {
    return new PeerTable(
            name,
            "upsert-kafka",
            "region STRING, acct INT, note STRING, amt INT,"
                + " PRIMARY KEY (region, acct) NOT ENFORCED",
            "SELECT region, acct, note, amt FROM changes")
        .options("key.format", "json", "value.format", "json");
  }

  PeerTable columns(String columns) {
    this.columns = columns;
    return this;
  }

  PeerTable query(String query) {
    this.query = query;
    return this;
  }

  /** More options of both: names and values in turn; a null value removes one. */
  PeerTable options(String... more) {
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return this;
  }

  /**
   * The guarantee of both; without it each has its own default, exactly-once here and at-least-once
   * there.
   */
  PeerTable guarantee(String guarantee) {
    if (guarantee.equals("exactly-once")) {
      peerOptions.put("sink.transactional-id-prefix", "{topic}");
      // The peer asks for an hour, and brokers allow 15 minutes unless told otherwise.
      peerOptions.put("properties.transaction.timeout.ms", "600000");
    }
    return options("sink.delivery-guarantee", guarantee);
  }

  /** What has to be the same; everything unless said otherwise. */
  PeerTable sameIn(PeerView view) {
    this.view = view;
    return this;
  }

  /** Whether rows go to a second topic too, {@code {topic}.more}. */
  boolean hasTwoTopics() {
    return query.contains("{topic}.more");
  }

  String columns() {
    return columns;
  }

  String query() {
    return query;
  }

  Map<String, String> options() {
    return options;
  }

  /** The options for the peer. */
  Map<String, String> peerOptions() {
    Map<String, String> all = new LinkedHashMap<>(options);
    all.putAll(peerOptions);
    return all;
  }

  PeerView view() {
    return view;
  }

  @Override
  public String toString() {
    return peer + ": " + name;
  }
}
