-- Kafka to PostgreSQL, upserting by a key, in the two ways there are:
--   airport_totals    the query updates its rows (GROUP BY), by the key that the table has
--   last_departures   the query only inserts, and the newest row of each key is to stay
--
-- Needed in the SQL client: flink-connector-txn and flink-sql-connector-kafka. To fill in:
--   ${bootstrap.servers}  host:port of the Kafka cluster
--   ${jdbc.url}           jdbc:postgresql://host:port/database?user=...&password=...
-- To create first: the topic flights (flights.sql), and in PostgreSQL
--   CREATE TABLE airport_totals (
--     airport text PRIMARY KEY, flights bigint, delayed bigint, worst_delay int)
--   CREATE TABLE last_departures (
--     airport text PRIMARY KEY, departure timestamp, destination text, delay int)
-- To look at afterwards: a line per airport, changing while flights come
--   SELECT * FROM airport_totals JOIN last_departures USING (airport)

SET 'pipeline.name' = 'kafka-to-postgres-upsert';
-- Changes become visible with the checkpoint that contains them.
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
  'properties.group.id' = 'example-airports',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

-- The PRIMARY KEY has to be one of the table's in PostgreSQL: the start-up checks compare them.
CREATE TABLE airport_totals (
  airport STRING,
  flights BIGINT,
  delayed BIGINT,
  worst_delay INT,
  PRIMARY KEY (airport) NOT ENFORCED
) WITH (
  'connector' = 'txn-jdbc',
  'url' = '${jdbc.url}',
  'table-name' = 'airport_totals',
  'sink.transactional-id-prefix' = 'example-airport-totals'
);

CREATE TABLE last_departures (
  airport STRING,
  departure TIMESTAMP(3),
  destination STRING,
  delay INT,
  PRIMARY KEY (airport) NOT ENFORCED
) WITH (
  'connector' = 'txn-jdbc',
  'url' = '${jdbc.url}',
  'table-name' = 'last_departures',
  'sink.transactional-id-prefix' = 'example-last-departures'
);

EXECUTE STATEMENT SET
BEGIN

-- The query's key is the table's, so this form is the same in all versions of Flink.
INSERT INTO airport_totals
SELECT
  origin,
  COUNT(*) AS flights,
  COUNT(*) FILTER (WHERE delay > 15) AS delayed,
  MAX(delay) AS worst_delay
FROM flights
WHERE origin IS NOT NULL
GROUP BY origin;

-- Rows without a key into a table with one. Flink 2.3 wants to be told what happens to the second row
-- of a key. DO DEDUPLICATE (the last one stays) costs no state here; DO NOTHING would. Flink 1.20 to
-- 2.2 do not know the clause and do the same without it:
--   INSERT INTO last_departures
--   SELECT origin, TO_TIMESTAMP(`date`, 'yyyy/MM/dd HH:mm'), destination, delay
--   FROM flights
--   WHERE origin IS NOT NULL;
INSERT INTO last_departures
SELECT origin, TO_TIMESTAMP(`date`, 'yyyy/MM/dd HH:mm'), destination, delay
FROM flights
WHERE origin IS NOT NULL
ON CONFLICT DO DEDUPLICATE;

END;
