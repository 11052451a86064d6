/**
 * Kafka: the factory {@code txn-kafka}, its options, the encoding of rows, and transactions on a
 * broker.
 */
package dev.flinktxn.kafka;
