package dev.flinktxn.protocol;

/** What a writer sees when it looks at one of its own transactions. */
public enum Sighting {
  /** Open: being written, or prepared and waiting for its commit. */
  OPEN,
  /** Committed for good. */
  COMMITTED,
  /** Neither: aborted, expired or no longer known. What it holds may not be counted on. */
  GONE
}
