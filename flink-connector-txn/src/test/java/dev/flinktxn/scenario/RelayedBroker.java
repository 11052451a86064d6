// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

/** A broker, the relay that jobs reach it through, and the probe that goes around the relay. */
record RelayedBroker(RequestRelay relay, TestBroker broker, KafkaProbe probe)
    implements AutoCloseable {

  static RelayedBroker start(BrokerKind kind) throws Exception {
    RequestRelay relay = RequestRelay.listen();
    TestBroker broker = TestBroker.start(kind.transactionVersion(), relay.port());
    relay.forwardTo(broker.portForJobs());
    return new RelayedBroker(relay, broker, new KafkaProbe(broker.bootstrapServers()));
  }

  /** What a table's {@code properties.bootstrap.servers} says. */
  String bootstrapServersForJobs() {
    return "localhost:" + relay.port();
  }

  @Override
  public void close() throws Exception {
    try (relay;
        broker;
        probe) {
      relay.restore();
    }
  }
}
