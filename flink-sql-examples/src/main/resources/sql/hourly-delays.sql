-- Flights in from Kafka; out of them, each exactly once:
--   to Kafka       one row per hour and origin airport when the hour is over: how many flights, how
--                  late on average, how late at worst
--   to PostgreSQL  every delayed flight, appended
--   to PostgreSQL  the same figures per hour and airport while they grow, updated by their key
--
-- Needed in the SQL client (-j, ADD JAR or Flink's lib): flink-connector-txn for the sinks and
-- flink-sql-connector-kafka, the official connector, for the source. To fill in:
--   ${bootstrap.servers}  host:port of the Kafka cluster
--   ${jdbc.url}           jdbc:postgresql://host:port/database?user=...&password=...
--   ${run}                a name of this run, part of the names of topics and tables and of the
--                         sinks' prefixes: lower-case letters and digits
-- To create first: the topics, and in PostgreSQL
--   CREATE TABLE delayed_flights_${run} (
--     departure timestamp, delay int, distance int, origin text, destination text)
--   CREATE TABLE hourly_statistics_${run} (
--     airport text, window_start timestamp, flights bigint, avg_delay double precision,
--     worst_delay int, PRIMARY KEY (airport, window_start))

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

CREATE TABLE delayed_flights (
  departure TIMESTAMP(3),
  delay INT,
  distance INT,
  origin STRING,
  destination STRING
) WITH (
  'connector' = 'txn-jdbc',
  'url' = '${jdbc.url}',
  'table-name' = 'delayed_flights_${run}',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = 'delayed-flights-${run}'
);

CREATE TABLE hourly_statistics (
  airport STRING,
  window_start TIMESTAMP(3),
  flights BIGINT,
  avg_delay DOUBLE,
  worst_delay INT,
  PRIMARY KEY (airport, window_start) NOT ENFORCED
) WITH (
  'connector' = 'txn-jdbc',
  'url' = '${jdbc.url}',
  'table-name' = 'hourly_statistics_${run}',
  'sink.delivery-guarantee' = 'exactly-once',
  'sink.transactional-id-prefix' = 'hourly-statistics-${run}'
);

-- One job: all three read the flights once and share its checkpoints.
EXECUTE STATEMENT SET
BEGIN

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

INSERT INTO delayed_flights
SELECT departure, delay, distance, origin, destination
FROM flights
WHERE delay > 15;

-- No window: every flight updates the row of its hour and airport at once. The query keeps that row's
-- figures for ever; a job that never ends wants 'table.exec.state.ttl'.
INSERT INTO hourly_statistics
SELECT
  origin AS airport,
  FLOOR(departure TO HOUR) AS window_start,
  COUNT(*) AS flights,
  AVG(CAST(delay AS DOUBLE)) AS avg_delay,
  MAX(delay) AS worst_delay
FROM flights
WHERE origin IS NOT NULL
GROUP BY origin, FLOOR(departure TO HOUR);

END;
