// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import java.util.List;
import org.apache.kafka.common.errors.IllegalSaslStateException;
import org.apache.kafka.common.security.auth.SaslExtensions;
import org.apache.kafka.common.security.scram.ScramExtensionsCallback;
import org.apache.kafka.common.security.scram.internals.ScramExtensions;
import org.apache.kafka.common.security.scram.internals.ScramFormatter;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.scram.internals.ScramMessages;
import org.apache.kafka.common.security.scram.internals.ScramSaslClient;

/**
 * The classes of a SCRAM login, loaded as a whole. Java keeps the first copy of them that it meets
 * for all logins of the JVM, those of later jobs too. When Flink closes the class loader of the job
 * that brought the copy, it can use what is loaded and nothing more; a login that failed halfway
 * would leave half a copy behind, and no later job could log in.
 */
final class ScramLogin {

  private static final List<Class<?>> CLASSES =
      List.of(
          ScramSaslClient.class,
          ScramMechanism.class,
          ScramFormatter.class,
          ScramExtensions.class,
          ScramExtensionsCallback.class,
          ScramMessages.class,
          SaslExtensions.class,
          IllegalSaslStateException.class);

  private ScramLogin() {}

  /** Loads them, if {@code mechanism} is one that uses them. */
  static void load(String mechanism) {
    if (mechanism != null && mechanism.startsWith("SCRAM-")) {
      for (Class<?> each : CLASSES) {
        initialize(each);
        for (Class<?> nested : each.getDeclaredClasses()) {
          initialize(nested);
        }
      }
    }
  }

  private static void initialize(Class<?> loaded) {
    try {
      Class.forName(loaded.getName(), true, loaded.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
