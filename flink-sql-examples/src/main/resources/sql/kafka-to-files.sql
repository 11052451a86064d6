-- Kafka to files, by day and hour, with a marker in each finished directory; and the same rows to a
-- Kafka topic. Where is the line between what readers may and may not see?
--
--   files  Flink's own filesystem connector is exactly-once too: a part file is written under a name
--          with a leading dot and gets its final name when a checkpoint that contains all of it has
--          completed. But a directory then fills file by file, over many checkpoints. Readers that
--          want all of an hour or nothing wait for the marker _SUCCESS: it comes with a checkpoint
--          after the watermark has passed the end of the hour, and is written after the files are
--          final. Two things it does not promise: flights that come later than the watermark allows
--          still go into a directory that is marked already (and mark it again), and if the job dies
--          between file and marker, the restored job writes the marker.
--   topic  each row is visible with the checkpoint that contains it, a second after it came, be its
--          hour over or not. The line is the transaction: read_committed readers need no marker.
--
-- Needed in the SQL client: flink-connector-txn and flink-sql-connector-kafka. To fill in:
--   ${bootstrap.servers}  host:port of the Kafka cluster
--   ${directory}          file:///... for one machine, otherwise storage that all of them see, such
--                         as s3://... (with Flink's plugin for it)
-- To create first: the topic flights (flights.sql), and
--   kafka-topics.sh --bootstrap-server ${bootstrap.servers} --create --topic flights-by-hour
-- To look at afterwards: of the flights of flights.sql three hours are marked. The fourth has no
-- marker and no final file, but its three flights are in the topic.
--   find <directory> | sort
--   kafka-console-consumer.sh --bootstrap-server ${bootstrap.servers} --topic flights-by-hour \
--     --from-beginning --isolation-level read_committed

SET 'pipeline.name' = 'kafka-to-files';
-- The topic has one partition; a source subtask without one would hold the watermark back.
SET 'parallelism.default' = '1';
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
  'properties.group.id' = 'example-flights-by-hour',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

CREATE TABLE flight_files (
  departure TIMESTAMP(3),
  delay INT,
  origin STRING,
  destination STRING,
  `day` STRING,
  `hour` STRING
) PARTITIONED BY (`day`, `hour`) WITH (
  'connector' = 'filesystem',
  'path' = '${directory}',
  'format' = 'json',
  -- The marker: an empty file _SUCCESS ...
  'sink.partition-commit.policy.kind' = 'success-file',
  -- ... when by the watermark a whole hour has passed since the time in the directory's name. Without
  -- a watermark there is only 'process-time', which waits by the clock and guesses.
  'sink.partition-commit.trigger' = 'partition-time',
  'sink.partition-commit.delay' = '1 h',
  'partition.time-extractor.timestamp-pattern' = '$day $hour:00:00'
);

CREATE TABLE flight_topic (
  departure TIMESTAMP(3),
  delay INT,
  origin STRING,
  destination STRING
) WITH (
  'connector' = 'txn-kafka',
  'topic' = 'flights-by-hour',
  'properties.bootstrap.servers' = '${bootstrap.servers}',
  'sink.transactional-id-prefix' = 'example-flights-by-hour',
  'format' = 'json'
);

EXECUTE STATEMENT SET
BEGIN

INSERT INTO flight_files
SELECT
  departure,
  delay,
  origin,
  destination,
  DATE_FORMAT(departure, 'yyyy-MM-dd') AS `day`,
  DATE_FORMAT(departure, 'HH') AS `hour`
FROM flights
WHERE origin IS NOT NULL;

INSERT INTO flight_topic
SELECT departure, delay, origin, destination
FROM flights
WHERE origin IS NOT NULL;

END;
