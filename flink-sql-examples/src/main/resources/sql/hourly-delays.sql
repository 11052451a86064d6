-- Flights in, one row per hour and origin airport out: how many flights, how late on average, how
-- late at worst. Read from Kafka, written to Kafka exactly once.
--
-- Needed in the SQL client (-j, ADD JAR or Flink's lib): flink-connector-txn for the sink and
-- flink-sql-connector-kafka, the official connector, for the source. Two things to fill in:
--   ${bootstrap.servers}  host:port of the Kafka cluster
--   ${run}                a name of this run, part of the topics' names and of the sink's prefix

SET 'pipeline.name' = 'hourly-delays-${run}';
SET 'parallelism.default' = '2';

-- Rows become visible when the checkpoint that contains them has completed: the interval is the
-- delay that readers of the result see.
SET 'execution.checkpointing.mode' = 'EXACTLY_ONCE';
SET 'execution.checkpointing.interval' = '1 s';

CREATE TABLE flights (
  `date` STRING,
  delay INT,
  distance INT,
  origin STRING,
  destination STRING,
  departure AS TO_TIMESTAMP(`date`, 'yyyy/MM/dd HH:mm'),
  -- Each partition is in order of departure, to the minute.
  WATERMARK FOR departure AS departure - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'flights-${run}',
  'properties.bootstrap.servers' = '${bootstrap.servers}',
  'properties.group.id' = 'hourly-delays-${run}',
  -- Exactly once end to end begins here: without it the job also reads what its producers aborted.
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

CREATE TABLE hourly_delays (
  origin STRING,
  hour_start TIMESTAMP(3),
  flights BIGINT,
  avg_delay DOUBLE,
  worst_delay INT
) WITH (
  'connector' = 'txn-kafka',
  'topic' = 'hourly-delays-${run}',
  'properties.bootstrap.servers' = '${bootstrap.servers}',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = 'hourly-delays-${run}',
  'format' = 'json'
);

-- A window is written when the watermarks of all partitions have passed its end. Behind the last
-- flight nothing would move them any more, and the last windows would stay open for ever. So the
-- feed ends each partition with a closing mark: a record that has nothing but a date, two hours
-- after the last flight's. It advances the watermark like any record; as it has no origin, it is not
-- counted.
INSERT INTO hourly_delays
SELECT
  origin,
  window_start AS hour_start,
  COUNT(*) AS flights,
  AVG(CAST(delay AS DOUBLE)) AS avg_delay,
  MAX(delay) AS worst_delay
FROM TABLE(
  TUMBLE(DATA => TABLE flights, TIMECOL => DESCRIPTOR(departure), SIZE => INTERVAL '1' HOUR))
WHERE origin IS NOT NULL
GROUP BY window_start, window_end, origin;
