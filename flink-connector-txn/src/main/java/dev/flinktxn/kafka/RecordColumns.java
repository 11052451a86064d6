// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.table.OptionReader;
import dev.flinktxn.table.Refusal;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Which physical columns go into the key and which into the value.
 *
 * @param key positions of the key's columns, in the order of {@code key.fields} or the PRIMARY KEY
 * @param value positions of the value's columns, in the order of the table
 * @param keyPrefix what the key's column names lose in the key
 */
record RecordColumns(int[] key, int[] value, String keyPrefix) {

  /**
   * Reads the options of key and value.
   *
   * @param physical the table's row type
   * @param primaryKey the columns that make the key whatever the options say; empty for none
   */
  static RecordColumns read(OptionReader reader, DataType physical, List<String> primaryKey) {
    Refusal refusal = reader.refusal();
    List<String> columns = ((RowType) physical.getLogicalType()).getFieldNames();
    List<String> fields = keyFields(reader, columns, primaryKey);
    String prefix = reader.options().getOptional(KafkaOptions.KEY_FIELDS_PREFIX).orElse("");
    ValueFields include = reader.oneOf(KafkaOptions.VALUE_FIELDS_INCLUDE, ValueFields.class);
    if (include == ValueFields.ALL && !prefix.isEmpty()) {
      throw refusal.value(
          KafkaOptions.KEY_FIELDS_PREFIX.key(),
          prefix,
          "the key's columns are in the value as well",
          "set 'value.fields-include' to 'EXCEPT_KEY'");
    }
    int[] key =
        fields.stream().mapToInt(field -> position(field, columns, prefix, refusal)).toArray();
    int[] value =
        IntStream.range(0, columns.size())
            .filter(
                column ->
                    include == ValueFields.ALL
                        || IntStream.of(key).noneMatch(keyColumn -> keyColumn == column))
            .toArray();
    return new RecordColumns(key, value, prefix);
  }

  private static List<String> keyFields(
      OptionReader reader, List<String> columns, List<String> primaryKey) {
    Refusal refusal = reader.refusal();
    boolean keyed = reader.options().getOptional(KafkaOptions.KEY_FORMAT).isPresent();
    List<String> fields = reader.options().get(KafkaOptions.KEY_FIELDS);
    if (!primaryKey.isEmpty()) {
      if (!keyed) {
        throw refusal.missing(
            KafkaOptions.KEY_FORMAT.key(),
            "the PRIMARY KEY " + primaryKey + " is the key of the records",
            "set it, for example to 'json'");
      }
      if (!fields.isEmpty() && !fields.equals(primaryKey)) {
        throw refusal.value(
            KafkaOptions.KEY_FIELDS.key(),
            String.join(";", fields),
            "the PRIMARY KEY " + primaryKey + " is the key of the records",
            "remove it");
      }
      return primaryKey;
    }
    if (keyed && fields.isEmpty()) {
      throw refusal.missing(
          KafkaOptions.KEY_FIELDS.key(),
          "'key.format' needs to know the key's columns",
          "set it to one or more of " + columns);
    }
    if (!keyed && !fields.isEmpty()) {
      throw refusal.missing(
          KafkaOptions.KEY_FORMAT.key(),
          "'key.fields' is " + fields,
          "set it, for example to 'json', or remove 'key.fields'");
    }
    return fields;
  }

  private static int position(String field, List<String> columns, String prefix, Refusal refusal) {
    int position = columns.indexOf(field);
    if (position < 0) {
      throw refusal.value(
          KafkaOptions.KEY_FIELDS.key(),
          field,
          "the physical columns are " + columns,
          "correct the name");
    }
    if (!field.startsWith(prefix)) {
      throw refusal.value(
          KafkaOptions.KEY_FIELDS.key(),
          field,
          "every column of the key has to begin with 'key.fields-prefix', which is '"
              + prefix
              + "'",
          "rename the column or change the prefix");
    }
    return position;
  }
}
