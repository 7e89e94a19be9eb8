// Spark's own settings that the core reads: one literal table.
//
// The plug-in hands each over as Spark itself reads it, by its typed entry: under its present name
// whatever older one the session has set, in the letter case that Spark compares with, and with
// Spark's default where nothing is set. So no setting is read that stands not in this table: a key
// that it lacks does not compile.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace reprise {

inline constexpr std::string_view kSparkSettings[] = {
    "spark.sql.ansi.enabled",
    "spark.sql.caseSensitive",
    "spark.sql.codegen.maxFields",
    "spark.sql.codegen.wholeStage",
    "spark.sql.columnNameOfCorruptRecord",
    "spark.sql.csv.parser.columnPruning.enabled",
    "spark.sql.execution.arrow.maxBytesPerBatch",
    "spark.sql.execution.arrow.maxRecordsPerBatch",
    "spark.sql.execution.arrow.useLargeVarTypes",
    "spark.sql.execution.pythonUDF.arrow.concurrency.level",
    "spark.sql.execution.sortBeforeRepartition",
    "spark.sql.files.ignoreCorruptFiles",
    "spark.sql.files.ignoreMissingFiles",
    "spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing",
    "spark.sql.legacy.timeParserPolicy",
    "spark.sql.maxConcurrentOutputFileWriters",
    "spark.sql.parquet.datetimeRebaseModeInRead",
    "spark.sql.parquet.datetimeRebaseModeInWrite",
    "spark.sql.parquet.enableNestedColumnVectorizedReader",
    "spark.sql.parquet.enableVectorizedReader",
    "spark.sql.parquet.fieldId.read.enabled",
    "spark.sql.parquet.fieldId.read.ignoreMissing",
    "spark.sql.parquet.int96RebaseModeInRead",
    "spark.sql.parquet.int96RebaseModeInWrite",
    "spark.sql.parquet.int96TimestampConversion",
    "spark.sql.parquet.outputTimestampType",
    "spark.sql.parquet.writeLegacyFormat",
    "spark.sql.sources.bucketing.enabled",
    "spark.sql.subexpressionElimination.enabled",
    "spark.sql.subexpressionElimination.skipForShortcutExpr",
    "spark.sql.window.segmentTree.enabled",
};

/// The name of one of these settings.
class SparkKey {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a key is written as its text
  consteval SparkKey(const char* text) : text_(text) {
    if (std::ranges::find(kSparkSettings, text_) == std::end(kSparkSettings)) {
      throw "a setting of Spark's that kSparkSettings lacks";
    }
  }
  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

/// The table as a JSON array of texts.
std::string SparkSettingsJson();

}  // namespace reprise
