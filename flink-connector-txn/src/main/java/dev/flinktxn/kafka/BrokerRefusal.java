// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.kafka;

import dev.flinktxn.protocol.RefusedException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.security.auth.login.LoginException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.protocol.Errors;

/** Words for what a broker will not let this client do, with the way out of it. */
final class BrokerRefusal {

  private static final String ENDLESS = KafkaOptions.PROPERTIES + ProducerProperties.ENDLESS;

  private BrokerRefusal() {}

  /** Whether {@code error} means that a right is missing. */
  static boolean isDenial(Errors error) {
    return switch (error) {
      case TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
          CLUSTER_AUTHORIZATION_FAILED,
          TOPIC_AUTHORIZATION_FAILED ->
          true;
      default -> false;
    };
  }

  /** The denial {@code error} met for {@code transactionalId}. */
  static DeniedException of(Errors error, String transactionalId) {
    if (error != Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED) {
      return new DeniedException("Kafka denies access: " + error.message(), error.exception());
    }
    return new DeniedException(
        "Kafka denies access to transactional id '"
            + transactionalId
            + "'. "
            + transactionalIdAcl(transactionalId),
        error.exception());
  }

  /** The ACL that lets a principal use all ids of the prefix that {@code transactionalId} has. */
  static String transactionalIdAcl(String transactionalId) {
    int end = transactionalId.indexOf('~');
    String prefix = end < 0 ? transactionalId : transactionalId.substring(0, end);
    return "Grant it: kafka-acls.sh --add --allow-principal User:<user> --operation Write"
        + " --operation Describe --resource-pattern-type prefixed --transactional-id '"
        + prefix
        + "'";
  }

  /** The brokers know no transactions without a timeout. */
  static RefusedException endlessNotOffered(KafkaException cause) {
    return new RefusedException(
        "option '"
            + ENDLESS
            + "' is 'true', but the brokers do not offer transactions that never expire (KIP-939;"
            + " Kafka 4.x with unstable.api.versions.enable = true); remove the option",
        cause);
  }

  /** They do, but not to this principal or to nobody. */
  static RefusedException endlessNotAllowed(String transactionalId, Throwable cause) {
    int end = transactionalId.indexOf('~');
    return new RefusedException(
        "option '"
            + ENDLESS
            + "' is 'true', but the brokers do not allow transactions that never expire; set"
            + " transaction.two.phase.commit.enable = true on every broker, and where there are ACLs"
            + " grant TwoPhaseCommit on the transactional ids that begin with '"
            + (end < 0 ? transactionalId : transactionalId.substring(0, end))
            + "', or remove the option",
        cause);
  }

  /** The refusal met while connecting or sending. */
  static IOException of(KafkaException refusal) {
    if (refusal instanceof UnsupportedVersionException) {
      return new RefusedException(
          "The Kafka brokers are too old for exactly-once: version 3.0 or later is needed ("
              + refusal.getMessage()
              + ")",
          refusal);
    }
    return new UnauthenticatedException(unauthenticated(refusal), refusal);
  }

  /** What to do about {@code refusal}, as a sentence without its end. */
  static String unauthenticated(KafkaException refusal) {
    if (refusal instanceof SslAuthenticationException) {
      return "the SSL handshake with the Kafka brokers failed ("
          + innermost(refusal).getMessage()
          + "); check the properties.ssl.* options: the trust store has to hold the brokers'"
          + " certificate or that of its issuer";
    }
    return "the Kafka brokers refused the login ("
        + refusal.getMessage()
        + "); check 'properties.sasl.mechanism', and user and password in"
        + " 'properties.sasl.jaas.config'";
  }

  /**
   * The reason why no client could be made. Final when it is one of the options or of the files
   * they name; a name that does not resolve and a login at a third server may work on another try.
   */
  static IOException unusable(String table, KafkaException failure) {
    KafkaException last = failure;
    boolean isFinal = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KafkaException kafka) {
        last = kafka;
      }
      isFinal |=
          cause instanceof InvalidConfigurationException
              || cause instanceof IOException
              || cause instanceof GeneralSecurityException && !(cause instanceof LoginException);
    }
    String why = last.getMessage();
    if (last.getCause() != null && !why.contains(last.getCause().toString())) {
      why += " (" + last.getCause() + ")";
    }
    String message = "Table " + table + ": no Kafka client can be made: " + why;
    return isFinal
        ? new RefusedException(
            message
                + "; check the properties.ssl.* options, and that the files they name are on every"
                + " TaskManager.",
            failure)
        : new IOException(message, failure);
  }

  private static Throwable innermost(Throwable thrown) {
    Throwable innermost = thrown;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return innermost;
  }
}
