-- One job of the benchmark: random rows, as fast as Flink generates them, into one topic or table.

SET 'pipeline.name' = '${name}';
SET 'parallelism.default' = '2';
SET 'execution.checkpointing.mode' = 'EXACTLY_ONCE';
SET 'execution.checkpointing.interval' = '1 s';

-- With a key here too, if any: Flink 2.3 asks for ON CONFLICT when the table written has a key that
-- its input has not. Not kind = sequence: that keeps the whole sequence in memory.
CREATE TABLE generated (
  id BIGINT,
  name STRING,
  amount DOUBLE,
  flag BOOLEAN${key}
) WITH (
  'connector' = 'datagen',
  'number-of-rows' = '${rows}',
  'rows-per-second' = '1000000000',
  'fields.name.length' = '16'${ids}
);

CREATE TABLE written (
  id BIGINT,
  name STRING,
  amount DOUBLE,
  flag BOOLEAN${key}
) WITH (
${options}
);

INSERT INTO written SELECT id, name, amount, flag FROM generated;
