// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the jar that users drop into Flink holds. */
final class DropInJarITCase {

  private static final Path PATH = Path.of(System.getProperty("connector.jar"));
  private static final Path SERVICES = Path.of("src/main/resources/META-INF/services");
  private static final long MEGABYTE = 1_000_000;

  private static JarFile jar;

  @BeforeAll
  static void open() throws IOException {
    jar = new JarFile(PATH.toFile());
  }

  @AfterAll
  static void close() throws IOException {
    jar.close();
  }

  @Test
  void holdsNoClassOutsideOurNamespace() {
    assertThat(entries())
        .filteredOn(name -> name.endsWith(".class"))
        .hasSizeGreaterThan(1000)
        .allMatch(name -> name.startsWith("dev/flinktxn/"));
  }

  @Test
  void holdsItsClientsRelocatedAndNowhereElse() {
    assertThat(entries())
        .contains(
            "dev/flinktxn/shaded/org/apache/kafka/clients/producer/KafkaProducer.class",
            "dev/flinktxn/shaded/org/postgresql/Driver.class")
        .noneMatch(name -> name.startsWith("org/"))
        .noneMatch(name -> name.startsWith("com/"))
        .noneMatch(name -> name.startsWith("common/"));
  }

  @Test
  void leavesCodecsLoggingAndFlinkToTheDistribution() {
    assertThat(entries())
        .noneMatch(name -> name.contains("net/jpountz/"))
        .noneMatch(name -> name.contains("org/xerial/"))
        .noneMatch(name -> name.contains("com/github/luben/"))
        .noneMatch(name -> name.contains("org/slf4j/"))
        .noneMatch(name -> name.contains("org/apache/flink/"))
        .noneMatch(name -> name.matches(".*\\.(so|dll|dylib|jnilib)"));
  }

  @Test
  void carriesItsLicenceAndTheNoticesOfWhatItBundles() throws IOException {
    assertThat(text("META-INF/LICENSE"))
        .anyMatch(line -> line.contains("Apache License"))
        .anyMatch(line -> line.contains("Protocol Buffers"))
        .anyMatch(line -> line.contains("PostgreSQL JDBC Driver"))
        .anyMatch(line -> line.contains("OnGres SCRAM"));
    assertThat(text("META-INF/NOTICE")).contains("Apache Kafka", "Apache Commons Net");
  }

  @Test
  void namesEveryBundledArtifactInItsNotice() throws IOException {
    assertThat(text("META-INF/NOTICE"))
        .anyMatch(line -> line.contains("org.apache.kafka:kafka-clients:" + bundledKafkaVersion()));
  }

  /** Whoever runs a JVM sets them once for all copies of Kafka's client in it. */
  @Test
  void leavesTheNamesOfSystemPropertiesAlone() throws Exception {
    String prefix = String.join(".", "org", "apache", "kafka", "");
    Map<String, String> properties =
        Map.of(
            "common/security/JaasUtils", "allowed.login.modules",
            "common/security/JaasContext", "disallowed.login.modules",
            "common/config/AbstractConfig", "automatic.config.providers",
            "common/security/oauthbearer/internals/secured/ConfigurationUtils",
                "sasl.oauthbearer.allowed.urls",
            "common/config/internals/BrokerSecurityConfigs", "sasl.oauthbearer.allowed.files");
    for (Map.Entry<String, String> property : properties.entrySet()) {
      String file = "dev/flinktxn/shaded/org/apache/kafka/" + property.getKey() + ".class";
      try (InputStream bytes = jar.getInputStream(jar.getEntry(file))) {
        assertThat(new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1))
            .contains(prefix + property.getValue())
            .doesNotContain("shaded." + prefix + property.getValue());
      }
    }
  }

  /** A driver that DriverManager finds is in the way of the user's own. */
  @Test
  void registersNoDriver() {
    assertThat(entries()).doesNotContain("META-INF/services/java.sql.Driver");
  }

  @Test
  void carriesNoSignatureAndNoModuleDescriptor() {
    assertThat(entries())
        .noneMatch(name -> name.matches("META-INF/.*\\.(SF|DSA|RSA|EC)"))
        .noneMatch(name -> name.endsWith("module-info.class"));
  }

  @Test
  void declaresEveryServiceOfTheSourceTree() throws IOException {
    if (Files.isDirectory(SERVICES)) {
      try (Stream<Path> services = Files.list(SERVICES)) {
        for (Path service : services.toList()) {
          assertThat(providers("META-INF/services/" + service.getFileName()))
              .containsAll(providers(Files.readAllLines(service)));
        }
      }
    }
  }

  @Test
  void declaresOnlyServicesWhoseProvidersItHolds() throws IOException {
    List<String> services =
        entries().stream().filter(name -> name.matches("META-INF/services/.+")).toList();
    assertThat(services).isNotEmpty();
    for (String service : services) {
      assertThat(providers(service))
          .isNotEmpty()
          .allMatch(provider -> jar.getEntry(provider.replace('.', '/') + ".class") != null);
    }
  }

  @Test
  void isBelowFifteenMegabytes() throws IOException {
    assertThat(Files.size(PATH)).isLessThan(15 * MEGABYTE);
  }

  private static List<String> entries() {
    return jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();
  }

  private static String bundledKafkaVersion() {
    try {
      return text("kafka/kafka-version.properties").stream()
          .filter(line -> line.startsWith("version="))
          .map(line -> line.substring("version=".length()))
          .collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> providers(String service) throws IOException {
    return providers(text(service));
  }

  private static Set<String> providers(List<String> lines) {
    return lines.stream()
        .map(line -> line.replaceFirst("#.*", "").strip())
        .filter(line -> !line.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> text(String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    assertThat(entry).as(name).isNotNull();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(jar.getInputStream(entry), StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    }
  }
}
