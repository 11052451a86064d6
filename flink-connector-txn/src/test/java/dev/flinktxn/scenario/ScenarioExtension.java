// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives a test its {@link Scenario} and checks, when the test has passed, how it left things. */
final class ScenarioExtension implements ParameterResolver, AfterEachCallback {

  private static final Namespace NAMESPACE = Namespace.create(ScenarioExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Scenario.class;
  }

  @Override
  public Scenario resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Laboratory laboratory =
        context
            .getRoot()
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent(Laboratory.class, key -> new Laboratory(), Laboratory.class);
    // Other tests of this JVM may have clients of their own; from here on they are jobs'.
    laboratory.threads().ignorePresent();
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            Scenario.class, key -> new Scenario(laboratory, newDirectory()), Scenario.class);
  }

  private static Path newDirectory() {
    try {
      return Files.createTempDirectory("scenario");
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    Scenario scenario = context.getStore(NAMESPACE).get(Scenario.class, Scenario.class);
    if (scenario == null) {
      return;
    }
    try {
      scenario.endJobs();
      if (context.getExecutionException().isEmpty()) {
        scenario.assertNothingLeft();
      }
    } finally {
      scenario.close();
    }
    delete(scenario.directory(""));
  }

  private static void delete(Path directory) throws java.io.IOException {
    List<Path> deepestFirst;
    try (Stream<Path> paths = Files.walk(directory)) {
      deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.deleteIfExists(path);
    }
  }
}
