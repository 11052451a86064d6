// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/** Formats of COPY (PostgreSQL, reference of COPY, "File Formats"). */
enum CopyFormat {
  /** Used where every column has an encoder for it. */
  BINARY,
  TEXT
}
