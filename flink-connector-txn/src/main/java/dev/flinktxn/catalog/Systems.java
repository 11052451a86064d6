// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.jdbc.JdbcHousekeeping;
import dev.flinktxn.jdbc.JdbcRemains;
import dev.flinktxn.kafka.KafkaRemains;
import dev.flinktxn.kafka.TxnKafkaTableFactory;
import dev.flinktxn.protocol.Remains;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.util.TemporaryClassLoaderContext;

/**
 * The systems that the procedures of a catalog look into: its own database, and the Kafka brokers
 * that its Kafka tables have by default, or a call names.
 *
 * @param catalogOptions may hold secrets
 */
record Systems(Map<String, String> catalogOptions) {

  /** Beginning of the options that the catalog's Kafka tables have by default. */
  private static final String KAFKA = TxnKafkaTableFactory.IDENTIFIER + ".";

  private static final String BOOTSTRAP_SERVERS = "properties.bootstrap.servers";

  /** Why nothing is said about Kafka. */
  static final String NO_BROKERS =
      "no brokers are known: set option '"
          + KAFKA
          + BOOTSTRAP_SERVERS
          + "' of the catalog, or pass bootstrap_servers";

  /** What is done with one system. */
  interface Visit {
    void to(Remains remains) throws IOException, InterruptedException;
  }

  private interface Opening {
    Optional<Remains> open() throws IOException;
  }

  /** Takes the reason why a system could not be visited to the end. */
  interface Trouble {
    void with(String system, String reason);
  }

  /**
   * One call's systems.
   *
   * @param words what stands for the table in messages
   * @param bootstrapServers of the call; null for the catalog's
   */
  record Call(Systems systems, String words, String bootstrapServers) {

    /** Visits each system; trouble with one does not keep from the other. */
    void visit(Visit visit, Trouble trouble) throws InterruptedException {
      visit("Kafka", this::kafka, visit, trouble);
      visit("PostgreSQL", () -> Optional.of(postgres(Map.of())), visit, trouble);
    }

    private static void visit(String system, Opening opening, Visit visit, Trouble trouble)
        throws InterruptedException {
      try {
        Optional<Remains> opened = opening.open();
        if (opened.isPresent()) {
          visit(opened.get(), visit);
        } else {
          trouble.with(system, NO_BROKERS);
        }
      } catch (IOException e) {
        trouble.with(system, e.getMessage());
      }
    }

    /** Visits one system, and closes it. */
    static void visit(Remains opened, Visit visit) throws IOException, InterruptedException {
      // A session may have our classes where the caller's thread does not look for a login module.
      try (TemporaryClassLoaderContext ignored = ownClasses();
          Remains remains = opened) {
        visit.to(remains);
      }
    }

    /** Kafka; empty when nobody says where it is. */
    Optional<Remains> kafka() throws IOException {
      Map<String, String> options = new HashMap<>();
      systems.catalogOptions.forEach(
          (key, value) -> {
            if (key.startsWith(KAFKA)) {
              options.put(key.substring(KAFKA.length()), value);
            }
          });
      if (bootstrapServers != null) {
        options.put(BOOTSTRAP_SERVERS, bootstrapServers);
      }
      if (!options.containsKey(BOOTSTRAP_SERVERS)) {
        return Optional.empty();
      }
      try (TemporaryClassLoaderContext ignored = ownClasses()) {
        return Optional.of(new KafkaRemains(options, words));
      }
    }

    /** The catalog's database, with options of this call in place of the catalog's. */
    Remains postgres(Map<String, String> instead) {
      return new JdbcRemains(systems.postgres(instead), words);
    }

    private static TemporaryClassLoaderContext ownClasses() {
      return TemporaryClassLoaderContext.of(Systems.class.getClassLoader());
    }
  }

  /** A call about one prefix. */
  Call call(String prefix, String bootstrapServers) {
    return new Call(this, "of prefix '" + prefix + "'", bootstrapServers);
  }

  /** The catalog's database, as a place that wants to be kept tidy. */
  JdbcHousekeeping housekeeping() {
    return new JdbcHousekeeping(postgres(Map.of()), "of the catalog");
  }

  private Map<String, String> postgres(Map<String, String> instead) {
    Map<String, String> options = new HashMap<>(catalogOptions);
    options.putAll(instead);
    return options;
  }

  /** Without the options, which may hold secrets. */
  @Override
  public String toString() {
    return "Systems";
  }
}
