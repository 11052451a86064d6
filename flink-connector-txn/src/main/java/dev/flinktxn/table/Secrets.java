// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.table;

import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.flink.configuration.GlobalConfiguration;

/** Tells options that hold secrets from others, by their names and by what stands in them. */
public final class Secrets {

  /** A parameter of a URL or of a JAAS configuration whose name says that it is one. */
  private static final Pattern PARAMETER =
      Pattern.compile("(?i)(password|passwd|secret|token|apikey)[\\w.-]*\\s*=\\s*[^\\s&;]");

  /** What stands before the host of a URL. */
  private static final Pattern USER_INFO = Pattern.compile("://[^/@\\s?]*:[^/@\\s?]+@");

  private Secrets() {}

  /** Whether an option of this name holds a secret. */
  public static boolean named(String key) {
    String name = key.toLowerCase(Locale.ROOT);
    // Where to fetch a secret, or who does, is none.
    if (name.endsWith(".url") || name.endsWith(".class") || name.endsWith(".location")) {
      return false;
    }
    return name.contains("password")
        || name.contains("secret")
        || name.contains("jaas")
        || name.contains("token")
        || name.contains("credential")
        || name.endsWith(".key")
        || GlobalConfiguration.isSensitive(key);
  }

  /** Whether a secret stands in the value of an option, such as a password in a URL. */
  public static boolean within(String value) {
    return PARAMETER.matcher(value).find() || USER_INFO.matcher(value).find();
  }
}
