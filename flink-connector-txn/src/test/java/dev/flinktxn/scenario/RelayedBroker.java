// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import dev.flinktxn.fixture.KafkaFaults;
import dev.flinktxn.fixture.KafkaRequest;
import dev.flinktxn.fixture.RelayFault;
import dev.flinktxn.fixture.TcpRelay;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Predicate;

/** A broker, the relay that jobs reach it through, and a view that goes around the relay. */
record RelayedBroker(KafkaFaults faults, TcpRelay relay, TestBroker broker, BrokerView view)
    implements AutoCloseable {

  static RelayedBroker start(TargetKind kind) throws Exception {
    KafkaFaults faults = new KafkaFaults();
    TcpRelay relay = TcpRelay.open(faults);
    TestBroker broker = TestBroker.start(kind.transactionVersion(), relay.port());
    relay.forwardTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), broker.portForJobs()));
    return new RelayedBroker(faults, relay, broker, new BrokerView(broker.bootstrapServers()));
  }

  /** What a table's {@code properties.bootstrap.servers} says. */
  String bootstrapServersForJobs() {
    return relay.address();
  }

  /** From now on the broker does not hear of any abort of these ids, as if nobody had tried. */
  RelayFault swallowAborts(Predicate<String> ids) {
    return faults.cutBefore(request -> aborts(request, ids), Integer.MAX_VALUE);
  }

  private static boolean aborts(KafkaRequest request, Predicate<String> ids) {
    return (request.apiKey() == KafkaRequest.END_TXN && !request.commit()
            || request.apiKey() == KafkaRequest.INIT_PRODUCER_ID)
        && request.transactionalId().filter(ids).isPresent();
  }

  @Override
  public void close() throws Exception {
    try (relay;
        broker;
        view) {
      faults.clear();
    }
  }
}
