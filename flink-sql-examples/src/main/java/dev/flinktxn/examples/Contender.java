// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import java.util.List;

/** What has a rate of its own in every round of a benchmark; its text says what it is. */
interface Contender {

  /** A letter, in the order in which the contenders of a round run. */
  String name();

  /** The names of the contenders by whose rates this one's is divided. */
  List<String> yardsticks();
}
