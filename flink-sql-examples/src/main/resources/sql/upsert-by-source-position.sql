-- Effectively once without transactions: each row is written at once, as an upsert by a key that it
-- will have again when it is replayed, the place in the source topic that it came from.
--
-- Against exactly-once: readers see rows within 'sink.buffer-flush.interval' and not after a checkpoint.
-- In return they see rows of which a crash may still make something else: if the query is not
-- deterministic (PROCTIME, a lookup), or if it drops rows the second time, a replay leaves what the
-- first run wrote. The table needs the key, the sink no prefix and no ledger.
--
-- Needed in the SQL client: flink-connector-txn and flink-sql-connector-kafka. To fill in:
--   ${bootstrap.servers}  host:port of the Kafka cluster
--   ${jdbc.url}           jdbc:postgresql://host:port/database?user=...&password=...
-- To create first: the topic flights (flights.sql), and in PostgreSQL
--   CREATE TABLE flights_as_read (
--     source_partition int, source_offset bigint, origin text, destination text, delay int,
--     PRIMARY KEY (source_partition, source_offset))
-- To look at afterwards: a line per record of the topic (the end of a transaction there takes an offset
-- too, so some are missing). Cancel the job and start it again: it reads
-- everything again, and the table stays the same.
--   SELECT * FROM flights_as_read ORDER BY source_partition, source_offset

SET 'pipeline.name' = 'upsert-by-source-position';
-- After a crash the source goes back to the last checkpoint; without any, to its beginning.
SET 'execution.checkpointing.interval' = '10 s';

CREATE TABLE flights (
  `date` STRING,
  delay INT,
  distance INT,
  origin STRING,
  destination STRING,
  source_partition INT METADATA FROM 'partition' VIRTUAL,
  source_offset BIGINT METADATA FROM 'offset' VIRTUAL
) WITH (
  'connector' = 'kafka',
  'topic' = 'flights',
  'properties.bootstrap.servers' = '${bootstrap.servers}',
  'properties.group.id' = 'example-flights-as-read',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

CREATE TABLE flights_as_read (
  source_partition INT,
  source_offset BIGINT,
  origin STRING,
  destination STRING,
  delay INT,
  PRIMARY KEY (source_partition, source_offset) NOT ENFORCED
) WITH (
  'connector' = 'txn-jdbc',
  'url' = '${jdbc.url}',
  'table-name' = 'flights_as_read',
  'sink.idempotent-upsert' = 'always',
  'sink.buffer-flush.interval' = '500 ms'
);

-- Flink cannot know that no position comes twice, so 2.3 wants the clause (it costs no state here).
-- Flink 1.20 to 2.2:
--   INSERT INTO flights_as_read
--   SELECT source_partition, source_offset, origin, destination, delay
--   FROM flights;
INSERT INTO flights_as_read
SELECT source_partition, source_offset, origin, destination, delay
FROM flights
ON CONFLICT DO DEDUPLICATE;
