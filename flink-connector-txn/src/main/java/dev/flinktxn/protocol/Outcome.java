// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/**
 * What became of one try to commit a prepared transaction.
 *
 * @param kind what the committer has to do now
 * @param evidence what the external system said that proves it, for messages; no secrets
 */
public record Outcome(Kind kind, String evidence) {

  /** The five ends of a try to commit. */
  public enum Kind {
    /** This try committed the transaction. */
    COMMITTED,
    /** An earlier try had committed it; normal after every restore. */
    ALREADY_COMMITTED,
    /** Nothing is decided and nothing is lost: try again, on a clean connection. */
    RETRY,
    /** Proven: the transaction was aborted, its rows are gone. */
    LOST,
    /** The external system no longer holds evidence either way. */
    UNKNOWN
  }
}
