// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.scenario;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What this JVM logs as an error from now on. */
final class ErrorLog extends AbstractAppender implements AutoCloseable {

  private final List<String> errors = new CopyOnWriteArrayList<>();

  private ErrorLog() {
    super("errors of a scenario", null, null, true, Property.EMPTY_ARRAY);
  }

  static ErrorLog listen() {
    ErrorLog log = new ErrorLog();
    log.start();
    root().addAppender(log);
    return log;
  }

  @Override
  public void append(LogEvent event) {
    if (event.getLevel().isMoreSpecificThan(Level.ERROR)) {
      errors.add(event.getLoggerName() + ": " + event.getMessage().getFormattedMessage());
    }
  }

  List<String> errors() {
    return errors;
  }

  @Override
  public void close() {
    root().removeAppender(this);
    stop();
  }

  private static Logger root() {
    return (Logger) LogManager.getRootLogger();
  }
}
