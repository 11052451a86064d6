// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.BrokerProcess;
import dev.flinktxn.fixture.BrokerSettings;
import dev.flinktxn.fixture.Distribution;
import dev.flinktxn.fixture.Postgres;
import dev.flinktxn.fixture.PostgresSettings;
import dev.flinktxn.fixture.RunDirectory;

/** The Kafka cluster and the PostgreSQL of a run: the user's, or started here and ended here. */
final class Servers implements AutoCloseable {

  private final QuickstartOptions options;
  private final BrokerProcess broker;
  private final Postgres postgres;

  private Servers(QuickstartOptions options, BrokerProcess broker, Postgres postgres) {
    this.options = options;
    this.broker = broker;
    this.postgres = postgres;
  }

  /** Starts what the user has not named; returns when it answers. */
  static Servers start(
      QuickstartOptions options,
      RunDirectory directory,
      Distribution distribution,
      Progress progress) {
    BrokerProcess broker = null;
    if (options.bootstrapServers().isPresent()) {
      progress.say("No broker is started: using %s", options.bootstrapServers().get());
    } else {
      progress.say("Starting a Kafka broker");
      broker = BrokerProcess.start(directory, distribution, BrokerSettings.usual());
      progress.say("Broker %s, process %d", broker.bootstrapServers(), broker.pid());
    }
    try {
      return new Servers(options, broker, postgres(options, directory, progress));
    } catch (RuntimeException e) {
      if (broker != null) {
        broker.close();
      }
      throw e;
    }
  }

  private static Postgres postgres(
      QuickstartOptions options, RunDirectory directory, Progress progress) {
    if (options.postgres().isPresent()) {
      progress.say("No PostgreSQL is started: using %s", options.postgres().get());
      return null;
    }
    progress.say("Starting PostgreSQL");
    Postgres postgres = Postgres.startProcess(directory, PostgresSettings.usual());
    progress.say("PostgreSQL %s, process %d", postgres.url(), postgres.process().pid());
    return postgres;
  }

  String bootstrapServers() {
    return broker == null ? options.bootstrapServers().orElseThrow() : broker.bootstrapServers();
  }

  PostgresAddress postgres() {
    return postgres == null ? options.postgres().orElseThrow() : PostgresAddress.of(postgres);
  }

  @Override
  public void close() {
    try (broker;
        postgres) {
      // Ends both, the second one even if the first does not.
    }
  }
}
