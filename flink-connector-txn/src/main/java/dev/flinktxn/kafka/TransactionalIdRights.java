// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Whether a principal may use the transactional ids of a prefix. Asks to describe one of them, and
 * to end a transaction of it that cannot exist: the brokers check the rights first and find nothing
 * to change.
 */
final class TransactionalIdRights {

  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(3);

  private TransactionalIdRights() {}

  /**
   * Returns if they may be used.
   *
   * @param deadline in the time of {@link System#nanoTime}
   * @throws DeniedException if they may not
   * @throws dev.flinktxn.protocol.RefusedException if the brokers do not know such questions
   * @throws IOException if there is no answer until {@code deadline}
   */
  static void check(CoordinatorClient client, String prefix, long deadline)
      throws IOException, InterruptedException {
    String id = prefix + "~start";
    KafkaHandle nothing = new KafkaHandle(0, (short) 0, false, false, -1);
    CoordinatorClient hurried = client.within(REQUEST_LIMIT);
    while (true) {
      String trouble = hurried.describe(Set.of(id)).get(id).trouble();
      if (trouble == null) {
        trouble =
            hurried.end(List.of(new CoordinatorClient.End(id, nothing, false))).get(0).trouble();
      }
      if (trouble == null) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(trouble);
      }
      BrokerConnections.pause(100);
    }
  }
}
