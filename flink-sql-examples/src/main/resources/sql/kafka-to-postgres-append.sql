-- Kafka to PostgreSQL, appending: a table without any key gets each row once, with column types that
-- Flink has no names for.
--
-- Needed in the SQL client: flink-connector-txn and flink-sql-connector-kafka. To fill in:
--   ${bootstrap.servers}  host:port of the Kafka cluster
--   ${jdbc.url}           jdbc:postgresql://host:port/database?user=...&password=...
-- To create first: the topic flights (flights.sql), and in PostgreSQL
--   CREATE TABLE flight_log (
--     departure timestamp, route text[], delay interval, miles numeric(6, 1), flight jsonb)
-- To look at afterwards: a line per flight, a second or two after it came
--   SELECT * FROM flight_log

SET 'pipeline.name' = 'kafka-to-postgres-append';
-- Rows become visible with the checkpoint that contains them.
SET 'execution.checkpointing.interval' = '1 s';

CREATE TABLE flights (
  `date` STRING,
  delay INT,
  distance INT,
  origin STRING,
  destination STRING
) WITH (
  'connector' = 'kafka',
  'topic' = 'flights',
  'properties.bootstrap.servers' = '${bootstrap.servers}',
  'properties.group.id' = 'example-flight-log',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

-- interval and jsonb take strings; a value that PostgreSQL does not take ends the job with the column
-- in the message, before anything of its checkpoint is visible.
CREATE TABLE flight_log (
  departure TIMESTAMP(3),
  route ARRAY<STRING>,
  delay STRING,
  miles DECIMAL(6, 1),
  flight STRING
) WITH (
  'connector' = 'txn-jdbc',
  'url' = '${jdbc.url}',
  'table-name' = 'flight_log',
  'sink.transactional-id-prefix' = 'example-flight-log'
);

INSERT INTO flight_log
SELECT
  TO_TIMESTAMP(`date`, 'yyyy/MM/dd HH:mm'),
  ARRAY[origin, destination],
  CAST(delay AS STRING) || ' minutes',
  distance,
  JSON_OBJECT('from' VALUE origin, 'to' VALUE destination, 'late' VALUE delay > 15)
FROM flights
WHERE origin IS NOT NULL;
