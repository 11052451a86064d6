// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The rows of one transaction and all that a stranger needs to move them into the target: the
 * handle of its committable.
 *
 * @param id drawn anew for each unit; the ledger's key
 * @param kind where the rows are
 * @param mintedAt when the id was drawn, in microseconds of the database's clock, not later than
 *     that: a ledger pruned before this moment never held a row of this unit
 * @param rowCount how many rows there are
 * @param deletes whether some of them delete
 * @param format how they are encoded
 * @param copyable whether COPY can write to the table
 * @param schema the schema of ledger and staging table
 * @param targetSchema the schema of the table they go to
 * @param targetTable that table
 * @param columns its columns that are written
 * @param key its key, for upserts; empty for appended rows
 * @param predecessors units of the same writer that were not seen committed when this one was
 *     prepared, for upserts: a later value must not be overwritten by an earlier one
 * @param rows the encoded rows of an inline unit
 */
record Unit(
    UUID id,
    Kind kind,
    long mintedAt,
    long rowCount,
    boolean deletes,
    CopyFormat format,
    boolean copyable,
    String schema,
    String targetSchema,
    String targetTable,
    List<String> columns,
    List<String> key,
    List<Predecessor> predecessors,
    Rows rows) {

  /** The column of a staging table that holds a row's order. */
  static final String ORDER = "~order";

  /** The column of a staging table that holds a row's operation. */
  static final String OPERATION = "~operation";

  private static final byte VERSION = 1;

  /** Version, id and the numbers, without any name. */
  private static final int LEAST_LENGTH = 1 + 2 * Long.BYTES + 1 + 2 * Long.BYTES + 3;

  /** Where the rows of a unit are. */
  enum Kind {
    /** In the unit itself. */
    INLINE,
    /** In a staging table. */
    STAGED,
    /** In the target, in a prepared transaction. */
    PREPARED
  }

  /**
   * A unit that comes first.
   *
   * @param id its id
   * @param mintedAt when its id was drawn
   * @param staged whether it has a staging table, without which it cannot be committed any more
   */
  record Predecessor(UUID id, long mintedAt, boolean staged) {}

  /** A part of an array. */
  record Rows(byte[] bytes, int offset, int length) {
    static final Rows NONE = new Rows(new byte[0], 0, 0);
  }

  boolean keyed() {
    return !key.isEmpty();
  }

  String quotedTarget() {
    return SqlNames.quoted(targetSchema, targetTable);
  }

  /** The columns of the encoded rows. */
  List<String> encodedColumns() {
    if (!keyed()) {
      return columns;
    }
    List<String> all = new ArrayList<>(columns);
    all.add(ORDER);
    all.add(OPERATION);
    return all;
  }

  /** The staging table of a unit; it has no prefix in it, because names are cut at 63 bytes. */
  String stagingTable() {
    return stagingTable(id);
  }

  static String stagingTable(UUID id) {
    return "staged_" + id.toString().replace('-', '_');
  }

  /** The id that such a name was made of. */
  static UUID idOfStagingTable(String table) {
    return UUID.fromString(table.substring(table.indexOf('_') + 1).replace('_', '-'));
  }

  byte[] encode() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256 + rows.length());
    out.writeByte(VERSION);
    writeId(out, id);
    out.writeByte(kind.ordinal());
    out.writeLong(mintedAt);
    out.writeLong(rowCount);
    out.writeBoolean(deletes);
    out.writeByte(format.ordinal());
    out.writeBoolean(copyable);
    out.writeUTF(schema);
    out.writeUTF(targetSchema);
    out.writeUTF(targetTable);
    writeNames(out, columns);
    writeNames(out, key);
    out.writeInt(predecessors.size());
    for (Predecessor predecessor : predecessors) {
      writeId(out, predecessor.id());
      out.writeLong(predecessor.mintedAt());
      out.writeBoolean(predecessor.staged());
    }
    out.writeInt(rows.length());
    out.write(rows.bytes(), rows.offset(), rows.length());
    return out.getCopyOfBuffer();
  }

  /** Whether a handle, of this sink or another, is one of a unit: no other is this long. */
  static boolean isOne(byte[] handle) {
    return handle.length > LEAST_LENGTH;
  }

  static Unit decode(byte[] bytes) throws IOException {
    if (bytes.length == 0 || bytes[0] != VERSION) {
      throw new IOException(
          "This checkpoint holds rows for PostgreSQL in encoding "
              + (bytes.length == 0 ? "<none>" : bytes[0])
              + ", this jar reads encoding "
              + VERSION
              + ": restore it with the newer jar");
    }
    DataInputDeserializer in = new DataInputDeserializer(bytes, 1, bytes.length - 1);
    UUID id = readId(in);
    Kind kind = Kind.values()[in.readByte()];
    long mintedAt = in.readLong();
    long rowCount = in.readLong();
    boolean deletes = in.readBoolean();
    CopyFormat format = CopyFormat.values()[in.readByte()];
    boolean copyable = in.readBoolean();
    String schema = in.readUTF();
    String targetSchema = in.readUTF();
    String targetTable = in.readUTF();
    List<String> columns = readNames(in);
    List<String> key = readNames(in);
    List<Predecessor> predecessors = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      predecessors.add(new Predecessor(readId(in), in.readLong(), in.readBoolean()));
    }
    int length = in.readInt();
    if (length != in.available()) {
      throw new IOException(
          "A unit of rows in a checkpoint has "
              + in.available()
              + " bytes instead of "
              + length
              + ": the checkpoint is damaged");
    }
    return new Unit(
        id,
        kind,
        mintedAt,
        rowCount,
        deletes,
        format,
        copyable,
        schema,
        targetSchema,
        targetTable,
        columns,
        key,
        predecessors,
        new Rows(bytes, bytes.length - length, length));
  }

  private static void writeId(DataOutputSerializer out, UUID id) throws IOException {
    out.writeLong(id.getMostSignificantBits());
    out.writeLong(id.getLeastSignificantBits());
  }

  private static UUID readId(DataInputDeserializer in) throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }

  private static void writeNames(DataOutputSerializer out, List<String> names) throws IOException {
    out.writeInt(names.size());
    for (String name : names) {
      out.writeUTF(name);
    }
  }

  private static List<String> readNames(DataInputDeserializer in) throws IOException {
    List<String> names = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      names.add(in.readUTF());
    }
    return names;
  }
}
