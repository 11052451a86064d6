// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

/** Decodes values of one column from COPY's binary format: what the type's send function writes. */
@FunctionalInterface
interface ValueDecoder {

  /** The value in Flink's internal form; it may go on using {@code bytes}. */
  Object decode(byte[] bytes, int at, int length) throws UnfitValueException;
}
