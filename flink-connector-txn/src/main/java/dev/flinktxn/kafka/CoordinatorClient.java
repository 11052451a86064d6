// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.kafka.BrokerConnections.Call;
import dev.flinktxn.kafka.BrokerConnections.Reply;
import dev.flinktxn.kafka.TransactionDescription.State;
import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.DescribeTransactionsRequest;
import org.apache.kafka.common.requests.DescribeTransactionsResponse;
import org.apache.kafka.common.requests.EndTxnRequest;
import org.apache.kafka.common.requests.EndTxnResponse;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.apache.kafka.common.requests.ListTransactionsResponse;
import org.apache.kafka.common.utils.internals.ProducerIdAndEpoch;

/**
 * Speaks to transaction coordinators without a producer, so that nothing can wedge: every call is
 * one bounded pass whose raw answers are handed back. Used by one task thread, which may be
 * interrupted at any moment.
 *
 * @see Coordinators
 */
final class CoordinatorClient implements AutoCloseable {

  /** One transaction to end. */
  record End(String transactionalId, KafkaHandle handle, boolean commit) {}

  private record Request(String transactionalId, AbstractRequest.Builder<?> builder) {}

  private final BrokerConnections connections;
  private final Coordinators coordinators;
  private final Duration requestTimeout;

  CoordinatorClient(Map<String, ?> properties, String clientId, Duration requestTimeout) {
    this.connections = new BrokerConnections(properties, clientId, requestTimeout);
    this.coordinators = new Coordinators(connections);
    this.requestTimeout = requestTimeout;
  }

  private CoordinatorClient(CoordinatorClient other, Duration requestTimeout) {
    this.connections = other.connections;
    this.coordinators = other.coordinators;
    this.requestTimeout = requestTimeout;
  }

  /** The same client with less patience; not to be closed on its own. */
  CoordinatorClient within(Duration requestTimeout) {
    return new CoordinatorClient(this, requestTimeout);
  }

  /**
   * Describes the newest transaction of each id, in one request per coordinator.
   *
   * @throws IOException if the brokers refuse this client
   */
  Map<String, Answer<TransactionDescription>> describe(Collection<String> ids)
      throws IOException, InterruptedException {
    Map<String, Answer<TransactionDescription>> answers = new HashMap<>();
    Map<Node, List<String>> byCoordinator = new LinkedHashMap<>();
    for (Map.Entry<String, Answer<Node>> located :
        coordinators.locate(ids, requestTimeout).entrySet()) {
      if (located.getValue().value() == null) {
        answers.put(located.getKey(), Answer.trouble(located.getValue().trouble()));
      } else {
        byCoordinator
            .computeIfAbsent(located.getValue().value(), node -> new ArrayList<>())
            .add(located.getKey());
      }
    }
    List<Call> calls = new ArrayList<>();
    byCoordinator.forEach(
        (node, group) ->
            calls.add(
                new Call(
                    node,
                    new DescribeTransactionsRequest.Builder(
                        new DescribeTransactionsRequestData().setTransactionalIds(group)))));
    List<Reply> replies = connections.exchange(calls, requestTimeout);
    int next = 0;
    for (List<String> group : byCoordinator.values()) {
      Reply reply = replies.get(next++);
      if (reply.body() == null) {
        refuseIfDenied(reply);
        for (String id : group) {
          answers.put(id, troubled(id, reply.trouble()));
        }
      } else {
        for (DescribeTransactionsResponseData.TransactionState state :
            ((DescribeTransactionsResponse) reply.body()).data().transactionStates()) {
          answers.put(state.transactionalId(), read(state));
        }
      }
    }
    return answers;
  }

