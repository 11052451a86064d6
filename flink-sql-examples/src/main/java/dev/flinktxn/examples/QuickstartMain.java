// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.examples;

import dev.flinktxn.fixture.RunDirectory;
import java.io.PrintStream;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * The quickstart's command line. Its exit code is 0 only when the last line is {@code RESULT
 * exactly-once windows=<n> lost=0 duplicated=0}.
 */
public final class QuickstartMain {

  private QuickstartMain() {}

  /** Runs the quickstart; {@code --help} says what it does. */
  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments), System.out));
  }

  private static int run(List<String> arguments, PrintStream out) {
    QuickstartOptions options;
    try {
      options = QuickstartOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      return 1;
    }
    if (options.help()) {
      out.print(QuickstartOptions.USAGE);
      return 0;
    }
    try (RunDirectory directory = RunDirectory.create("quickstart")) {
      // Before the first use of a logger: what the Kafka clients complain about goes there.
      System.setProperty("log4j2.configurationFile", "log4j2-quickstart.properties");
      System.setProperty(
          "quickstart.log", directory.directory("logs").resolve("quickstart.log").toString());
      return run(options, directory, new Progress(out), out);
    }
  }

  private static int run(
      QuickstartOptions options, RunDirectory directory, Progress progress, PrintStream out) {
    try {
      Verdict verdict = new Quickstart(options, directory, progress).run();
      boolean proven = verdict.exact() && options.exactlyOnce();
      if (!proven) {
        directory.keepLogs();
        progress.say("The check FAILED; logs: %s", directory.path());
      }
      out.println(verdict.line(options.guarantee()));
      return proven ? 0 : 1;
    } catch (RuntimeException e) {
      directory.keepLogs();
      LoggerFactory.getLogger(QuickstartMain.class).error("The quickstart failed", e);
      progress.say("FAILED: %s", e.getMessage() == null ? e : e.getMessage());
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        progress.say("  because: %s", cause);
      }
      out.println("No result; logs: " + directory.path());
      return 1;
    }
  }
}
