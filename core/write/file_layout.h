// What all Parquet files of a write have in common: their columns, and how these are written.
#pragma once

#include <arrow/util/key_value_metadata.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "plan/data_type.h"
#include "plan/nested_type.h"
#include "write/bloom_filters.h"

namespace reprise {

/// A column of a file that is to be written.
struct WrittenColumn {
  std::string name;
  DataType type;
  bool nullable = true;
  std::optional<int> field_id;
};

/// As what Spark's timestamps are written (spark.sql.parquet.outputTimestampType).
enum class WrittenTimestamps { kInt96, kMicros, kMillis };

/// How Spark was told to write Parquet: its settings, and parquet-mr's.
struct WriteSettings {
  std::string codec = "SNAPPY";  ///< CompressionCodecName of parquet-mr
  int zstd_level = 3;
  int64_t row_group_bytes = int64_t{128} << 20;
  int64_t page_bytes = int64_t{1} << 20;
  int64_t page_rows = 20000;
  bool dictionary = true;
  int64_t dictionary_page_bytes = int64_t{1} << 20;
  bool page_checksums = true;
  BloomFilters bloom_filters;
  WrittenTimestamps timestamps = WrittenTimestamps::kInt96;
  bool legacy_decimals = false;  ///< spark.sql.parquet.writeLegacyFormat
  bool field_ids = false;        ///< of structs' fields (spark.sql.parquet.fieldId.write.enabled)
};

/// The keys and values of a file's footer, in their order.
using FooterEntries = std::vector<std::pair<std::string, std::string>>;

/// Files of one schema.
struct FileLayout {
  /// The schema is that of Spark's SparkToParquetSchemaConverter. A column of another type, or an
  /// unknown codec, is Status::NotImplemented that names it.
  static Result<std::shared_ptr<const FileLayout>> Make(std::vector<WrittenColumn> columns,
                                                        const WriteSettings& settings,
                                                        const FooterEntries& footer,
                                                        arrow::MemoryPool* pool);

  std::vector<WrittenColumn> columns;
  /// Of each column that becomes several of the file's, what it is made of; nothing of others.
  std::vector<std::optional<NestedType>> nested;
  int64_t row_group_bytes = 0;
  parquet::SchemaDescriptor schema;
  std::shared_ptr<parquet::WriterProperties> properties;
  std::shared_ptr<const arrow::KeyValueMetadata> footer;
};

}  // namespace reprise
