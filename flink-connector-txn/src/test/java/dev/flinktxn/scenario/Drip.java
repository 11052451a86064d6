// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;

/** A directory that a streaming job watches; each file dropped into it becomes one split. */
final class Drip {

  private final Path directory;
  private int files;

  Drip(Path directory) {
    this.directory = directory;
  }

  Path directory() {
    return directory;
  }

  /** Lets the job have these rows, all in one file. */
  void drop(Collection<String> rows) throws IOException {
    Path hidden = Files.write(directory.resolve(".next"), rows);
    Files.move(
        hidden,
        directory.resolve(String.format("%06d.json", files++)),
        StandardCopyOption.ATOMIC_MOVE);
  }

  /** Lets the job have these rows, each in a file of its own, so that idle readers share them. */
  void dropOneByOne(Collection<String> rows) throws IOException {
    for (String row : rows) {
      drop(List.of(row));
    }
  }
}
