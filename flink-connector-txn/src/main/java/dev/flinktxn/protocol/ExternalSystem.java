// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * One target in one external system: what an adapter implements. Travels from the planner to the
 * tasks, so it holds configuration only.
 */
public interface ExternalSystem extends Serializable {

  /**
   * Connects a transactional writer and runs the start-up checks.
   *
   * @throws RefusedException if the configuration can never work
   * @throws IOException for passing troubles
   */
  WriterStore openWriterStore(WriterInitContext context) throws IOException, InterruptedException;

  /** Connects a committer. Called in every mode, so it must not connect before it is needed. */
  CommitterStore openCommitterStore(CommitterInitContext context) throws IOException;

  /** Connects a writer that uses no transactions; the same checks and errors. */
  RowTarget openRowTarget(WriterInitContext context) throws IOException, InterruptedException;

  /** The target in words, for messages: {@code Kafka topic 'orders'}. No secrets. */
  String describe();
}
