// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/** How rows and fields are told apart in one format of COPY. */
interface TupleFormat {

  void beginRow(int fields, CopyBuffer out);

  void putNull(int field, CopyBuffer out);

  /** Begins a field; answers what {@link #endField} wants to know. */
  int beginField(int field, CopyBuffer out);

  void endField(int start, CopyBuffer out);

  /** The two fields that follow a row of a table with a key. */
  void putChange(long order, short operation, CopyBuffer out);

  void endRow(CopyBuffer out);

  /**
   * Reads some fields of a row for a message.
   *
   * @param encoded rows, {@code length} bytes from {@code offset} on
   * @param number which row, counted from 1
   * @param fields which fields
   * @return their values in words; null if there is no such row
   */
  String[] read(byte[] encoded, int offset, int length, long number, int[] fields);
}
