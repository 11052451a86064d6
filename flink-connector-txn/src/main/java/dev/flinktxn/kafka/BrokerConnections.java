// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * Connections to brokers, used and waited for by the caller's thread alone: no thread of its own
 * and nothing kept from one exchange to the next but the open sockets. A connection on which an
 * answer stayed out is closed, so a late answer meets nobody.
 */
final class BrokerConnections implements AutoCloseable {

  private static final int IN_FLIGHT_PER_BROKER = 16;
  private static final long LONGEST_POLL_MILLIS = 100;

  /** One request to one broker. */
  record Call(Node broker, AbstractRequest.Builder<?> request) {}

  /**
   * What came of a call: an answer, or the reason why there is none.
   *
   * @param body the answer, null if none came
   * @param trouble why none came, in words; null if one came
   * @param refusal set when the broker refused the connection or does not know the request
   */
  record Reply(AbstractResponse body, String trouble, KafkaException refusal) {}

  private final Time time = Time.SYSTEM;
  private final ApiVersions versions = new ApiVersions();
  private final Metrics metrics = new Metrics();
  private final NetworkClient client;
  private final List<Node> bootstrap = new ArrayList<>();

  BrokerConnections(Map<String, ?> properties, String clientId, Duration requestTimeout) {
    AdminClientConfig config = new AdminClientConfig(Map.copyOf(properties));
    ManualMetadataUpdater metadata = new ManualMetadataUpdater();
    this.client =
        ClientUtils.createNetworkClient(
            config,
            config.getList(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG),
            clientId,
            metrics,
            "flinktxn-coordinator",
            new LogContext("[" + clientId + "] "),
            versions,
            time,
            IN_FLIGHT_PER_BROKER,
            Math.toIntExact(requestTimeout.toMillis()),
            null,
            metadata,
            new org.apache.kafka.clients.DefaultHostResolver(),
            null,
            null);
    try {
      for (InetSocketAddress address :
          ClientUtils.parseAndValidateAddresses(
              config.getList(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG),
              config.getString(CommonClientConfigs.CLIENT_DNS_LOOKUP_CONFIG))) {
        bootstrap.add(new Node(-1 - bootstrap.size(), address.getHostString(), address.getPort()));
      }
      metadata.setNodes(bootstrap);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** The brokers of {@code bootstrap.servers}, under made-up ids. */
  List<Node> bootstrap() {
    return bootstrap;
  }

  /** The newest version of a request that this broker and we know; -1 before the first exchange. */
  short version(Node broker, ApiKeys api) {
    NodeApiVersions known = versions.get(broker.idString());
    if (known == null || known.apiVersion(api) == null) {
      return -1;
    }
    return known.latestUsableVersion(api);
  }

  /**
   * Sends all {@code calls} and waits for their answers, all brokers at once.
   *
   * @param timeout how long for all of them together
   * @return one reply for each call, in order
   */
  List<Reply> exchange(List<Call> calls, Duration timeout) throws InterruptedException {
    Reply[] replies = new Reply[calls.size()];
    boolean[] sent = new boolean[calls.size()];
    Set<String> attempted = new HashSet<>();
    long start = time.milliseconds();
    long deadline = start + timeout.toMillis();
    long now = start;
    while (now < deadline && anyMissing(replies)) {
      long wait = Math.min(LONGEST_POLL_MILLIS, deadline - now);
      for (int i = 0; i < replies.length; i++) {
        if (!sent[i] && replies[i] == null) {
          Node broker = calls.get(i).broker();
          if (client.ready(broker, now)) {
            send(calls.get(i), replies, i, now, deadline);
            sent[i] = true;
          } else if (!client.connectionFailed(broker)) {
            attempted.add(broker.idString());
          } else if (attempted.contains(broker.idString())) {
            replies[i] = notConnected(broker);
          }
          wait = Math.min(wait, Math.max(1, client.pollDelayMs(broker, now)));
        }
      }
      if (anyMissing(replies)) {
        client.poll(wait, now);
      }
      if (Thread.interrupted()) {
        drop(calls, replies);
        throw new InterruptedException("Interrupted while waiting for Kafka brokers");
      }
      now = time.milliseconds();
    }
    drop(calls, replies);
    for (int i = 0; i < replies.length; i++) {
      if (replies[i] == null) {
        String trouble = "no answer from " + calls.get(i).broker() + " within " + timeout;
        replies[i] = new Reply(null, trouble, null);
      }
    }
    return List.of(replies);
  }

  private void send(Call call, Reply[] replies, int index, long now, long deadline) {
    ClientRequest request =
        client.newClientRequest(
            call.broker().idString(),
            call.request(),
            now,
            true,
            Math.toIntExact(Math.max(1, deadline - now)),
            response -> replies[index] = read(response, call.broker()));
    client.send(request, now);
  }

  private static Reply read(ClientResponse response, Node broker) {
    if (response.hasResponse()) {
      return new Reply(response.responseBody(), null, null);
    }
    if (response.versionMismatch() != null) {
      String trouble = broker + " does not know this request";
      return new Reply(null, trouble, response.versionMismatch());
    }
    return new Reply(null, "connection to " + broker + " lost", response.authenticationException());
  }

  private Reply notConnected(Node broker) {
    return new Reply(null, "cannot connect to " + broker, client.authenticationException(broker));
  }

  private void drop(List<Call> calls, Reply[] replies) {
    for (int i = 0; i < replies.length; i++) {
      if (replies[i] == null) {
        client.close(calls.get(i).broker().idString());
      }
    }
  }

  private static boolean anyMissing(Reply[] replies) {
    for (Reply reply : replies) {
      if (reply == null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    if (client.active()) {
      client.close();
      metrics.close();
    }
  }

  /** Lets {@code millis} pass between two tries. */
  static void pause(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }
}
