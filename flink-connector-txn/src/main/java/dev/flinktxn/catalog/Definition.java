// SPDX-License-Identifier: Apache-2.0
package dev.flinktxn.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.CatalogView;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedCatalogView;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.TableDistribution;
import org.apache.flink.table.catalog.WatermarkSpec;

/**
 * What the catalog keeps of one name: a table of another connector, a view, or the options of a
 * PostgreSQL table. As pairs of strings, in a form of its own: Flink's changes with its version,
 * and a definition outlives the Flink that wrote it.
 *
 * @param kind what it is
 * @param properties its parts
 */
record Definition(Kind kind, Map<String, String> properties) {

  /** What may be kept, as the database spells it. */
  enum Kind {
    TABLE,
    VIEW,
    OPTIONS;

    String spelled() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String COLUMN = "column.";
  private static final String NAME = ".name";
  private static final String TYPE = ".type";
  private static final String EXPRESSION = ".expression";
  private static final String METADATA = ".metadata";
  private static final String VIRTUAL = ".virtual";
  private static final String COLUMN_COMMENT = ".comment";
  private static final String WATERMARK = "watermark.";
  private static final String KEY_NAME = "key-name";
  private static final String KEY = "key.";
  private static final String PARTITION = "partition.";
  private static final String BUCKET_KIND = "distribution-kind";
  private static final String BUCKETS = "distribution-buckets";
  private static final String BUCKET_KEY = "distribution.";
  private static final String COMMENT = "comment";
  private static final String ORIGINAL_QUERY = "original-query";
  private static final String EXPANDED_QUERY = "expanded-query";
  private static final String OPTION = "option.";

  /** The options of a PostgreSQL table. */
  static Definition ofOptions(Map<String, String> options) {
    Map<String, String> properties = new TreeMap<>();
    putOptions(properties, options);
    return new Definition(Kind.OPTIONS, properties);
  }

  /** A table of another connector, with the options that are to be kept. */
  static Definition of(ResolvedCatalogTable table, Map<String, String> options) {
    Map<String, String> properties = new TreeMap<>();
    putSchema(properties, table.getResolvedSchema());
    putAll(properties, PARTITION, table.getPartitionKeys());
    table
        .getDistribution()
        .ifPresent(
            distribution -> {
              properties.put(BUCKET_KIND, distribution.getKind().name());
              distribution
                  .getBucketCount()
                  .ifPresent(count -> properties.put(BUCKETS, Integer.toString(count)));
              putAll(properties, BUCKET_KEY, distribution.getBucketKeys());
            });
    putComment(properties, table);
    putOptions(properties, options);
    return new Definition(Kind.TABLE, properties);
  }

  /** A view. */
  static Definition of(ResolvedCatalogView view) {
    Map<String, String> properties = new TreeMap<>();
    putSchema(properties, view.getResolvedSchema());
    putComment(properties, view);
    putOptions(properties, view.getOptions());
    properties.put(ORIGINAL_QUERY, view.getOriginalQuery());
    properties.put(EXPANDED_QUERY, view.getExpandedQuery());
    return new Definition(Kind.VIEW, properties);
  }

  private static void putSchema(Map<String, String> properties, ResolvedSchema schema) {
    int place = 0;
    for (Column column : schema.getColumns()) {
      String beginning = COLUMN + place++;
      properties.put(beginning + NAME, column.getName());
      properties.put(
          beginning + TYPE, column.getDataType().getLogicalType().asSerializableString());
      column.getComment().ifPresent(text -> properties.put(beginning + COLUMN_COMMENT, text));
      if (column instanceof Column.ComputedColumn computed) {
        properties.put(beginning + EXPRESSION, computed.getExpression().asSerializableString());
      } else if (column instanceof Column.MetadataColumn metadata) {
        properties.put(beginning + METADATA, metadata.getMetadataKey().orElse(column.getName()));
        properties.put(beginning + VIRTUAL, Boolean.toString(metadata.isVirtual()));
      }
    }
    place = 0;
    for (WatermarkSpec watermark : schema.getWatermarkSpecs()) {
      String beginning = WATERMARK + place++;
      properties.put(beginning + NAME, watermark.getRowtimeAttribute());
      properties.put(
          beginning + EXPRESSION, watermark.getWatermarkExpression().asSerializableString());
    }
    schema
        .getPrimaryKey()
        .ifPresent(
            key -> {
              properties.put(KEY_NAME, key.getName());
              putAll(properties, KEY, key.getColumns());
            });
  }

