// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.jdbc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What the connector warns of from now on, in this JVM. */
final class WarningLog extends AbstractAppender implements AutoCloseable {

  private final List<String> warnings = new CopyOnWriteArrayList<>();

  private WarningLog() {
    super("warnings of a test", null, null, true, Property.EMPTY_ARRAY);
  }

  static WarningLog listen() {
    WarningLog log = new WarningLog();
    log.start();
    root().addAppender(log);
    return log;
  }

  @Override
  public void append(LogEvent event) {
    if (event.getLevel() == Level.WARN && event.getLoggerName().startsWith("dev.flinktxn.")) {
      warnings.add(event.getMessage().getFormattedMessage());
    }
  }

  List<String> warnings() {
    return warnings;
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
