// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;

/**
 * Knows which broker coordinates which transactional id. Remembers it until told to forget: after
 * any trouble with a coordinator the next look-up asks again.
 */
final class Coordinators {

  private static final int TRIES_PER_LOOKUP = 3;

  private final BrokerConnections connections;
  private final Map<String, Node> known = new HashMap<>();
  private final Map<Integer, Node> brokers = new LinkedHashMap<>();
  private int nextBootstrap;
  private Node lastAnswered;

  Coordinators(BrokerConnections connections) {
    this.connections = connections;
  }

  /**
   * The coordinators of {@code ids}, from memory or in one request.
   *
   * @throws IOException if the brokers refuse this client
   */
  Map<String, Answer<Node>> locate(Collection<String> ids, Duration limit)
      throws IOException, InterruptedException {
    Map<String, Answer<Node>> located = new HashMap<>();
    List<String> missing = new ArrayList<>();
    for (String id : ids) {
      Node node = known.get(id);
      if (node != null) {
        located.put(id, Answer.of(node));
      } else if (!missing.contains(id)) {
        missing.add(id);
      }
    }
    if (!missing.isEmpty()) {
      lookUp(missing, located, limit);
    }
    return located;
  }

  private void lookUp(List<String> ids, Map<String, Answer<Node>> located, Duration limit)
      throws IOException, InterruptedException {
    FindCoordinatorRequestData data =
        new FindCoordinatorRequestData()
            .setKeyType(CoordinatorType.TRANSACTION.id())
            .setCoordinatorKeys(ids);
    BrokerConnections.Reply reply = askAny(new FindCoordinatorRequest.Builder(data), limit);
    for (String id : ids) {
      located.put(id, Answer.trouble("coordinator unknown: " + reply.trouble()));
    }
    if (reply.body() == null) {
      return;
    }
    for (Coordinator found : ((FindCoordinatorResponse) reply.body()).coordinators()) {
      Errors error = Errors.forCode(found.errorCode());
      if (error == Errors.NONE) {
        Node node = new Node(found.nodeId(), found.host(), found.port());
        known.put(found.key(), node);
        brokers.put(node.id(), node);
        located.put(found.key(), Answer.of(node));
      } else if (BrokerRefusal.isDenial(error)) {
        throw BrokerRefusal.of(error, found.key());
      } else {
        located.put(found.key(), Answer.trouble("coordinator unknown: " + error.message()));
      }
    }
  }

  /** Makes the next look-up of {@code id} ask a broker. */
  void forget(String id) {
    known.remove(id);
  }

  /** All live brokers. */
  Answer<Collection<Node>> brokers(Duration limit) throws IOException, InterruptedException {
    BrokerConnections.Reply reply = askAny(new MetadataRequest.Builder(List.of(), false), limit);
    if (reply.body() == null) {
      return Answer.trouble(reply.trouble());
    }
    Collection<Node> live = ((MetadataResponse) reply.body()).brokers();
    brokers.clear();
    live.forEach(node -> brokers.put(node.id(), node));
    return Answer.of(live);
  }

  /**
   * Asks brokers in turn until one answers; a broker that stays silent costs a part of the time.
   */
  private BrokerConnections.Reply askAny(AbstractRequest.Builder<?> request, Duration limit)
      throws IOException, InterruptedException {
    BrokerConnections.Reply reply = null;
    for (int i = 0; i < TRIES_PER_LOOKUP; i++) {
      Node broker = i == 0 && lastAnswered != null ? lastAnswered : candidate();
      Duration part = limit.dividedBy(TRIES_PER_LOOKUP);
      reply =
          connections.exchange(List.of(new BrokerConnections.Call(broker, request)), part).get(0);
      if (reply.body() != null) {
        lastAnswered = broker;
        return reply;
      }
      if (reply.refusal() != null) {
        throw BrokerRefusal.of(reply.refusal());
      }
      lastAnswered = null;
    }
    return reply;
  }

  private Node candidate() {
    List<Node> candidates = new ArrayList<>(brokers.values());
    candidates.addAll(connections.bootstrap());
    return candidates.get(Math.floorMod(nextBootstrap++, candidates.size()));
  }
}
