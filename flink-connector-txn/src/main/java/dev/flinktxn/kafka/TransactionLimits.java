// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.time.Duration;

/**
 * The limits transactions of one writer live under.
 *
 * @param timeout how long one may stay open before the broker aborts it
 * @param idExpiration how long the broker remembers an idle transactional id
 */
record TransactionLimits(Duration timeout, Duration idExpiration) {}