  private static void putAll(Map<String, String> properties, String beginning, List<String> all) {
    for (int place = 0; place < all.size(); place++) {
      properties.put(beginning + place, all.get(place));
    }
  }

  private static void putComment(Map<String, String> properties, CatalogBaseTable table) {
    if (table.getComment() != null && !table.getComment().isEmpty()) {
      properties.put(COMMENT, table.getComment());
    }
  }

  private static void putOptions(Map<String, String> properties, Map<String, String> options) {
    options.forEach((key, value) -> properties.put(OPTION + key, value));
  }

  /** The options that are kept. */
  Map<String, String> options() {
    Map<String, String> options = new TreeMap<>();
    properties.forEach(
        (key, value) -> {
          if (key.startsWith(OPTION)) {
            options.put(key.substring(OPTION.length()), value);
          }
        });
    return options;
  }

  /** The table, with the options it is to show. */
  CatalogTable table(Map<String, String> shown) {
    CatalogTable.Builder table =
        CatalogTable.newBuilder()
            .schema(schema())
            .comment(properties.getOrDefault(COMMENT, ""))
            .partitionKeys(all(place -> PARTITION + place))
            .options(shown);
    if (properties.containsKey(BUCKET_KIND)) {
      String buckets = properties.get(BUCKETS);
      table.distribution(
          TableDistribution.of(
              TableDistribution.Kind.valueOf(properties.get(BUCKET_KIND)),
              buckets == null ? null : Integer.valueOf(buckets),
              all(place -> BUCKET_KEY + place)));
    }
    return table.build();
  }

  /** The view. */
  CatalogView view() {
    return CatalogView.of(
        schema(),
        properties.getOrDefault(COMMENT, ""),
        properties.get(ORIGINAL_QUERY),
        properties.get(EXPANDED_QUERY),
        options());
  }

  private Schema schema() {
    Schema.Builder schema = Schema.newBuilder();
    int columns = all(place -> COLUMN + place + NAME).size();
    for (int place = 0; place < columns; place++) {
      String beginning = COLUMN + place;
      String name = properties.get(beginning + NAME);
      String type = properties.get(beginning + TYPE);
      String expression = properties.get(beginning + EXPRESSION);
      String metadata = properties.get(beginning + METADATA);
      if (expression != null) {
        schema.columnByExpression(name, expression);
      } else if (metadata != null) {
        schema.columnByMetadata(
            name,
            type,
            metadata.equals(name) ? null : metadata,
            Boolean.parseBoolean(properties.get(beginning + VIRTUAL)));
      } else {
        schema.column(name, type);
      }
      schema.withComment(properties.get(beginning + COLUMN_COMMENT));
    }
    List<String> watermarks = all(place -> WATERMARK + place + NAME);
    for (int place = 0; place < watermarks.size(); place++) {
      schema.watermark(watermarks.get(place), properties.get(WATERMARK + place + EXPRESSION));
    }
    if (properties.containsKey(KEY_NAME)) {
      schema.primaryKeyNamed(properties.get(KEY_NAME), all(place -> KEY + place));
    }
    return schema.build();
  }

  private List<String> all(IntFunction<String> key) {
    List<String> all = new ArrayList<>();
    while (properties.containsKey(key.apply(all.size()))) {
      all.add(properties.get(key.apply(all.size())));
    }
    return all;
  }
}
