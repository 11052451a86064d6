-- What is refused, and in which words: every INSERT here fails, on purpose. "Refused:" before it says
-- the message ("..." stands for what depends on your servers), the comment after it what would help.
--
-- Put the statements into the SQL client one by one, or all at once with sql-client.sh < refusals.sql,
-- for with -f it ends at the first error. Needed there: flink-connector-txn. To fill in:
--   ${bootstrap.servers}  host:port of the Kafka cluster
--   ${jdbc.url}           jdbc:postgresql://host:port/database?user=...&password=...
-- To create first: the topic flights (flights.sql), and in PostgreSQL a table that does not fit
--   CREATE TABLE refused (id bigint, title text)
-- To look at afterwards: nothing has changed, neither topic nor table have a row more.

CREATE TABLE endless (id BIGINT, name STRING) WITH ('connector' = 'datagen', 'rows-per-second' = '1');

CREATE TABLE to_kafka (id BIGINT, name STRING) WITH (
  'connector' = 'txn-kafka',
  'topic' = 'flights',
  'properties.bootstrap.servers' = '${bootstrap.servers}',
  'format' = 'json'
);

CREATE TABLE to_postgres (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'txn-jdbc',
  'url' = '${jdbc.url}',
  'table-name' = 'refused',
  'sink.transactional-id-prefix' = 'example-refused'
);

-- While the statement is planned: before anything runs, and with no server asked.

-- Refused: Table default_catalog.default_database.to_kafka: option 'sink.transactional-id-prefix' is
-- not set, but exactly-once needs a name of its own for each INSERT; set it to 1 to 64 characters of
-- A-Z a-z 0-9 . _ - that no other INSERT uses, and keep it when the job is restored.
INSERT INTO to_kafka SELECT * FROM endless;

-- It may stand in the table's options or, as here, in a hint: the same table may be written by several.

-- Refused: Table default_catalog.default_database.to_kafka: option 'execution.checkpointing.interval'
-- is not set, but exactly-once makes rows visible with checkpoints, and the input of this INSERT never
-- ends; set it, for example to '1 min', or set 'sink.delivery-guarantee' to 'at-least-once'.
INSERT INTO to_kafka /*+ OPTIONS('sink.transactional-id-prefix' = 'example-refused') */
SELECT * FROM endless;

SET 'execution.checkpointing.interval' = '10 s';
SET 'execution.checkpointing.mode' = 'AT_LEAST_ONCE';

-- Refused: Table default_catalog.default_database.to_kafka: option 'execution.checkpointing.mode' is
-- 'AT_LEAST_ONCE', but exactly-once needs checkpoints in mode EXACTLY_ONCE; set it to EXACTLY_ONCE, or
-- set 'sink.delivery-guarantee' to 'at-least-once'.
INSERT INTO to_kafka /*+ OPTIONS('sink.transactional-id-prefix' = 'example-refused') */
SELECT * FROM endless;

SET 'execution.checkpointing.mode' = 'EXACTLY_ONCE';

-- Refused: Table default_catalog.default_database.to_kafka: option 'sink.transaction-timout' is not an
-- option of this connector; did you mean 'sink.transaction-timeout'? Correct or remove it.
INSERT INTO to_kafka /*+ OPTIONS(
  'sink.transactional-id-prefix' = 'example-refused', 'sink.transaction-timout' = '5 min') */
SELECT * FROM endless;

-- Refused: Table default_catalog.default_database.to_kafka: option 'sink.transaction-timeout' is
-- '10 s', but it has to be longer than 'execution.checkpointing.interval', which is '10 s'; set it to
-- more than the interval plus 'execution.checkpointing.timeout' (10 min), or take checkpoints more
-- often.
INSERT INTO to_kafka /*+ OPTIONS(
  'sink.transactional-id-prefix' = 'example-refused', 'sink.transaction-timeout' = '10 s') */
SELECT * FROM endless;

-- Refused: Table default_catalog.default_database.to_kafka: the query updates or deletes rows, but the
-- table has no key to do so by; declare PRIMARY KEY (...) NOT ENFORCED and set 'key.format', or set
-- 'format' to one that writes changes, such as 'debezium-json'.
INSERT INTO to_kafka /*+ OPTIONS('sink.transactional-id-prefix' = 'example-refused') */
SELECT MAX(id), name FROM endless GROUP BY name;

-- Two sinks of one job under one name.
-- Refused: Table default_catalog.default_database.to_postgres: option 'sink.transactional-id-prefix' is
-- 'example-refused', but another INSERT of the same job, into table
-- default_catalog.default_database.to_kafka, has the same; give one of them another prefix, for example
-- with an OPTIONS hint.
EXECUTE STATEMENT SET
BEGIN
INSERT INTO to_kafka /*+ OPTIONS('sink.transactional-id-prefix' = 'example-refused') */
SELECT * FROM endless;
INSERT INTO to_postgres SELECT id, MAX(name) FROM endless GROUP BY id;
END;

-- By Flink itself, from 2.3 on: what is to happen when a key comes again? (1.20 to 2.2 take it.)
-- Refused: The query has an upsert key that differs from the primary key of the sink table
-- 'default_catalog.default_database.to_postgres'. Primary key: [id], upsert key: ...
INSERT INTO to_postgres SELECT id, name FROM endless;

-- When the job starts, within 15 seconds and before the first row: what only the servers know. The
-- client waits for the job and prints why it ended. Otherwise it says only that the job was submitted,
-- and the message stands in Flink's web interface, under Exceptions.
SET 'table.dml-sync' = 'true';

-- Refused: Table default_catalog.default_database.to_kafka: option 'topic' names [flihgts], which the
-- brokers at ... do not have. Create it (kafka-topics.sh --create) or correct the option.
INSERT INTO to_kafka /*+ OPTIONS(
  'sink.transactional-id-prefix' = 'example-refused', 'topic' = 'flihgts') */
VALUES (1, 'a');

-- Refused: Table default_catalog.default_database.to_kafka: option 'sink.transaction-timeout' is
-- 86400000 ms, the brokers allow at most ... ms (transaction.max.timeout.ms). Lower the option, leave it
-- out to use the brokers' maximum, or raise the brokers' setting.
INSERT INTO to_kafka /*+ OPTIONS(
  'sink.transactional-id-prefix' = 'example-refused', 'sink.transaction-timeout' = '1 d') */
VALUES (1, 'a');

-- Everything that does not fit, in one message.
-- Refused: Table default_catalog.default_database.to_postgres cannot be written to PostgreSQL table
-- "refused" by role "...", for these reasons:
-- - The DDL has columns ("name"), which the table lacks; the table has ("id", "title"). Correct the DDL
-- or add the columns with ALTER TABLE "public"."refused" ADD COLUMN.
-- - The DDL declares PRIMARY KEY ("id"), but the table has no unique key. Run CREATE UNIQUE INDEX ON
-- "public"."refused" ("id").
INSERT INTO to_postgres VALUES (1, 'a') ON CONFLICT DO DEDUPLICATE;
-- (Flink 1.20 to 2.2: INSERT INTO to_postgres VALUES (1, 'a'), without the clause.)
