// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.Row;

/**
 * A source of rows with the ids 1 to {@code last}, dealt to the subtasks in consecutive shares. Its
 * state is a few bytes, unlike that of a datagen sequence.
 *
 * @param last where it ends
 * @param nanosPerRow how long each subtask takes for a row
 * @param name the value of the column {@code name}
 */
record Numbers(int last, long nanosPerRow, String name) {

  private static final TypeInformation<Row> ROW =
      Types.ROW_NAMED(new String[] {"id", "name", "qty"}, Types.INT, Types.STRING, Types.INT);

  DataStream<Row> in(StreamExecutionEnvironment environment) {
    return environment
        .fromSource(new NumberSequenceSource(1, last), WatermarkStrategy.noWatermarks(), "numbers")
        .uid("numbers")
        .map(new ToRow(nanosPerRow, name))
        .returns(ROW)
        .uid("rows");
  }

  String row(int id) {
    return Rows.row(id, name, 0);
  }

  private record ToRow(long nanosPerRow, String name) implements MapFunction<Long, Row> {
    @Override
    public Row map(Long id) {
      if (nanosPerRow > 0) {
        LockSupport.parkNanos(nanosPerRow);
      }
      return Row.of(id.intValue(), name, 0);
    }
  }
}
