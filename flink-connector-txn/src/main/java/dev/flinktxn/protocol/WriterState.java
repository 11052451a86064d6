// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.protocol;

/**
 * What a writer leaves in a checkpoint. Its transactions travel as committables, so this is only
 * the name they were written under, to refuse a restore that would orphan them.
 *
 * @param prefix the prefix of the INSERT that took the checkpoint
 */
public record WriterState(String prefix) {}
