// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import static dev.flinktxn.kafka.PeerTable.appended;
import static dev.flinktxn.kafka.PeerTable.upserted;

import dev.flinktxn.fixture.SqlPlanner;
import java.util.stream.Stream;

/**
 * The tables whose records are compared. They are filled from the streams {@code orders} and {@code
 * changes} of {@link PeerRows}; a NULL there becomes a NULL of every type here.
 */
final class PeerTables {

  private static final String ALL_TYPES =
      "id BIGINT, tiny TINYINT, small SMALLINT, single FLOAT, twice DOUBLE, flag BOOLEAN,"
          + " price DECIMAL(10, 3), wide DECIMAL(38, 18), five CHAR(5), short VARCHAR(4), name STRING,"
          + " `day` DATE, clock TIME(0), ts0 TIMESTAMP(0), ts3 TIMESTAMP(3), ts6 TIMESTAMP(6),"
          + " ts9 TIMESTAMP(9), ltz0 TIMESTAMP_LTZ(0), ltz3 TIMESTAMP_LTZ(3), ltz9 TIMESTAMP_LTZ(9),"
          + " octets BYTES, two BINARY(2), list ARRAY<STRING>, grid ARRAY<ARRAY<INT>>,"
          + " map MAP<STRING, INT>,"
          + " nested ROW<x INT, y ROW<z STRING, w ARRAY<INT>>>, rows_ ARRAY<ROW<x INT, z STRING>>,"
          + " deep MAP<STRING, ROW<x INT, z STRING>>";

  private static final String MOMENT =
      "CAST('2024-02-29 12:34:56.123456' || LPAD(CAST(ABS(qty) AS STRING), 3, '0') AS TIMESTAMP(9))";

  private static final String OF_ALL_TYPES =
      ("SELECT id, CAST(qty AS TINYINT), CAST(qty AS SMALLINT), CAST(qty AS FLOAT) / 3,"
              + " CAST(qty AS DOUBLE) / 3, qty > 0, CAST(qty AS DECIMAL(10, 3)) / 8,"
              + " CAST(CAST(qty AS DECIMAL(10, 0)) / 7 AS DECIMAL(38, 18)), CAST(name AS CHAR(5)),"
              + " CAST(name AS VARCHAR(4)), name, CAST({moment} AS DATE), CAST({moment} AS TIME(0)),"
              + " CAST({moment} AS TIMESTAMP(0)), CAST({moment} AS TIMESTAMP(3)),"
              + " CAST({moment} AS TIMESTAMP(6)), {moment}, CAST({moment} AS TIMESTAMP_LTZ(0)),"
              + " CAST({moment} AS TIMESTAMP_LTZ(3)), CAST({moment} AS TIMESTAMP_LTZ(9)),"
              + " ENCODE(name, 'UTF-8'), CAST(ENCODE(name, 'UTF-8') AS BINARY(2)),"
              + " CASE WHEN qty > -9 THEN ARRAY[name, CAST(NULL AS STRING), ''] END,"
              + " ARRAY[ARRAY[qty, 1], CAST(NULL AS ARRAY<INT>)], MAP['a', qty, 'b', 2],"
              + " ROW(qty, ROW(name, ARRAY[qty, 7])), ARRAY[ROW(qty, name), ROW(1, 'one')],"
              + " MAP['k', ROW(qty, name)] FROM orders")
          .replace("{moment}", MOMENT);

  private static final String METADATA =
      "id BIGINT, `to` STRING NOT NULL METADATA FROM 'topic', name STRING,"
          + " h MAP<STRING, BYTES> METADATA FROM 'headers', qty INT,"
          + " ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp'";

  /**
   * Without a NULL as a value: the peer leaves out the header (FLINK-39792), and it is kept here.
   */
  private static final String HEADERS =
      "CASE id WHEN 2 THEN CAST(NULL AS MAP<STRING, BYTES>)"
          + " ELSE MAP['z', ENCODE(COALESCE(name, ''), 'UTF-8'), 'a', X'00ff',"
          + " '', X'', CAST(NULL AS STRING), X'01'] END";

