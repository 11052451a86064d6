// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.protocol.CommitterStore;
import dev.flinktxn.protocol.ExternalSystem;
import dev.flinktxn.protocol.RowTarget;
import dev.flinktxn.protocol.WriterStore;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** A table in PostgreSQL. Nothing can be written yet. */
final class JdbcSystem implements ExternalSystem {

  private static final long serialVersionUID = 1L;

  private final JdbcTarget target;

  JdbcSystem(JdbcTarget target) {
    this.target = target;
  }

  @Override
  public WriterStore openWriterStore(WriterInitContext context) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CommitterStore openCommitterStore(CommitterInitContext context) {
    throw new UnsupportedOperationException();
  }

  @Override
  public RowTarget openRowTarget(WriterInitContext context) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String describe() {
    return target.describe();
  }
}
