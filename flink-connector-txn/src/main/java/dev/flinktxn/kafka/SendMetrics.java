// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/** Flink's standard sink metrics. Counted by the task thread, read by reporters. */
final class SendMetrics {

  private final Counter records;
  private final Counter bytes;
  private final Counter errors;
  private volatile Metric latency;

  SendMetrics(SinkWriterMetricGroup group) {
    this.records = group.getNumRecordsSendCounter();
    this.bytes = group.getNumBytesSendCounter();
    this.errors = group.getNumRecordsSendErrorsCounter();
    group.setCurrentSendTimeGauge(this::sendMillis);
  }

  /** Reads the current send time from {@code producer} from now on. */
  void follow(KafkaProducer<byte[], byte[]> producer) {
    for (Metric metric : producer.metrics().values()) {
      MetricName name = metric.metricName();
      if (name.name().equals("request-latency-avg") && name.group().equals("producer-metrics")) {
        latency = metric;
      }
    }
  }

  void sent(ProducerRecord<byte[], byte[]> record) {
    records.inc();
    int size = record.value() == null ? 0 : record.value().length;
    bytes.inc(record.key() == null ? size : size + record.key().length);
  }

  Counter errors() {
    return errors;
  }

  private long sendMillis() {
    Metric metric = latency;
    double millis = metric == null ? 0 : (double) metric.metricValue();
    return Double.isNaN(millis) ? 0 : Math.round(millis);
  }
}
