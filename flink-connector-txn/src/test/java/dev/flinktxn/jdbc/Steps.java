// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import dev.flinktxn.fixture.PgFaults;
import dev.flinktxn.fixture.PgRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * What a store asks of the server, one request after the other, so that each of them can be spoilt.
 * Requests that travel with the next one are not counted: pgjdbc's BEGIN and all limits of a
 * transaction but the last.
 */
final class Steps {

  private static final List<String> ALONG =
      List.of(
          "BEGIN",
          "SET TRANSACTION ISOLATION LEVEL",
          "SELECT set_config",
          "SET LOCAL statement_timeout",
          "SET LOCAL idle_in_transaction_session_timeout");

  private final PgFaults faults;
  private final int before;
  private final int roundTripsBefore;

  private Steps(PgFaults faults) {
    this.faults = faults;
    this.before = faults.seen().size();
    this.roundTripsBefore = faults.roundTrips();
  }

  /** Begins to take notes. */
  static Steps record(PgFaults faults) {
    return new Steps(faults);
  }

  /** What was asked since then, in order. */
  List<String> taken() {
    return faults.seen().stream().skip(before).filter(Steps::counts).map(Steps::name).toList();
  }

  /** How often the client has waited for the server since then. */
  int roundTrips() {
    return faults.roundTrips() - roundTripsBefore;
  }

  /** The request with this number, counted from 0 and from now on. */
  static Predicate<PgRequest> number(int number) {
    AtomicInteger next = new AtomicInteger();
    return request -> counts(request) && next.getAndIncrement() == number;
  }

  private static boolean counts(PgRequest request) {
    return ALONG.stream().noneMatch(request.sql().strip()::startsWith);
  }

  private static String name(PgRequest request) {
    return request.kind() == PgRequest.Kind.STATEMENT
        ? request.sql().strip()
        : request.kind().toString();
  }
}
