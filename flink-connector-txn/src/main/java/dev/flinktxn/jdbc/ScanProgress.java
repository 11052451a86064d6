// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.List;

/**
 * How far a scan has got, as its coordinator knows.
 *
 * @param begun whether any split has been handed out
 * @param pending the splits that have not been handed out
 */
record ScanProgress(boolean begun, List<ScanSplit> pending) {}
