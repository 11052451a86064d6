-- A change stream to PostgreSQL: what Debezium tells of a table elsewhere (rows that came, changed and
-- went) is done to a table here. All changes of a checkpoint become visible together, deletes included.
--
-- Needed in the SQL client: flink-connector-txn and flink-sql-connector-kafka. To fill in:
--   ${bootstrap.servers}  host:port of the Kafka cluster
--   ${jdbc.url}           jdbc:postgresql://host:port/database?user=...&password=...
-- To create first: in PostgreSQL
--   CREATE TABLE airports (code text PRIMARY KEY, name text, city text)
-- and the topic
--   kafka-topics.sh --bootstrap-server ${bootstrap.servers} --create --topic airport-changes
-- with some changes in it. Debezium writes them with the row's key as the record's key, so that all
-- changes of a row are in one partition, in order; here, one partition will do:
--   kafka-console-producer.sh --bootstrap-server ${bootstrap.servers} --topic airport-changes
--   > {"before":null,"after":{"code":"ORD","name":"O'Hare","city":"Chicago"},"op":"c"}
--   > {"before":null,"after":{"code":"JFK","name":"Idlewild","city":"New York"},"op":"c"}
--   > {"before":null,"after":{"code":"DEN","name":"Stapleton","city":"Denver"},"op":"r"}
--   > {"before":{"code":"JFK","name":"Idlewild","city":"New York"},"after":{"code":"JFK","name":"John F. Kennedy","city":"New York"},"op":"u"}
--   > {"before":{"code":"DEN","name":"Stapleton","city":"Denver"},"after":null,"op":"d"}
--   > {"before":{"code":"DEN","name":"Stapleton","city":"Denver"},"after":null,"op":"d"}
-- To look at afterwards: O'Hare and John F. Kennedy
--   SELECT * FROM airports

SET 'pipeline.name' = 'change-stream-to-postgres';
SET 'execution.checkpointing.interval' = '1 s';

-- Debezium itself is at-least-once: after a trouble it tells a change again, as the last line above.
-- With the source's key Flink then drops what changes nothing; it keeps each row in state for that.
SET 'table.exec.source.cdc-events-duplicate' = 'true';

CREATE TABLE airport_changes (
  code STRING,
  name STRING,
  city STRING,
  PRIMARY KEY (code) NOT ENFORCED
) WITH (
  'connector' = 'kafka',
  'topic' = 'airport-changes',
  'properties.bootstrap.servers' = '${bootstrap.servers}',
  'properties.group.id' = 'example-airport-changes',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'debezium-json'
);

CREATE TABLE airports (
  code STRING,
  name STRING,
  city STRING,
  PRIMARY KEY (code) NOT ENFORCED
) WITH (
  'connector' = 'txn-jdbc',
  'url' = '${jdbc.url}',
  'table-name' = 'airports',
  'sink.transactional-id-prefix' = 'example-airports'
);

-- The stream's key is the table's, so this form is the same in all versions of Flink.
INSERT INTO airports
SELECT code, name, city
FROM airport_changes;
