-- One job of the benchmark: random rows, as fast as Flink generates them, into one Kafka topic.

SET 'pipeline.name' = '${name}';
SET 'parallelism.default' = '2';
SET 'execution.checkpointing.mode' = 'EXACTLY_ONCE';
SET 'execution.checkpointing.interval' = '1 s';

-- Not kind = sequence: that keeps the whole sequence in memory.
CREATE TABLE generated (
  id BIGINT,
  name STRING,
  amount DOUBLE,
  flag BOOLEAN
) WITH (
  'connector' = 'datagen',
  'number-of-rows' = '${rows}',
  'rows-per-second' = '1000000000',
  'fields.name.length' = '16'
);

CREATE TABLE written (
  id BIGINT,
  name STRING,
  amount DOUBLE,
  flag BOOLEAN
) WITH (
${options}
);

INSERT INTO written SELECT id, name, amount, flag FROM generated;
