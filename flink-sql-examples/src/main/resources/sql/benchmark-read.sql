-- One job of the benchmark of reading: what it has read, counted into one row.

SET 'pipeline.name' = '${name}';
SET 'parallelism.default' = '2';
SET 'execution.runtime-mode' = 'batch';

CREATE TABLE readable (
  id BIGINT,
  name STRING,
  amount DOUBLE,
  flag BOOLEAN
) WITH (
${options}
);

CREATE TABLE asked (
  id BIGINT,
  moment AS PROCTIME()
) WITH (
  'connector' = 'datagen',
  'number-of-rows' = '${keys}',
  'rows-per-second' = '1000000000',
  'fields.id.min' = '0',
  'fields.id.max' = '${last}'
);

CREATE TABLE counted (
  rows_read BIGINT,
  ids BIGINT,
  name STRING,
  amount DOUBLE,
  flags BIGINT
) WITH (
${result}
);

INSERT INTO counted ${query};