  private static final String TIMESTAMP = "TO_TIMESTAMP_LTZ(1700000000123 + qty, 3)";

  private static final String TOPIC = "IF(qty > 0, '{topic}', '{topic}.more')";

  private static final String COUNTS =
      "SELECT name, COUNT(*) AS n, MAX(qty) AS most FROM orders GROUP BY name";

  private static final String COUNTS_COLUMNS = "name STRING, n BIGINT, most INT";

  private PeerTables() {}

  /** Into one partition, so that the order shows. */
  static Stream<PeerTable> formats() {
    return Stream.of(
            appended("json").options("format", "json"),
            appended("json of all types")
                .columns(ALL_TYPES)
                .query(OF_ALL_TYPES)
                .options("format", "json"),
            appended("json in another notation")
                .columns(ALL_TYPES)
                .query(OF_ALL_TYPES)
                .options("value.format", "json", "value.json.encode.ignore-null-fields", "true")
                .options("value.json.encode.decimal-as-plain-number", "true")
                .options("value.json.timestamp-format.standard", "ISO-8601"),
            appended("csv")
                .options("format", "csv", "csv.field-delimiter", "|")
                .options("csv.null-literal", "none"),
            appended("csv of structures")
                .columns(
                    "id BIGINT, price DECIMAL(10, 3), octets BYTES, a ARRAY<INT>, r ROW<x INT, y STRING>")
                .query(
                    "SELECT id, CAST(qty AS DECIMAL(10, 3)) / 8, ENCODE(name, 'UTF-8'),"
                        + " ARRAY[qty, 1], ROW(qty, name) FROM orders WHERE qty IS NOT NULL")
                .options("format", "csv"),
            appended("avro")
                .columns(
                    "id BIGINT, flag BOOLEAN, price DECIMAL(10, 3), name STRING, `day` DATE,"
                        + " ts TIMESTAMP(3), octets BYTES, list ARRAY<STRING>, map MAP<STRING, INT>,"
                        + " nested ROW<x INT, y ROW<z STRING>>")
                .query(
                    "SELECT id, qty > 0, CAST(qty AS DECIMAL(10, 3)) / 8, name,"
                        + " CAST({moment} AS DATE), CAST({moment} AS TIMESTAMP(3)),"
                            .replace("{moment}", MOMENT)
                        + " ENCODE(name, 'UTF-8'), ARRAY[name, 'x'], MAP['k', qty],"
                        + " ROW(qty, ROW(name)) FROM orders")
                .options("format", "avro"),
            appended("raw text, NULL and empty")
                .columns("name STRING")
                .query("SELECT name FROM orders")
                .options("format", "raw"),
            appended("raw bytes")
                .columns("name BYTES")
                .query("SELECT ENCODE(name, 'UTF-16') FROM orders")
                .options("value.format", "raw"),
            appended("raw numbers")
                .columns("id BIGINT")
                .query("SELECT id FROM orders")
                .options("format", "raw", "raw.endianness", "little-endian"))
        .map(table -> table.options("sink.partitioner", "fixed"));
  }