  private Answer<TransactionDescription> read(
      DescribeTransactionsResponseData.TransactionState state) throws IOException {
    Errors error = Errors.forCode(state.errorCode());
    return switch (error) {
      case NONE ->
          Answer.of(
              new TransactionDescription(
                  State.of(state.transactionState()),
                  state.producerId(),
                  state.producerEpoch(),
                  state.transactionStartTimeMs()));
      case TRANSACTIONAL_ID_NOT_FOUND -> Answer.of(TransactionDescription.UNKNOWN_ID);
      default -> {
        Answer<TransactionDescription> answer = judge(state.transactionalId(), error);
        yield answer.trouble() != null ? answer : Answer.trouble(error.message());
      }
    };
  }

  /** Ends each transaction in the flavour it was written in, all coordinators at once. */
  List<Answer<Boolean>> end(List<End> ends) throws IOException, InterruptedException {
    List<Request> requests = new ArrayList<>();
    for (End end : ends) {
      EndTxnRequestData data =
          new EndTxnRequestData()
              .setTransactionalId(end.transactionalId())
              .setProducerId(end.handle().producerId())
              .setProducerEpoch(end.handle().epoch())
              .setCommitted(end.commit());
      requests.add(
          new Request(end.transactionalId(), new EndTxnRequest.Builder(data, end.handle().v2())));
    }
    List<Answer<Boolean>> answers = new ArrayList<>();
    List<Answer<AbstractResponse>> bodies = send(requests);
    for (int i = 0; i < bodies.size(); i++) {
      Answer<AbstractResponse> body = bodies.get(i);
      if (body.value() == null) {
        answers.add(Answer.trouble(body.trouble()));
      } else {
        Errors error = ((EndTxnResponse) body.value()).error();
        answers.add(
            error == Errors.NONE ? Answer.of(true) : judge(ends.get(i).transactionalId(), error));
      }
    }
    return answers;
  }

  /** Whether the coordinator of {@code id} ends transactions with a raise of the epoch (v2). */
  boolean endsWithRaise(String id) throws IOException, InterruptedException {
    Node node = coordinators.locate(List.of(id), requestTimeout).get(id).value();
    return node != null && connections.version(node, ApiKeys.END_TXN) >= 5;
  }

  /**
   * Asks for a new epoch of the id on behalf of {@code expected}; aborts what is open under it.
   *
   * @param timeout the transaction timeout to store with the id
   */
  Answer<Boolean> initProducerId(String id, KafkaHandle expected, Duration timeout)
      throws IOException, InterruptedException {
    InitProducerIdRequestData data =
        new InitProducerIdRequestData()
            .setTransactionalId(id)
            .setTransactionTimeoutMs(Math.toIntExact(timeout.toMillis()))
            .setProducerId(expected.producerId())
            .setProducerEpoch(expected.epoch());
    Answer<AbstractResponse> body =
        send(List.of(new Request(id, new InitProducerIdRequest.Builder(data)))).get(0);
    if (body.value() == null) {
      return Answer.trouble(body.trouble());
    }
    Errors error = ((InitProducerIdResponse) body.value()).error();
    return error == Errors.NONE ? Answer.of(true) : judge(id, error);
  }

  /**
   * Initialises the id once more on behalf of its owner, for transactions that no timeout ends.
   *
   * @return the id's new producer id and epoch
   * @throws RefusedException if the brokers do not offer or do not allow such transactions
   * @see <a href="https://cwiki.apache.org/confluence/x/CQFPBw">KIP-939</a>
   */
  Answer<ProducerIdAndEpoch> makeEndless(String id, ProducerIdAndEpoch owner)
      throws IOException, InterruptedException {
    InitProducerIdRequestData data =
        new InitProducerIdRequestData()
            .setTransactionalId(id)
            // Not looked at beside the flag, but it has to be above 0.
            .setTransactionTimeoutMs(Integer.MAX_VALUE)
            .setProducerId(owner.producerId)
            .setProducerEpoch(owner.epoch)
            .setEnable2Pc(true);
    Answer<Node> located = coordinators.locate(List.of(id), requestTimeout).get(id);
    if (located.value() == null) {
      return Answer.trouble(located.trouble());
    }
    Reply reply =
        connections
            .exchange(List.of(new Call(located.value(), new InitEndless(data))), requestTimeout)
            .get(0);
    if (reply.refusal() instanceof UnsupportedVersionException) {
      throw BrokerRefusal.endlessNotOffered(reply.refusal());
    }
    if (reply.body() == null) {
      refuseIfDenied(reply);
      return troubled(id, reply.trouble());
    }
    InitProducerIdResponseData answer = ((InitProducerIdResponse) reply.body()).data();
    Errors error = Errors.forCode(answer.errorCode());
    if (error == Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED) {
      throw BrokerRefusal.endlessNotAllowed(id, error.exception());
    }
    return error == Errors.NONE
        ? Answer.of(new ProducerIdAndEpoch(answer.producerId(), answer.producerEpoch()))
        : judge(id, error);
  }

