// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.core.Oid;

/** Which SQL types go where, and which columns take all that comes. */
class WritableTypesTest {

  private static final Map<String, Integer> OIDS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("int2", Oid.INT2),
              Map.entry("int4", Oid.INT4),
              Map.entry("int8", Oid.INT8),
              Map.entry("float4", Oid.FLOAT4),
              Map.entry("float8", Oid.FLOAT8),
              Map.entry("numeric", Oid.NUMERIC),
              Map.entry("bool", Oid.BOOL),
              Map.entry("text", Oid.TEXT),
              Map.entry("varchar", Oid.VARCHAR),
              Map.entry("bpchar", Oid.BPCHAR),
              Map.entry("json", Oid.JSON),
              Map.entry("jsonb", Oid.JSONB),
              Map.entry("uuid", Oid.UUID),
              Map.entry("bytea", Oid.BYTEA),
              Map.entry("date", Oid.DATE),
              Map.entry("time", Oid.TIME),
              Map.entry("timetz", Oid.TIMETZ),
              Map.entry("timestamp", Oid.TIMESTAMP),
              Map.entry("timestamptz", Oid.TIMESTAMPTZ),
              Map.entry("interval", Oid.INTERVAL),
              Map.entry("inet", Oid.INET)));

  private static final Map<DataType, String> SOMEWHERE =
      Map.ofEntries(
          Map.entry(DataTypes.TINYINT(), "int2 int4 int8 numeric"),
          Map.entry(DataTypes.SMALLINT(), "int2 int4 int8 numeric"),
          Map.entry(DataTypes.INT(), "int4 int8 numeric"),
          Map.entry(DataTypes.BIGINT(), "int8 numeric"),
          Map.entry(DataTypes.DECIMAL(4, 0), "int2 int4 int8 numeric"),
          Map.entry(DataTypes.DECIMAL(5, 0), "int4 int8 numeric"),
          Map.entry(DataTypes.DECIMAL(9, 0), "int4 int8 numeric"),
          Map.entry(DataTypes.DECIMAL(10, 0), "int8 numeric"),
          Map.entry(DataTypes.DECIMAL(18, 0), "int8 numeric"),
          Map.entry(DataTypes.DECIMAL(19, 0), "numeric"),
          Map.entry(DataTypes.DECIMAL(4, 1), "numeric"),
          Map.entry(DataTypes.FLOAT(), "float4 float8 numeric"),
          Map.entry(DataTypes.DOUBLE(), "float8 numeric"),
          Map.entry(DataTypes.BOOLEAN(), "bool"),
          Map.entry(DataTypes.BYTES(), "bytea"),
          Map.entry(DataTypes.BINARY(3), "bytea"),
          Map.entry(DataTypes.DATE(), "date"),
          Map.entry(DataTypes.TIME(), "time"),
          Map.entry(DataTypes.TIMESTAMP(9), "timestamp"),
          Map.entry(DataTypes.TIMESTAMP_LTZ(9), "timestamptz"),
          Map.entry(DataTypes.INTERVAL(DataTypes.MONTH()), "interval"),
          Map.entry(DataTypes.INTERVAL(DataTypes.SECOND(3)), "interval"),
          Map.entry(DataTypes.MAP(DataTypes.STRING(), DataTypes.STRING()), ""),
          Map.entry(DataTypes.ROW(DataTypes.INT()), ""),
          Map.entry(DataTypes.MULTISET(DataTypes.INT()), ""));

  private static PgType type(String name) {
    return type(name, -1);
  }

  private static PgType type(String name, int modifier) {
    return new PgType(OIDS.get(name), name, name, PgType.Kind.BASE, modifier, null);
  }

  private static PgType derived(PgType.Kind kind, PgType inner) {
    return new PgType(70_000, "x", "x", kind, -1, inner);
  }

  private static boolean writable(DataType from, PgType to) {
    return RowEncoders.writable(from.getLogicalType(), to);
  }

  private static boolean proven(DataType from, PgType to) {
    return TypeProof.proven(from.getLogicalType(), to);
  }

  @Test
  void eachTypeGoesWhereAllItsValuesFit() {
    SOMEWHERE.forEach(
        (from, expected) -> {
          Set<String> found = new TreeSet<>();
          Set<String> asArray = new TreeSet<>();
          Set<String> asDomain = new TreeSet<>();
          Set<String> asMatrix = new TreeSet<>();
          for (String name : OIDS.keySet()) {
            PgType array = derived(PgType.Kind.ARRAY, type(name));
            if (writable(from, type(name))) {
              found.add(name);
            }
            if (writable(DataTypes.ARRAY(from), array)) {
              asArray.add(name);
            }
            if (writable(from, derived(PgType.Kind.DOMAIN, type(name)))) {
              asDomain.add(name);
            }
            if (writable(DataTypes.ARRAY(DataTypes.ARRAY(from)), array)) {
              asMatrix.add(name);
            }
            assertThat(writable(from, array)).isFalse();
            assertThat(writable(DataTypes.ARRAY(from), type(name))).isFalse();
          }
          assertThat(String.join(" ", found)).as(from.toString()).isEqualTo(sorted(expected));
          assertThat(asArray).isEqualTo(found);
          assertThat(asDomain).isEqualTo(found);
          assertThat(asMatrix).isEqualTo(found);
        });
  }

  private static String sorted(String names) {
    return String.join(" ", new TreeSet<>(List.of(names.split(" "))));
  }

  @Test
  void textGoesEverywhere() {
    for (DataType from : List.of(DataTypes.STRING(), DataTypes.CHAR(3), DataTypes.VARCHAR(9))) {
      for (String name : OIDS.keySet()) {
        assertThat(writable(from, type(name))).as(name).isTrue();
        assertThat(writable(from, derived(PgType.Kind.ARRAY, type(name)))).as(name).isTrue();
      }
      assertThat(writable(from, derived(PgType.Kind.ENUM, null))).isTrue();
      assertThat(writable(from, derived(PgType.Kind.OTHER, null))).isTrue();
    }
    assertThat(writable(DataTypes.INT(), derived(PgType.Kind.ENUM, null))).isFalse();
    assertThat(writable(DataTypes.INT(), derived(PgType.Kind.OTHER, null))).isFalse();
  }

  /** A binary encoder for something that is not writable would never be asked. */
  @Test
  void whatIsBinaryIsWritable() {
    SOMEWHERE
        .keySet()
        .forEach(
            from ->
                OIDS.keySet()
                    .forEach(
                        name ->
                            assertThat(BinaryValues.of(from.getLogicalType(), type(name)) != null)
                                .as("%s to %s", from, name)
                                .isEqualTo(writable(from, type(name)))));
  }

  @ParameterizedTest
  @CsvSource({
    "text, true",
    "varchar, true",
    "bpchar, true",
    "uuid, true",
    "json, false",
    "jsonb, false",
    "int4, false",
    "timestamp, false",
    "inet, false"
  })
  void textIsProvenWhereItsEncoderChecksIt(String name, boolean proven) {
    assertThat(proven(DataTypes.STRING(), type(name))).isEqualTo(proven);
    assertThat(proven(DataTypes.ARRAY(DataTypes.STRING()), derived(PgType.Kind.ARRAY, type(name))))
        .isEqualTo(proven);
  }

  @Test
  void whatOnlyTheServerKnowsIsNotProven() {
    PgType domain = derived(PgType.Kind.DOMAIN, type("int4"));
    assertThat(proven(DataTypes.INT(), type("int4"))).isTrue();
    assertThat(proven(DataTypes.INT(), domain)).isFalse();
    assertThat(proven(DataTypes.ARRAY(DataTypes.INT()), derived(PgType.Kind.ARRAY, domain)))
        .isFalse();
    assertThat(proven(DataTypes.STRING(), derived(PgType.Kind.ENUM, null))).isFalse();
    assertThat(proven(DataTypes.STRING(), derived(PgType.Kind.OTHER, null))).isFalse();
    PgType array = derived(PgType.Kind.ARRAY, type("int4"));
    assertThat(proven(DataTypes.ARRAY(DataTypes.INT()), array)).isTrue();
    assertThat(proven(DataTypes.STRING(), array)).isFalse();
    // Rows of different lengths make no array.
    assertThat(proven(DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.INT())), array)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"10,2,true", "12,2,true", "12,4,true", "10,1,false", "9,2,false", "10,3,false"})
  void decimalsAreProvenWhereTheirDigitsFit(int precision, int scale, boolean proven) {
    PgType numeric = type("numeric", (precision << 16 | scale & 0x7FF) + 4);
    assertThat(proven(DataTypes.DECIMAL(10, 2), numeric)).isEqualTo(proven);
    assertThat(proven(DataTypes.DECIMAL(10, 2), type("numeric"))).isTrue();
  }

  @Test
  void otherNumbersAreProvenWhereTheirDigitsFit() {
    assertThat(proven(DataTypes.BIGINT(), type("numeric", (19 << 16) + 4))).isTrue();
    assertThat(proven(DataTypes.BIGINT(), type("numeric", (18 << 16) + 4))).isFalse();
    assertThat(proven(DataTypes.BIGINT(), type("numeric", (20 << 16 | 2) + 4))).isFalse();
    // numeric(19,-1) of PostgreSQL 15.
    assertThat(proven(DataTypes.TINYINT(), type("numeric", (19 << 16 | 0x7FF) + 4))).isFalse();
    assertThat(proven(DataTypes.DOUBLE(), type("numeric", (38 << 16) + 4))).isFalse();
    assertThat(proven(DataTypes.DOUBLE(), type("numeric"))).isTrue();
  }
}