  static Stream<PeerTable> keys() {
    return Stream.of(
        appended("key of one field")
            .options("key.format", "json", "key.fields", "id", "value.format", "json"),
        appended("key in another order than the table's")
            .options("key.format", "json", "key.fields", "qty;id", "value.format", "json"),
        // Kafka chooses the partition of a record without a key.
        appended("key that is NULL or empty")
            .options("key.format", "raw", "key.fields", "name", "value.format", "json")
            .options("sink.partitioner", "fixed"),
        appended("key of another format than the value")
            .options("key.format", "csv", "key.fields", "name;id", "value.format", "avro"),
        appended("key in avro")
            .options("key.format", "avro", "key.fields", "name;id", "format", "csv"),
        appended("value without the key")
            .options("key.format", "json", "key.fields", "name", "format", "json")
            .options("value.fields-include", "EXCEPT_KEY"),
        appended("value without anything")
            .options("key.format", "json", "key.fields", "qty;name;id", "format", "json")
            .options("value.fields-include", "EXCEPT_KEY"),
        appended("EXCEPT_KEY without a key")
            .options("format", "json", "value.fields-include", "EXCEPT_KEY")
            .options("sink.partitioner", "fixed"),
        appended("prefix of the key's fields")
            .columns("k_id BIGINT, k_name STRING, qty INT")
            .options("key.format", "json", "key.fields", "k_name;k_id", "format", "json")
            .options("key.fields-prefix", "k_", "value.fields-include", "EXCEPT_KEY"),
        appended("key and value in two notations of json")
            .columns(ALL_TYPES)
            .query(OF_ALL_TYPES)
            .options("key.format", "json", "key.fields", "ts9;ltz9;nested;price;octets")
            .options("key.json.timestamp-format.standard", "ISO-8601")
            .options("value.format", "json", "value.json.encode.ignore-null-fields", "true"));
  }

  static Stream<PeerTable> metadata() {
    return Stream.of(
        appended("headers")
            .columns("id BIGINT, headers MAP<STRING, BYTES> METADATA")
            .query("SELECT id, " + HEADERS + " FROM orders")
            .options("format", "json", "sink.partitioner", "fixed"),
        appended("no headers")
            .columns("id BIGINT, headers MAP<STRING, BYTES> METADATA")
            .query("SELECT id, CAST(NULL AS MAP<STRING, BYTES>) FROM orders")
            .options("format", "json", "sink.partitioner", "fixed"),
        appended("timestamp")
            .columns("id BIGINT, `timestamp` TIMESTAMP_LTZ(3) METADATA")
            .query(
                "SELECT id, CASE id WHEN 4 THEN TO_TIMESTAMP_LTZ(0, 3) ELSE "
                    + TIMESTAMP
                    + " END FROM orders")
            .options("format", "json", "sink.partitioner", "fixed"),
        appended("timestamp without a zone, of more digits")
            .columns("id BIGINT, ts TIMESTAMP(9) METADATA FROM 'timestamp'")
            .query("SELECT id, " + MOMENT + " FROM orders")
            .options("format", "json", "sink.partitioner", "fixed"),
        appended("topics of a list")
            .columns(METADATA)
            .query(
                "SELECT id, "
                    + TOPIC
                    + ", name, "
                    + HEADERS
                    + ", qty, "
                    + TIMESTAMP
                    + " FROM orders")
            .options(
                "topic", "{topic};{topic}.more", "format", "json", "sink.partitioner", "fixed"),
        appended("topics of a pattern, with keys")
            .columns(METADATA + ", o BIGINT METADATA FROM 'offset' VIRTUAL, twice AS qty * 2")
            .query(
                "SELECT id, "
                    + TOPIC
                    + ", name, "
                    + HEADERS
                    + ", qty, "
                    + TIMESTAMP
                    + " FROM orders")
            .options("topic", null, "topic-pattern", "{topic}.*", "value.format", "json")
            .options("key.format", "json", "key.fields", "qty;id")
            .options("value.fields-include", "EXCEPT_KEY"));
  }