  /**
   * The transactional ids with an open transaction whose name starts with exactly {@code start}.
   *
   * @return all of them, or the trouble with one of the brokers, for the list would have holes
   */
  Answer<Set<String>> open(String start) throws IOException, InterruptedException {
    String pattern = "^" + Pattern.quote(start) + ".*$";
    List<Call> calls = new ArrayList<>();
    Answer<Collection<Node>> brokers = coordinators.brokers(requestTimeout);
    if (brokers.value() == null) {
      return Answer.trouble(brokers.trouble());
    }
    for (Node broker : brokers.value()) {
      calls.add(new Call(broker, new ListOpen(pattern)));
    }
    Set<String> ids = new TreeSet<>();
    for (Reply reply : connections.exchange(calls, requestTimeout)) {
      if (reply.body() == null) {
        refuseIfDenied(reply);
        return Answer.trouble(reply.trouble());
      }
      ListTransactionsResponseData data = ((ListTransactionsResponse) reply.body()).data();
      Errors error = Errors.forCode(data.errorCode());
      if (error != Errors.NONE) {
        return Answer.trouble(error.message());
      }
      for (ListTransactionsResponseData.TransactionState state : data.transactionStates()) {
        if (state.transactionalId().startsWith(start)) {
          ids.add(state.transactionalId());
        }
      }
    }
    return Answer.of(ids);
  }

  private List<Answer<AbstractResponse>> send(List<Request> requests)
      throws IOException, InterruptedException {
    Map<String, Answer<Node>> located =
        coordinators.locate(
            requests.stream().map(Request::transactionalId).toList(), requestTimeout);
    List<Call> calls = new ArrayList<>();
    for (Request request : requests) {
      Node node = located.get(request.transactionalId()).value();
      if (node != null) {
        calls.add(new Call(node, request.builder()));
      }
    }
    List<Reply> replies = connections.exchange(calls, requestTimeout);
    List<Answer<AbstractResponse>> answers = new ArrayList<>();
    int next = 0;
    for (Request request : requests) {
      String id = request.transactionalId();
      if (located.get(id).value() == null) {
        answers.add(Answer.trouble(located.get(id).trouble()));
        continue;
      }
      Reply reply = replies.get(next++);
      if (reply.body() != null) {
        answers.add(Answer.of(reply.body()));
      } else {
        if (reply.refusal() instanceof AuthenticationException) {
          throw BrokerRefusal.of(reply.refusal());
        }
        answers.add(troubled(id, reply.trouble()));
      }
    }
    return answers;
  }

  /** Sorts an error: a denial, a trouble that passes, or something said about the transaction. */
  private <T> Answer<T> judge(String id, Errors error) throws IOException {
    if (BrokerRefusal.isDenial(error)) {
      throw BrokerRefusal.of(error, id);
    }
    if (error.exception() instanceof RetriableException) {
      return error == Errors.CONCURRENT_TRANSACTIONS
          ? Answer.error(error)
          : troubled(id, error.message());
    }
    return Answer.error(error);
  }

  private <T> Answer<T> troubled(String id, String trouble) {
    coordinators.forget(id);
    return Answer.trouble(trouble);
  }

  private static void refuseIfDenied(Reply reply) throws IOException {
    if (reply.refusal() != null) {
      throw BrokerRefusal.of(reply.refusal());
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
