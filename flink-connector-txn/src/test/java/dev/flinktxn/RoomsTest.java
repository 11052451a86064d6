// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import java.util.Set;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.table.annotation.ProcedureHint;

/**
 * Who may import whom, and the Flink API that is not there, or not the same, in every version from
 * 1.20 to 2.3 that the one jar runs on.
 */
@AnalyzeClasses(packages = "dev.flinktxn", importOptions = DoNotIncludeTests.class)
final class RoomsTest {

  private static final String PROTOCOL = "dev.flinktxn.protocol..";
  private static final String TABLE = "dev.flinktxn.table..";
  private static final String KAFKA = "dev.flinktxn.kafka..";
  private static final String JDBC = "dev.flinktxn.jdbc..";
  private static final String CATALOG = "dev.flinktxn.catalog..";

  /** The JDK without java.sql, and slf4j. */
  private static final DescribedPredicate<JavaClass> PLAIN_JAVA =
      resideInAnyPackage("java..", "javax..", "org.slf4j..")
          .and(not(resideInAnyPackage("java.sql..", "javax.sql..")));

  private static final DescribedPredicate<JavaClass> FLINK_CORE =
      resideInAnyPackage(
              "org.apache.flink.annotation..",
              "org.apache.flink.api..",
              "org.apache.flink.configuration..",
              "org.apache.flink.core..",
              "org.apache.flink.metrics..",
              "org.apache.flink.types..",
              "org.apache.flink.util..")
          .or(
              named(
                  "org.apache.flink.table.data.RowData",
                  // flink-runtime: the same in every version, and there is no public counterpart
                  "org.apache.flink.runtime.execution.SuppressRestartsException",
                  "org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram"));

  private static final DescribedPredicate<JavaClass> FLINK_API =
      resideInAnyPackage("org.apache.flink..")
          .and(
              not(
                  resideInAnyPackage(
                      "org.apache.flink.table.planner..", "org.apache.flink.connector.kafka..")));

  @ArchTest
  static final ArchRule everyClassHasARoom =
      classes().should().resideInAnyPackage(PROTOCOL, TABLE, KAFKA, JDBC, CATALOG);

  @ArchTest
  static final ArchRule protocolKnowsNeitherAdaptersNorPlanner =
      room(PROTOCOL, PLAIN_JAVA.or(FLINK_CORE).or(resideInAnyPackage(PROTOCOL)));

  @ArchTest
  static final ArchRule tableKnowsNoAdapter =
      room(TABLE, PLAIN_JAVA.or(FLINK_API).or(resideInAnyPackage(PROTOCOL, TABLE)));

  @ArchTest
  static final ArchRule kafkaKnowsNeitherJdbcNorCatalog =
      room(
          KAFKA,
          PLAIN_JAVA
              .or(FLINK_API)
              .or(resideInAnyPackage(PROTOCOL, TABLE, KAFKA, "org.apache.kafka..")));

  @ArchTest
  static final ArchRule jdbcKnowsNeitherKafkaNorCatalog =
      room(
          JDBC,
          PLAIN_JAVA
              .or(FLINK_API)
              .or(
                  resideInAnyPackage(
                      PROTOCOL, TABLE, JDBC, "java.sql..", "javax.sql..", "org.postgresql..")));

  @ArchTest
  static final ArchRule noRoomUsesClassesThatSomeFlinkVersionsLack =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAnyPackage("org.apache.flink.shaded..", "org.apache.flink..legacy..")
                  .or(
                      named(
                          "org.apache.flink.api.common.time.Time",
                          "org.apache.flink.api.connector.sink2.Sink$InitContext",
                          "org.apache.flink.table.api.TableSchema",
                          "org.apache.flink.table.connector.sink.abilities"
                              + ".SupportsTargetColumnWriting")));

  @ArchTest
  static final ArchRule noRoomUsesMembersThatSomeFlinkVersionsLack =
      noClasses()
          .should()
          .accessTargetWhere(
              of("org.apache.flink.table.catalog.CatalogTable", "of")
                  .or(
                      of(
                          "org.apache.flink.table.types.logical.LogicalTypeRoot",
                          "VARIANT",
                          "BITMAP")))
          .orShould()
          .callMethodWhere(
              describe(
                  "it belongs to CheckpointingOptions",
                  call -> call.getTargetOwner().isEquivalentTo(CheckpointingOptions.class)));

  /** ProcedureHint has {@code argument} in every version; {@code arguments} came later. */
  @ArchTest
  static final ArchRule procedureHintsUseTheOldSpelling =
      methods()
          .should(
              ArchConditions.not(
                  ArchConditions.be(
                      describe(
                          "hinted with arguments",
                          method ->
                              method.getAnnotations().stream()
                                  .filter(
                                      hint -> hint.getRawType().isEquivalentTo(ProcedureHint.class))
                                  .anyMatch(
                                      hint -> hint.hasExplicitlyDeclaredProperty("arguments"))))));

  @ArchTest
  static final ArchRule noRoomImplementsRowData =
      noClasses().should().beAssignableTo("org.apache.flink.table.data.RowData");

  /** The call drops the committable, logs nothing, and the job finishes: silent loss. */
  @ArchTest
  static final ArchRule nothingIsDroppedInSilence =
      noClasses()
          .should()
          .accessTargetWhere(
              describe(
                  "it is signalFailedWithKnownReason",
                  access -> access.getName().equals("signalFailedWithKnownReason")));

  @ArchTest
  static final ArchRule noStaticIsMutable =
      fields().that().haveModifier(JavaModifier.STATIC).should().beFinal();

  @ArchTest
  static final ArchRule ourClassesExtendNoneOfOurs =
      noClasses()
          .that()
          .areNotAssignableTo(Throwable.class)
          .should(
              ArchConditions.be(
                  describe(
                      "subclasses of ours",
                      type ->
                          type.getRawSuperclass()
                              .filter(parent -> parent.getName().startsWith("dev.flinktxn"))
                              .filter(parent -> !parent.isEnum())
                              .isPresent())));

  @ArchTest
  static final ArchRule namesAreNounsOfTheDomain =
      noClasses()
          .should()
          .haveNameMatching(".*(Impl|Manager|Utils?|Helper|Base)|.*[.$](Abstract|Base)[A-Z].*");

  private static ArchRule room(String room, DescribedPredicate<JavaClass> allowed) {
    return classes()
        .that()
        .resideInAPackage(room)
        .should(
            onlyDependOnClassesThat(
                describe(
                    allowed.getDescription(),
                    type ->
                        type.getBaseComponentType().isPrimitive()
                            || allowed.test(type.getBaseComponentType()))))
        // A room that nobody has moved into yet.
        .allowEmptyShould(true);
  }

  private static DescribedPredicate<JavaClass> named(String... names) {
    Set<String> all = Set.of(names);
    return describe("named " + all, type -> all.contains(type.getName()));
  }

  private static DescribedPredicate<JavaAccess<?>> of(String owner, String... members) {
    Set<String> all = Set.of(members);
    return describe(
        owner + " " + all,
        access ->
            access.getTargetOwner().getName().equals(owner) && all.contains(access.getName()));
  }
}
