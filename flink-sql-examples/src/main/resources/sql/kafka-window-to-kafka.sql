-- Kafka to Kafka with a window: of each full hour the flight that was latest, once, when the hour is
-- over. (The main job, hourly-delays.sql, counts and averages in such windows.)
--
-- Needed in the SQL client: flink-connector-txn and flink-sql-connector-kafka. To fill in:
--   ${bootstrap.servers}  host:port of the Kafka cluster
-- To create first: the topic flights (flights.sql), and
--   kafka-topics.sh --bootstrap-server ${bootstrap.servers} --create --topic latest-flights
-- To look at afterwards: three hours of the flights of flights.sql, the fourth is not over yet
--   kafka-console-consumer.sh --bootstrap-server ${bootstrap.servers} --topic latest-flights \
--     --from-beginning --isolation-level read_committed
-- Without --isolation-level the consumer also shows what is not committed yet, or never will be.

SET 'pipeline.name' = 'kafka-window-to-kafka';
-- The topic has one partition; a source subtask without one would hold the watermark back.
SET 'parallelism.default' = '1';
-- Rows become visible with the checkpoint that contains them.
SET 'execution.checkpointing.interval' = '1 s';

CREATE TABLE flights (
  `date` STRING,
  delay INT,
  distance INT,
  origin STRING,
  destination STRING,
  departure AS TO_TIMESTAMP(`date`, 'yyyy/MM/dd HH:mm'),
  WATERMARK FOR departure AS departure - INTERVAL '1' MINUTE
) WITH (
  'connector' = 'kafka',
  'topic' = 'flights',
  'properties.bootstrap.servers' = '${bootstrap.servers}',
  'properties.group.id' = 'example-latest-flights',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

-- A record's key is the airport, so that the flights of one airport stay in one partition, in order.
CREATE TABLE latest_flights (
  hour_start TIMESTAMP(3),
  origin STRING,
  destination STRING,
  delay INT
) WITH (
  'connector' = 'txn-kafka',
  'topic' = 'latest-flights',
  'properties.bootstrap.servers' = '${bootstrap.servers}',
  'sink.transactional-id-prefix' = 'example-latest-flights',
  'key.format' = 'raw',
  'key.fields' = 'origin',
  'value.format' = 'json'
);

INSERT INTO latest_flights
SELECT window_start, origin, destination, delay
FROM (
  SELECT
    *,
    ROW_NUMBER() OVER (
      PARTITION BY window_start, window_end
      ORDER BY delay DESC, departure, origin, destination) AS place
  FROM TABLE(
    TUMBLE(DATA => TABLE flights, TIMECOL => DESCRIPTOR(departure), SIZE => INTERVAL '1' HOUR))
  WHERE origin IS NOT NULL
)
WHERE place = 1;
