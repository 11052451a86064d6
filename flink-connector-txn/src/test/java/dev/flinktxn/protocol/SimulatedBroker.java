// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import dev.flinktxn.protocol.InMemorySystem.Producer;
import java.util.List;

/** The {@link InMemorySystem}, a Kafka broker, as the external system of a schedule. */
final class SimulatedBroker implements SimulatedSystem {

  private static final long FOR_EVER = 1_000_000_000_000L;

  private final World world;
  private final InMemorySystem system;
  private final Strangers strangers;

  SimulatedBroker(World world) {
    this.world = world;
    this.system = new InMemorySystem(world.scenario().tv2(), world.scenario().firstEpoch());
    this.strangers = new Strangers(world, system);
  }

  @Override
  public WriterStore writerStore(SimulatedTask task) {
    return new SimulatedWriterStore(world, system, task);
  }

  @Override
  public CommitterStore committerStore(SimulatedTask task) {
    return new SimulatedCommitterStore(world, system, task);
  }

  @Override
  public int step() {
    return system.step();
  }

  @Override
  public List<Truth> open() {
    return system.open();
  }

  @Override
  public Truth truthOf(byte[] handle) {
    return system.truthOf(SimulatedHandle.producer(SimulatedHandle.decode(handle)));
  }

  @Override
  public Truth foreignerWrites(String id) {
    Producer producer = system.initialise(id, world.now());
    system.write(id, producer, null, List.of(), world.now(), FOR_EVER);
    return system.lastOf(id);
  }

  @Override
  public void losesPatience() {
    strangers.timeOut();
  }

  @Override
  public void forgets() {
    strangers.forget();
  }

  @Override
  public void isMeddledWith() {
    strangers.thirdParty();
  }

  @Override
  public void catchesUp() {
    system.finishFences(world.now());
  }

  @Override
  public void changes() {
    if (world.may(Fault.FEATURE_RAISED) && !system.tv2()) {
      world.cover(Cover.FEATURE_RAISED);
      system.raiseToTv2();
    }
  }

  @Override
  public boolean atRest() {
    return true;
  }

  @Override
  public boolean dealsApart() {
    return false;
  }

  @Override
  public boolean handsOverAtOnce() {
    return false;
  }

  @Override
  public void check(SimulatedJob job) {}
}