  static Stream<PeerTable> changelogs() {
    Stream<PeerTable> keyless =
        Stream.of("debezium-json", "canal-json", "maxwell-json", "ogg-json")
            .map(format -> appended(format).options("format", format, "sink.partitioner", "fixed"));
    Stream<PeerTable> keyed =
        Stream.of("debezium-json", "canal-json", "maxwell-json", "ogg-json")
            .map(
                format ->
                    appended(format + " with a key")
                        .options("value.format", format, "key.format", "json")
                        .options("key.fields", "name"));
    Stream<PeerTable> others =
        Stream.of(
            // The key has to be named: a changelog format writes changes, it does not upsert.
            appended("debezium-json with a PRIMARY KEY")
                .columns("name STRING, n BIGINT, most INT, PRIMARY KEY (name) NOT ENFORCED")
                .query(COUNTS + " HAVING name IS NOT NULL")
                .options("value.format", "debezium-json", "key.format", "json")
                .options("key.fields", "name"),
            appended("debezium-json with a PRIMARY KEY and records without one")
                .columns("name STRING, n BIGINT, most INT, PRIMARY KEY (name) NOT ENFORCED")
                .query(COUNTS + " HAVING name IS NOT NULL")
                .options("format", "debezium-json", "sink.partitioner", "fixed"),
            appended("canal-json with metadata, the value without the key")
                .columns(
                    COUNTS_COLUMNS
                        + ", headers MAP<STRING, BYTES> METADATA,"
                        + " `timestamp` TIMESTAMP_LTZ(3) METADATA")
                .query(
                    "SELECT name, n, most, MAP['h', ENCODE(COALESCE(name, ''), 'UTF-8')],"
                        + " TO_TIMESTAMP_LTZ(1700000000123 + n, 3) FROM ("
                        + COUNTS
                        + ")")
                .options("value.format", "canal-json", "key.format", "csv", "key.fields", "most")
                .options("value.fields-include", "EXCEPT_KEY"));
    return Stream.of(
            Stream.concat(keyless, keyed).map(table -> table.columns(COUNTS_COLUMNS).query(COUNTS)),
            others)
        .flatMap(tables -> tables);
  }

  static Stream<PeerTable> guarantees() {
    return Stream.of("exactly-once", "at-least-once", "none")
        .flatMap(
            guarantee ->
                Stream.of(
                    appended(guarantee + " there and here")
                        .options("format", "json", "sink.partitioner", "fixed")
                        .guarantee(guarantee),
                    upserted(guarantee + " there and here").guarantee(guarantee),
                    buffered(guarantee + " there and here, buffered", 100).guarantee(guarantee)));
  }

  /** Where records go that have no key, or a partitioner, in one subtask. */
  static Stream<PeerTable> partitioners() {
    return Stream.of(
        // Kafka fills a batch for one partition, then takes another by chance.
        appended("default without a key")
            .options("format", "json", "sink.partitioner", "default")
            .sameIn(PeerView.RECORDS),
        // The peer leaves round-robin to Kafka, as if it were default; here it is a rotation.
        appended("round-robin")
            .options("format", "json", "sink.partitioner", "round-robin")
            .sameIn(PeerView.RECORDS),
        appended("fixed").options("format", "json", "sink.partitioner", "fixed"),
        appended("default with a key")
            .options("key.format", "json", "key.fields", "id", "value.format", "json")
            .options("sink.partitioner", "default"));
  }

  /** In two subtasks. */
  static Stream<PeerTable> subtasks() {
    Stream<PeerTable> appended =
        Stream.of(
                appended("default without a key, two subtasks")
                    .options("format", "json")
                    .sameIn(PeerView.RECORDS),
                appended("round-robin, two subtasks")
                    .options("format", "json", "sink.partitioner", "round-robin")
                    .sameIn(PeerView.RECORDS),
                appended("fixed, two subtasks")
                    .options("format", "json", "sink.partitioner", "fixed"),
                appended("fixed with a key, two subtasks")
                    .options("key.format", "json", "key.fields", "name", "value.format", "json")
                    .options("sink.partitioner", "fixed"),
                appended("default with a key, two subtasks")
                    .options("key.format", "json", "key.fields", "id", "value.format", "json")
                    .sameIn(PeerView.KEYS))
            .map(table -> table.query("SELECT id, name, qty FROM spread"));
    Stream<PeerTable> others =
        Stream.of(
            appended("fixed, more subtasks than partitions")
                .columns("id BIGINT, `topic` STRING NOT NULL METADATA")
                .query("SELECT id, '{topic}.more' FROM spread")
                .options("topic", "{topic};{topic}.more", "format", "json")
                .options("sink.partitioner", "fixed")
                .sameIn(PeerView.RECORDS),
            upserted("two subtasks").sameIn(PeerView.KEYS),
            upserted("one subtask after two")
                .options("sink.parallelism", "1")
                .sameIn(PeerView.KEYS),
            buffered("buffered, two subtasks", 2));
    return Stream.concat(appended, others);
  }

