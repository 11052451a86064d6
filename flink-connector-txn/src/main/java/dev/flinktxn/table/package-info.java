/**
 * What SQL needs for both connectors: the common options, the refusals at planning time and the one
 * table sink.
 *
 * <p>A factory reads its options through {@link dev.flinktxn.table.OptionReader} and {@link
 * dev.flinktxn.table.CommonOptions}, hands a {@link dev.flinktxn.table.SinkAdapter} to {@link
 * dev.flinktxn.table.TxnTableSink}, and knows nothing of topologies. Every refusal is one sentence
 * that names the table, the option, what was found, what is needed and what to do.
 */
package dev.flinktxn.table;
