// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import org.apache.flink.api.connector.sink2.Committer;

/** What Flink's committer operator hands to a committer for one committable. */
final class Request implements Committer.CommitRequest<Committable> {

  private final Committable committable;
  private boolean done;

  /** Whether it was handed over for a checkpoint that was aborted since. */
  boolean checkpointAborted;

  Request(Committable committable) {
    this.committable = committable;
  }

  boolean done() {
    return done;
  }

  void committedIfNoError() {
    done = true;
  }

  @Override
  public Committable getCommittable() {
    return committable;
  }

  @Override
  public int getNumberOfRetries() {
    return 0;
  }

  @Override
  public void signalFailedWithKnownReason(Throwable t) {
    throw new Violation("Drops a committable silently: " + committable);
  }

  @Override
  public void signalFailedWithUnknownReason(Throwable t) {
    throw new Violation("Fails without saying why: " + committable);
  }

  @Override
  public void retryLater() {
    throw new Violation("Repeats at once and gives up soon: " + committable);
  }

  @Override
  public void updateAndRetryLater(Committable changed) {
    retryLater();
  }

  @Override
  public void signalAlreadyCommitted() {
    done = true;
  }
}