  static Stream<PeerTable> upserts() {
    return Stream.of(
        upserted("key of two columns"),
        upserted("key of two columns in another order than the table's")
            .columns(
                "region STRING, acct INT, note STRING, amt INT,"
                    + " PRIMARY KEY (acct, region) NOT ENFORCED"),
        upserted("value without the key").options("value.fields-include", "EXCEPT_KEY"),
        upserted("prefix of the key's columns")
            .columns(
                "k_region STRING, k_acct INT, note STRING, amt INT,"
                    + " PRIMARY KEY (k_acct, k_region) NOT ENFORCED")
            .options("value.fields-include", "EXCEPT_KEY", "key.fields-prefix", "k_"),
        upserted("csv and avro").options("key.format", "csv", "value.format", "avro"),
        upserted("avro and csv").options("key.format", "avro", "value.format", "csv"),
        upserted("raw, where a NULL looks like a tombstone")
            .columns("name STRING PRIMARY KEY NOT ENFORCED, note STRING")
            .query(
                "SELECT region || CAST(acct AS STRING), MAX(note) FROM changes"
                    + " GROUP BY region || CAST(acct AS STRING)")
            .options("key.format", "raw", "value.format", "raw")
            .options("value.fields-include", "EXCEPT_KEY"),
        upserted("nothing but the key")
            .columns("region STRING, acct INT, PRIMARY KEY (region, acct) NOT ENFORCED")
            .query("SELECT region, acct FROM changes")
            .options("value.fields-include", "EXCEPT_KEY"),
        upserted("rows that are only inserted")
            .columns("id BIGINT PRIMARY KEY NOT ENFORCED, name STRING, qty INT")
            .query(SqlPlanner.byKey("SELECT id, name, qty FROM orders")),
        upserted("all types")
            .columns(ALL_TYPES + ", PRIMARY KEY (id) NOT ENFORCED")
            .query(SqlPlanner.byKey(OF_ALL_TYPES)),
        upserted("counts")
            .columns("name STRING PRIMARY KEY NOT ENFORCED, n BIGINT, most INT")
            .query(COUNTS + " HAVING name IS NOT NULL"),
        upserted("counts of counts, which are deleted")
            .columns("n BIGINT PRIMARY KEY NOT ENFORCED, names BIGINT")
            .query("SELECT n, COUNT(*) FROM (" + COUNTS + ") GROUP BY n"),
        upserted("changes with what was before").query("SELECT * FROM retractions"),
        upserted("headers and timestamp, of tombstones too")
            .columns(
                "region STRING, note STRING, headers MAP<STRING, BYTES> METADATA, acct INT,"
                    + " `timestamp` TIMESTAMP_LTZ(3) METADATA,"
                    + " PRIMARY KEY (region, acct) NOT ENFORCED")
            .query(
                "SELECT region, note, MAP['n', ENCODE(COALESCE(note, ''), 'UTF-8')], acct,"
                    + " TO_TIMESTAMP_LTZ(1700000000123 + amt, 3) FROM changes"),
        upserted("topics of a list")
            .columns(
                "region STRING, acct INT, `topic` STRING NOT NULL METADATA,"
                    + " PRIMARY KEY (region, acct) NOT ENFORCED")
            .query("SELECT region, acct, IF(acct > 1, '{topic}', '{topic}.more') FROM changes")
            .options("topic", "{topic};{topic}.more"),
        buffered("buffered, a few rows at a time", 3));
  }

  /** When a buffer is sent depends on time, and so does which records of a key are left out. */
  private static PeerTable buffered(String name, int rows) {
    return upserted(name)
        .options("sink.buffer-flush.max-rows", String.valueOf(rows))
        .options("sink.buffer-flush.interval", "10 s")
        .sameIn(PeerView.COMPACTED);
  }
}
