// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flinktxn.fixture.Postgres;
import java.sql.Connection;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wall clocks and instants arrive as they are, whatever the zones of JVM, session and server. */
class TimeZonesITCase {

  private static final RowType ROWS =
      (RowType)
          DataTypes.ROW(
                  DataTypes.FIELD("id", DataTypes.INT()),
                  DataTypes.FIELD("ts", DataTypes.TIMESTAMP(9)),
                  DataTypes.FIELD("tz", DataTypes.TIMESTAMP_LTZ(9)),
                  DataTypes.FIELD("d", DataTypes.DATE()),
                  DataTypes.FIELD("t", DataTypes.TIME(3)),
                  DataTypes.FIELD("ts0", DataTypes.TIMESTAMP(9)),
                  DataTypes.FIELD("tz3", DataTypes.TIMESTAMP_LTZ(9)),
                  DataTypes.FIELD("t0", DataTypes.TIME(3)))
              .getLogicalType();

  private static final List<String> WRITTEN =
      List.of(
          "2018-11-04T00:30:00",
          "1582-10-10T12:00:00",
          "1970-01-01T00:00:00",
          "2024-12-31T23:59:59.999999999",
          "1969-12-31T23:59:59.000001",
          "1969-12-31T23:59:59.999999999",
          "0001-01-01T00:00:00",
          "9999-12-31T23:59:59.999999999",
          "0000-02-29T01:02:03.004",
          "+12345-06-07T08:09:10");

  private static final List<String> EXPECTED =
      List.of(
          "2018-11-04 00:30:00|2018-11-04 00:30:00|2018-11-04|00:30:00"
              + "|2018-11-04 00:30:00|2018-11-04 00:30:00|00:30:00",
          "1582-10-10 12:00:00|1582-10-10 12:00:00|1582-10-10|12:00:00"
              + "|1582-10-10 12:00:00|1582-10-10 12:00:00|12:00:00",
          "1970-01-01 00:00:00|1970-01-01 00:00:00|1970-01-01|00:00:00"
              + "|1970-01-01 00:00:00|1970-01-01 00:00:00|00:00:00",
          "2024-12-31 23:59:59.999999|2024-12-31 23:59:59.999999|2024-12-31|23:59:59.999"
              + "|2024-12-31 23:59:59|2024-12-31 23:59:59.999|23:59:59",
          "1969-12-31 23:59:59.000001|1969-12-31 23:59:59.000001|1969-12-31|23:59:59"
              + "|1969-12-31 23:59:59|1969-12-31 23:59:59|23:59:59",
          "1969-12-31 23:59:59.999999|1969-12-31 23:59:59.999999|1969-12-31|23:59:59.999"
              + "|1969-12-31 23:59:59|1969-12-31 23:59:59.999|23:59:59",
          "0001-01-01 00:00:00|0001-01-01 00:00:00|0001-01-01|00:00:00"
              + "|0001-01-01 00:00:00|0001-01-01 00:00:00|00:00:00",
          "9999-12-31 23:59:59.999999|9999-12-31 23:59:59.999999|9999-12-31|23:59:59.999"
              + "|9999-12-31 23:59:59|9999-12-31 23:59:59.999|23:59:59",
          "0001-02-29 01:02:03.004 BC|0001-02-29 01:02:03.004 BC|0001-02-29 BC|01:02:03.004"
              + "|0001-02-29 01:02:03 BC|0001-02-29 01:02:03.004 BC|01:02:03",
          "12345-06-07 08:09:10|12345-06-07 08:09:10|12345-06-07|08:09:10"
              + "|12345-06-07 08:09:10|12345-06-07 08:09:10|08:09:10");

  private static RowData row(int id, LocalDateTime value) {
    LocalTime time = value.toLocalTime();
    int millis = (int) (time.toNanoOfDay() / 1_000_000);
    TimestampData timestamp = TimestampData.fromLocalDateTime(value);
    TimestampData instant = TimestampData.fromInstant(value.toInstant(ZoneOffset.UTC));
    return GenericRowData.of(
        id,
        timestamp,
        instant,
        (int) LocalDate.from(value).toEpochDay(),
        millis,
        timestamp,
        instant,
        millis);
  }

  @ParameterizedTest
  @CsvSource({
    "America/Sao_Paulo, Asia/Kolkata, Europe/Paris, BINARY",
    "America/Sao_Paulo, Asia/Kolkata, Europe/Paris, TEXT",
    "UTC, UTC, UTC, BINARY",
    "UTC, UTC, UTC, TEXT"
  })
  void timesStayAsTheyAre(String jvm, String session, String server, CopyFormat format)
      throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(jvm));
    try (Connection connection = Postgres.shared().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER SYSTEM SET TimeZone = '" + server + "'");
      statement.execute("SELECT pg_reload_conf()");
      try {
        statement.execute("SET TimeZone = '" + session + "'");
        // The driver wants ISO; the order of day and month is the user's.
        statement.execute("SET DateStyle = 'ISO, DMY'");
        statement.execute(
            "CREATE TABLE times (id int PRIMARY KEY, ts timestamp, tz timestamptz, d date, t time,"
                + " ts0 timestamp(0), tz3 timestamptz(3), t0 time(0))");
        CopyTable table = new CopyTable(connection, "times");
        RowEncoder encoder =
            RowEncoders.of("c.d.times", ROWS, table.target(List.of(), List.of()), format);
        assertThat(encoder.proven()).isTrue();
        CopyBuffer out = new CopyBuffer(16);
        for (int i = 0; i < WRITTEN.size(); i++) {
          encoder.encode(row(i, LocalDateTime.parse(WRITTEN.get(i))), 0, out);
        }
        table.copy(format, out);

        List<String> found =
            new ArrayList<>(
                table.query(
                    "SELECT ts::text, (tz AT TIME ZONE 'UTC')::text, d::text, t::text, ts0::text,"
                        + " (tz3 AT TIME ZONE 'UTC')::text, t0::text FROM times ORDER BY id"));
        assertThat(found).containsExactlyElementsOf(EXPECTED);
      } finally {
        statement.execute("DROP TABLE IF EXISTS times");
        statement.execute("ALTER SYSTEM RESET TimeZone");
        statement.execute("SELECT pg_reload_conf()");
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }
}
