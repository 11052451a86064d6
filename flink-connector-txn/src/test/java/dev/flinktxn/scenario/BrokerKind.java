// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

/** The two transaction protocols a broker can speak: the level of {@code transaction.version}. */
enum BrokerKind {
  /** Epochs change with InitProducerId only; EndTxn version 4. */
  TV1(1),
  /** KIP-890: the broker raises the epoch at every end of a transaction; EndTxn version 5. */
  TV2(2);

  private final int transactionVersion;

  BrokerKind(int transactionVersion) {
    this.transactionVersion = transactionVersion;
  }

  int transactionVersion() {
    return transactionVersion;
  }
}
