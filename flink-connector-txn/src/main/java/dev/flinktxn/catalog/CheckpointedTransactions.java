// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import dev.flinktxn.protocol.Committable;
import dev.flinktxn.protocol.CommittableSerializer;
import dev.flinktxn.protocol.SinkSettings;
import dev.flinktxn.protocol.TransactionalSink;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.OperatorIDPair;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.metrics.groups.InternalSinkCommitterMetricGroup;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.DefaultOperatorStateBackend;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.util.SimpleVersionedListState;
import org.apache.flink.streaming.runtime.operators.sink.committables.CheckpointCommittableManager;
import org.apache.flink.streaming.runtime.operators.sink.committables.CommittableCollector;
import org.apache.flink.streaming.runtime.operators.sink.committables.CommittableCollectorSerializer;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.RowData;

/**
 * Reads from a completed checkpoint or savepoint the transactions that its sink was to commit.
 *
 * <p>Everything but our own encoding is read by Flink's classes of the version that runs, which are
 * the same from 1.20 to 2.3: the metadata, the state of the committer, and the ids of the sink's
 * operators, which are asked of a job graph with such a sink.
 *
 * @param loader finds the classes of state
 */
record CheckpointedTransactions(ClassLoader loader) {

  private static final String COMMITTER_STATE = "streaming_committer_raw_states";

  /**
   * A transaction that is to be committed.
   *
   * @param checkpoint the checkpoint it was prepared for, {@code Long.MAX_VALUE} for the end of the
   *     input
   */
  record Prepared(long checkpoint, Committable committable) {}

  /**
   * The transactions of a prefix, those of each writer in the order in which they were prepared.
   *
   * @param path of the directory of a checkpoint or savepoint, or of its {@code _metadata}
   * @throws ValidationException if there is no such checkpoint, or no such sink in it
   * @throws IOException if it cannot be read
   */
  List<Prepared> of(String prefix, String path) throws IOException {
    CheckpointMetadata metadata = metadata(path);
    Set<OperatorID> operators = operators(prefix);
    List<OperatorStateHandle> handles = new ArrayList<>();
    boolean sink = false;
    for (OperatorState operator : metadata.getOperatorStates()) {
      if (operators.contains(operator.getOperatorID())) {
        sink = true;
        for (OperatorSubtaskState subtask : operator.getStates()) {
          for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
            if (handle.getStateNameToPartitionOffsets().containsKey(COMMITTER_STATE)) {
              handles.add(handle);
            }
          }
        }
      }
    }
    if (!sink) {
      throw Arguments.refusal(
          "prefix",
          prefix,
          "checkpoint %d in '%s' holds no sink with this sink.transactional-id-prefix"
              .formatted(metadata.getCheckpointId(), path));
    }
    List<Prepared> found = read(handles);
    for (Prepared prepared : found) {
      if (!prepared.committable().name().prefix().equals(prefix)) {
        throw new IOException(
            "The sink of prefix '%s' holds %s of another prefix"
                .formatted(prefix, prepared.committable()));
      }
    }
    found.sort(Comparator.comparingLong(prepared -> prepared.committable().preparedAt()));
    return found;
  }

  private CheckpointMetadata metadata(String path) throws IOException {
    CompletedCheckpointStorageLocation location;
    if (path == null) {
      throw Arguments.refusal("checkpoint", null, "it says what is to be committed");
    }
    try {
      location = AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(path);
    } catch (IOException | IllegalArgumentException e) {
      throw Arguments.refusal(
          "checkpoint",
          path,
          "it has to be the directory of a completed checkpoint or savepoint (%s)"
              .formatted(e.getMessage()));
    }
    try (DataInputStream in = new DataInputStream(location.getMetadataHandle().openInputStream())) {
      return Checkpoints.loadCheckpointMetadata(in, loader, location.getExternalPointer());
    }
  }

  /** The ids of the operators that a sink with this prefix consists of. */
  private static Set<OperatorID> operators(String prefix) {
    StreamExecutionEnvironment environment = new StreamExecutionEnvironment(new Configuration());
    SinkSettings settings =
        new SinkSettings(
            prefix,
            prefix,
            true,
            true,
            false,
            false,
            SinkSettings.CLEANUP_PERIOD,
            SinkSettings.COMMIT_PATIENCE);
    environment
        .fromSequence(0, 0)
        // Without a uid it would be called as the first source of any job.
        .uid(UUID.randomUUID().toString())
        .map((MapFunction<Long, RowData>) number -> null)
        .returns(TypeInformation.of(RowData.class))
        .uid(UUID.randomUUID().toString())
        // Never opened: no system is needed.
        .sinkTo(new TransactionalSink(settings, null))
        .uid(prefix);
    Set<OperatorID> ids = new HashSet<>();
    for (JobVertex vertex : environment.getStreamGraph().getJobGraph().getVertices()) {
      for (OperatorIDPair pair : vertex.getOperatorIDs()) {
        ids.add(pair.getGeneratedOperatorID());
      }
    }
    return ids;
  }

  /** Looks at what it is handed, and commits nothing. */
  private record Reading(long checkpoint, List<Prepared> found) implements Committer<Committable> {
    @Override
    public void commit(Collection<CommitRequest<Committable>> requests) {
      requests.forEach(request -> found.add(new Prepared(checkpoint, request.getCommittable())));
    }

    @Override
    public void close() {}
  }

  private List<Prepared> read(List<OperatorStateHandle> handles) throws IOException {
    CommittableCollectorSerializer<Committable> serializer =
        new CommittableCollectorSerializer<>(
            new CommittableSerializer(),
            0,
            1,
            InternalSinkCommitterMetricGroup.wrap(
                UnregisteredMetricsGroup.createOperatorMetricGroup()));
    List<Prepared> found = new ArrayList<>();
    try (CloseableRegistry streams = new CloseableRegistry();
        DefaultOperatorStateBackend state =
            new DefaultOperatorStateBackendBuilder(
                    loader, new ExecutionConfig(), false, handles, streams)
                .build()) {
      ListState<byte[]> encoded =
          state.getListState(
              new ListStateDescriptor<>(COMMITTER_STATE, BytePrimitiveArraySerializer.INSTANCE));
      for (CommittableCollector<Committable> collector :
          new SimpleVersionedListState<>(encoded, serializer).get()) {
        for (CheckpointCommittableManager<Committable> checkpoint :
            collector.getCheckpointCommittablesUpTo(Long.MAX_VALUE)) {
          checkpoint.commit(new Reading(checkpoint.getCheckpointId(), found), 0);
        }
      }
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("The committer's state cannot be read: " + e.getMessage(), e);
    }
    return found;
  }
}
