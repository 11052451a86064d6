// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.io.IOException;
import org.apache.flink.table.data.RowData;

/** Where rows go. Used by one task thread only. */
public interface RowTarget extends AutoCloseable {

  /**
   * Takes one row. The row may be reused by the caller after the call returns.
   *
   * @throws IOException if this or an earlier row cannot be written
   */
  void write(RowData row) throws IOException, InterruptedException;

  /**
   * Returns once every row taken so far is durable in the external system.
   *
   * @throws IOException if one of them cannot be
   */
  void flush() throws IOException, InterruptedException;

  /** Lets go of everything held; idempotent, bounded in time. */
  @Override
  void close() throws IOException;
}
