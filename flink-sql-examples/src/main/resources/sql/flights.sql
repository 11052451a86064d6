-- Fills the topic that the other examples read: sixteen flights, one transaction. An INSERT whose input
-- ends needs no checkpoints, it commits when it ends.
--
-- To fill in:
--   ${bootstrap.servers}  host:port of the Kafka cluster
-- To create first: the topic, with one partition, so that its rows stay in order of departure
--   kafka-topics.sh --bootstrap-server ${bootstrap.servers} --create --topic flights --partitions 1
-- To look at afterwards:
--   kafka-console-consumer.sh --bootstrap-server ${bootstrap.servers} --topic flights \
--     --from-beginning --isolation-level read_committed
--
-- All 20,000 flights instead of these: jq -c '.[]' flights-20k.json | kafka-console-producer.sh
--   --bootstrap-server ${bootstrap.servers} --topic flights

SET 'parallelism.default' = '1';

-- The client returns when the job has ended, or prints why it failed.
SET 'table.dml-sync' = 'true';

CREATE TABLE flights (
  `date` STRING,
  delay INT,
  distance INT,
  origin STRING,
  destination STRING
) WITH (
  'connector' = 'txn-kafka',
  'topic' = 'flights',
  'properties.bootstrap.servers' = '${bootstrap.servers}',
  'sink.transactional-id-prefix' = 'example-flights',
  'format' = 'json'
);

INSERT INTO flights VALUES
  ('2001/01/01 00:47', 66, 1750, 'DTW', 'LAS'),
  ('2001/01/01 01:10', 95, 2399, 'HNL', 'SFO'),
  ('2001/01/01 01:24', -5, 407, 'LAS', 'OAK'),
  ('2001/01/01 01:39', 4, 256, 'LAS', 'PHX'),
  ('2001/01/01 06:02', -6, 377, 'MHT', 'BWI'),
  ('2001/01/01 06:05', -27, 370, 'MDT', 'DTW'),
  ('2001/01/01 06:17', -7, 813, 'AUS', 'ATL'),
  ('2001/01/01 06:22', -26, 931, 'DCA', 'MSP'),
  ('2001/01/01 06:30', 29, 236, 'LAS', 'LAX'),
  ('2001/01/01 06:35', -4, 370, 'BWI', 'BOS'),
  ('2001/01/01 06:35', 11, 467, 'PVD', 'PIT'),
  ('2001/01/01 06:54', 50, 145, 'ALB', 'JFK'),
  ('2001/01/01 06:55', -19, 1797, 'LAX', 'BNA'),
  ('2001/01/01 07:00', 3, 933, 'SAN', 'PDX'),
  ('2001/01/01 07:00', -3, 256, 'LAS', 'PHX'),
  ('2001/01/01 07:03', -36, 2105, 'BOS', 'SLC');
