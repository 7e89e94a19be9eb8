// Spark's SparkToParquetSchemaConverter: the Parquet type of each of Spark's flat types.
#include "write/file_layout.h"

#include <algorithm>

#include "vocabulary/written_files.h"
#include "write/parquet_guard.h"

namespace reprise {

namespace {

using parquet::LogicalType;
using parquet::Repetition;
using parquet::Type;
using parquet::schema::NodePtr;
using parquet::schema::PrimitiveNode;

// ParquetSchemaConverter.SPARK_PARQUET_SCHEMA_NAME.
constexpr const char* kMessageName = "spark_schema";

constexpr int kIntDigitsMax = 9;
constexpr int kLongDigitsMax = 18;

struct NamedCodec {
  std::string_view name;  // of parquet-mr
  arrow::Compression::type codec;
};

// Those of WrittenCodecs().
constexpr NamedCodec kCodecs[] = {
    {"UNCOMPRESSED", arrow::Compression::UNCOMPRESSED},
    {"SNAPPY", arrow::Compression::SNAPPY},
    {"GZIP", arrow::Compression::GZIP},
    {"ZSTD", arrow::Compression::ZSTD},
    {"LZ4_RAW", arrow::Compression::LZ4},
};

// What zlib takes where nobody names a level, as parquet-mr's codec does.
constexpr int kGzipLevel = 6;

/// Decimal.minBytesForPrecision: the least number of bytes that hold any number of so many digits.
int BytesForDigits(int precision) {
  double most = 1;
  for (int i = 0; i < precision; ++i) most *= 10;
  int bytes = 1;
  for (double half = 128; half < most; half *= 256) ++bytes;
  return bytes;
}

struct ParquetType {
  Type::type physical = Type::UNDEFINED;
  std::shared_ptr<const LogicalType> logical = LogicalType::None();
  int length = -1;
};

ParquetType DecimalType(const DataType& type, bool is_legacy) {
  const auto logical = LogicalType::Decimal(type.precision, type.scale);
  if (!is_legacy && type.precision <= kIntDigitsMax) return {Type::INT32, logical};
  if (!is_legacy && type.precision <= kLongDigitsMax) return {Type::INT64, logical};
  return {Type::FIXED_LEN_BYTE_ARRAY, logical, BytesForDigits(type.precision)};
}

std::shared_ptr<const LogicalType> Timestamps(bool is_instant, LogicalType::TimeUnit::unit unit) {
  return LogicalType::Timestamp(is_instant, unit);
}

ParquetType TimestampType(WrittenTimestamps written) {
  switch (written) {
    case WrittenTimestamps::kInt96:
      return {Type::INT96};
    case WrittenTimestamps::kMicros:
      return {Type::INT64, Timestamps(true, LogicalType::TimeUnit::MICROS)};
    case WrittenTimestamps::kMillis:
      break;
  }
  return {Type::INT64, Timestamps(true, LogicalType::TimeUnit::MILLIS)};
}

ParquetType TypeOf(const DataType& type, const WriteSettings& settings) {
  switch (WrittenKind(type)) {
    case TypeKind::kBoolean:
      return {Type::BOOLEAN};
    case TypeKind::kByte:
      return {Type::INT32, LogicalType::Int(8, true)};
    case TypeKind::kShort:
      return {Type::INT32, LogicalType::Int(16, true)};
    case TypeKind::kInteger:
      return {Type::INT32};
    case TypeKind::kLong:
      return {Type::INT64};
    case TypeKind::kFloat:
      return {Type::FLOAT};
    case TypeKind::kDouble:
      return {Type::DOUBLE};
    case TypeKind::kDecimal:
      return DecimalType(type, settings.legacy_decimals);
    case TypeKind::kString:
      return {Type::BYTE_ARRAY, LogicalType::String()};
    case TypeKind::kBinary:
      return {Type::BYTE_ARRAY};
    case TypeKind::kDate:
      return {Type::INT32, LogicalType::Date()};
    case TypeKind::kTimestamp:
      return TimestampType(settings.timestamps);
    case TypeKind::kTimestampNtz:
      return {Type::INT64, Timestamps(false, LogicalType::TimeUnit::MICROS)};
    case TypeKind::kNull:
    case TypeKind::kOther:
      break;
  }
  return {};
}

Result<NodePtr> NodeOf(const WrittenColumn& column, const WriteSettings& settings) {
  if (WrittenKind(column.type) == TypeKind::kOther) {
    return Status::NotImplemented("column ", column.name, " of type ", column.type.ToString(),
                                  " is not written natively");
  }
  ParquetType type = TypeOf(column.type, settings);
  return PrimitiveNode::Make(
      column.name, column.nullable ? Repetition::OPTIONAL : Repetition::REQUIRED,
      std::move(type.logical), type.physical, type.length, column.field_id.value_or(-1));
}

/// Filters of a column, where it is to have any. None are made of booleans.
void AddBloomFilter(const WrittenColumn& column, const BloomFilters& filters,
                    parquet::WriterProperties::Builder* builder) {
  const BloomFilterSettings& settings = filters.of(column.name);
  if (!settings.enabled || column.type.is(TypeKind::kBoolean)) return;
  const int64_t most = DistinctValuesOf(filters.bytes_max, settings.false_positives);
  parquet::BloomFilterOptions options;
  options.ndv = std::max<int64_t>(1, std::min(settings.distinct_values.value_or(most), most));
  options.fpp = settings.false_positives;
  builder->enable_bloom_filter(
      std::make_shared<parquet::schema::ColumnPath>(std::vector<std::string>{column.name}),
      options);
}

/// As parquet-mr has it where Spark asks for its first version.
std::shared_ptr<parquet::WriterProperties> PropertiesOf(const std::vector<WrittenColumn>& columns,
                                                        const WriteSettings& settings,
                                                        arrow::Compression::type codec,
                                                        arrow::MemoryPool* pool) {
  parquet::WriterProperties::Builder builder;
  builder.memory_pool(pool)
      ->version(parquet::ParquetVersion::PARQUET_1_0)
      ->data_page_version(parquet::ParquetDataPageVersion::V1)
      ->created_by("reprise version " REPRISE_VERSION)
      ->compression(codec)
      ->data_pagesize(settings.page_bytes)
      ->max_rows_per_page(settings.page_rows)
      ->dictionary_pagesize_limit(settings.dictionary_page_bytes)
      ->enable_write_page_index();
  if (codec == arrow::Compression::GZIP) builder.compression_level(kGzipLevel);
  if (codec == arrow::Compression::ZSTD) builder.compression_level(settings.zstd_level);
  settings.dictionary ? builder.enable_dictionary() : builder.disable_dictionary();
  settings.page_checksums ? builder.enable_page_checksum() : builder.disable_page_checksum();
  for (const WrittenColumn& column : columns) {
    AddBloomFilter(column, settings.bloom_filters, &builder);
  }
  return builder.build();
}

}  // namespace

Result<std::shared_ptr<const FileLayout>> FileLayout::Make(std::vector<WrittenColumn> columns,
                                                           const WriteSettings& settings,
                                                           const FooterEntries& footer,
                                                           arrow::MemoryPool* pool) {
  const auto* codec = std::ranges::find(kCodecs, settings.codec, &NamedCodec::name);
  if (codec == std::end(kCodecs)) {
    return Status::NotImplemented("codec ", settings.codec, " is not written natively");
  }
  return GuardWriting([&]() -> Result<std::shared_ptr<const FileLayout>> {
    parquet::schema::NodeVector nodes;
    for (const WrittenColumn& column : columns) {
      ARROW_ASSIGN_OR_RAISE(auto node, NodeOf(column, settings));
      nodes.push_back(std::move(node));
    }
    auto layout = std::make_shared<FileLayout>();
    layout->columns = std::move(columns);
    layout->row_group_bytes = settings.row_group_bytes;
    layout->schema.Init(
        parquet::schema::GroupNode::Make(kMessageName, Repetition::REQUIRED, std::move(nodes)));
    layout->properties = PropertiesOf(layout->columns, settings, codec->codec, pool);
    auto entries = std::make_shared<arrow::KeyValueMetadata>();
    for (const auto& [key, value] : footer) entries->Append(key, value);
    layout->footer = std::move(entries);
    return layout;
  });
}

}  // namespace reprise
