// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

/** What a scenario's sink writes to, and how. */
enum TargetKind {
  /** A broker on which epochs change with InitProducerId only; EndTxn version 4. */
  TV1,
  /** A broker with KIP-890: it raises the epoch at every end of a transaction; EndTxn version 5. */
  TV2,
  /** PostgreSQL with the sink's default options: few rows travel in the checkpoint. */
  PG_INLINE,
  /** PostgreSQL with every row in a staging table before the barrier. */
  PG_STAGED,
  /** Like {@link #PG_INLINE}, through a PgBouncer that pools transactions. */
  PG_POOLED_INLINE,
  /** Like {@link #PG_STAGED}, through a PgBouncer that pools transactions. */
  PG_POOLED_STAGED,
  /** {@link #TV2} and {@link #PG_STAGED}, with an INSERT for each in one job. */
  BOTH;

  boolean isKafka() {
    return this == TV1 || this == TV2;
  }

  /** Whether every row is in a staging table before the barrier. */
  boolean isStaged() {
    return this == PG_STAGED || this == PG_POOLED_STAGED;
  }

  boolean isPooled() {
    return this == PG_POOLED_INLINE || this == PG_POOLED_STAGED;
  }

  /** The level of {@code transaction.version} of the broker. */
  int transactionVersion() {
    return switch (this) {
      case TV1 -> 1;
      case TV2 -> 2;
      default -> throw new IllegalStateException(this + " is no broker");
    };
  }

  /** Whether rows are in the target before their commit, and stay there when their writer dies. */
  boolean holdsOpenRows() {
    return isKafka() || isStaged() || this == BOTH;
  }
}
