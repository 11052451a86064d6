// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

import java.util.List;

/** The end of a schedule: no more faults, one job is left, and it has to come to rest. */
final class Settlement {

  private final World world;
  private final Scenario scenario;
  private final List<SimulatedJob> jobs;

  Settlement(World world) {
    this.world = world;
    this.scenario = world.scenario();
    this.jobs = world.jobs();
  }

  /** No more faults: zombies end, one job remains, and it has to come to rest. */
  void settle() {
    world.calmDown();
    if (scenario.batch()) {
      finish(jobs.get(0));
      return;
    }
    while (jobs.size() > 1) {
      jobs.remove(world.random().nextInt(jobs.size())).cancel(world.flip());
    }
    SimulatedJob job = jobs.get(0);
    complete(job, 3 * Scenario.SPLITS);
    if (!job.finished) {
      world.advance(World.CLEANUP_PERIOD + 1);
      complete(job, 3);
      if (!job.finished && world.orphansMayWait()) {
        job.cancel(false);
        job.resubmit(job.latest, job.goesOnAfterLoss());
        complete(job, 0);
      }
    }
    world.oracle().check(job, scenario.has(Fault.ZOMBIE) || world.hadSecondJob());
  }

  /** Lets a batch job come to its end, whatever retries that takes. */
  private void finish(SimulatedJob job) {
    world.allowRows(Integer.MAX_VALUE);
    for (int round = 0; round < 60 && !job.finished; round++) {
      if (job.ended) {
        job.resubmit(null, true);
      }
      for (SimulatedTask task : job.run.tasks.clone()) {
        while (task.life == SimulatedTask.Life.RUNNING && task.step()) {
          world.advance(1);
        }
      }
      world.system().catchesUp();
    }
    if (!job.finished) {
      throw new Violation("The batch job does not finish");
    }
    world.oracle().check(job, scenario.has(Fault.ZOMBIE));
  }

  /** Lets the job write a few rows and complete a checkpoint, whatever restarts that takes. */
  private void complete(SimulatedJob job, int rows) {
    world.allowRows(rows);
    int restarts = job.failures;
    world.advance(1);
    long asked = world.now();
    for (int round = 0; round < 60; round++) {
      if (job.stoppedAt != null) {
        job.resubmit(job.stoppedAt, job.goesOnAfterLoss());
      } else if (job.ended) {
        job.resubmit(job.latest, true);
      }
      boolean moved = false;
      for (SimulatedTask task : job.run.tasks) {
        while (task.life == SimulatedTask.Life.RUNNING && task.step()) {
          moved = true;
        }
        world.advance(1);
      }
      world.system().catchesUp();
      if (job.finished || (completedSince(job, asked) && !moved && job.settled())) {
        return;
      }
      if (!moved) {
        job.coordinateCalmly();
      }
      if (job.failures > restarts + 6) {
        throw new Violation("The job does not come to rest: " + (job.failures - restarts));
      }
    }
    throw new Violation("No checkpoint completes");
  }

  private static boolean completedSince(SimulatedJob job, long asked) {
    return job.latest != null && job.latest.triggeredAt >= asked && job.run.pending.isEmpty();
  }
}
