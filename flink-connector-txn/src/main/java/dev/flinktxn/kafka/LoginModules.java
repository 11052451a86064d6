// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.RefusedException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SecurityConfig;
import org.apache.kafka.common.security.JaasContext;

/**
 * Looks for what SASL logs in with before Kafka does: its own words neither name the option nor
 * keep what is in it to themselves.
 */
final class LoginModules {

  private static final String OPTION = KafkaOptions.PROPERTIES + SaslConfigs.SASL_JAAS_CONFIG;

  /** Kafka's own modules by mechanism, under the names its documentation has. */
  private static final Map<String, String> KAFKAS =
      new TreeMap<>(
          Map.of(
              "PLAIN",
              ClientClassNames.documented("common.security.plain.PlainLoginModule"),
              "SCRAM-SHA-256",
              ClientClassNames.documented("common.security.scram.ScramLoginModule"),
              "SCRAM-SHA-512",
              ClientClassNames.documented("common.security.scram.ScramLoginModule"),
              "OAUTHBEARER",
              ClientClassNames.documented("common.security.oauthbearer.OAuthBearerLoginModule")));

  private LoginModules() {}

  /** Refuses a {@code sasl.jaas.config} that cannot be read, or whose class is not there. */
  static void check(AbstractConfig client, String table) throws RefusedException {
    String protocol = client.getString(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
    if (!protocol.toUpperCase(Locale.ROOT).startsWith("SASL_")) {
      return;
    }
    String mechanism = client.getString(SaslConfigs.SASL_MECHANISM);
    boolean extended = client.getString(SecurityConfig.SECURITY_PROVIDERS_CONFIG) != null;
    for (AppConfigurationEntry entry : entries(client, mechanism, table)) {
      String name = entry.getLoginModuleName();
      if (!exists(name)) {
        throw new RefusedException(
            String.format(
                "Table %s: option '%s' names the login module '%s', which is not on the class path"
                    + " of the tasks; for '%s%s' = '%s' use %s, or add the jar that holds it.",
                table,
                OPTION,
                ClientClassNames.here().original(name),
                KafkaOptions.PROPERTIES,
                SaslConfigs.SASL_MECHANISM,
                mechanism,
                usual(mechanism)));
      }
      String documented = ClientClassNames.here().original(name);
      if (KAFKAS.containsValue(documented) && !documented.equals(usual(mechanism)) && !extended) {
        // Kafka would say so in its log only, and try for ever.
        throw new RefusedException(
            String.format(
                "Table %s: option '%s%s' is '%s', but the login module of '%s' is %s; set it to one"
                    + " of %s, or use another login module.",
                table,
                KafkaOptions.PROPERTIES,
                SaslConfigs.SASL_MECHANISM,
                mechanism,
                OPTION,
                documented,
                KAFKAS.keySet().stream().filter(m -> KAFKAS.get(m).equals(documented)).toList()));
      }
    }
  }

  private static List<AppConfigurationEntry> entries(
      AbstractConfig client, String mechanism, String table) throws RefusedException {
    String needed =
        String.format(
            "it has to be %s required <name>=\"<value>\" ...; with the semicolon at the end",
            usual(mechanism));
    try {
      return JaasContext.loadClientContext(client.values()).configurationEntries();
    } catch (IllegalArgumentException e) {
      // Neither a cause nor quoted in full: it repeats the piece that it stumbles over, which may
      // be one of a password.
      throw new RefusedException(
          client.getPassword(SaslConfigs.SASL_JAAS_CONFIG) == null
              ? String.format("Table %s: option '%s' is not set, but %s.", table, OPTION, needed)
              : String.format(
                  "Table %s: option '%s' cannot be used (%s); %s.",
                  table, OPTION, e.getMessage().replaceAll("(?s)'.*'", "'...'"), needed));
    }
  }

  /** The module that goes with a mechanism, under the name its documentation has. */
  private static String usual(String mechanism) {
    return mechanism.equals(SaslConfigs.GSSAPI_MECHANISM)
        ? "com.sun.security.auth.module.Krb5LoginModule"
        : KAFKAS.getOrDefault(mechanism, "the login module of the mechanism");
  }

  /** Where Java's own login looks. */
  private static boolean exists(String name) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      Class.forName(name, false, loader == null ? ClassLoader.getSystemClassLoader() : loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
