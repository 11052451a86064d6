// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

/** Values of {@code sink.idempotent-upsert}. */
public enum IdempotentUpsert {
  /** Exactly-once means transactions, or a refusal. */
  NEVER("never"),
  /** Transactions where the target allows them, idempotent upserts elsewhere. */
  FALLBACK("fallback"),
  /** Idempotent upserts, no transactions. */
  ALWAYS("always");

  private final String value;

  IdempotentUpsert(String value) {
    this.value = value;
  }

  @Override
  public String toString() {
    return value;
  }
}
