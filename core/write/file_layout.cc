// Spark's SparkToParquetSchemaConverter: the Parquet type of each of Spark's types.
#include "write/file_layout.h"

#include <algorithm>

#include "vocabulary/written_files.h"
#include "write/parquet_guard.h"

namespace reprise {

namespace {

using parquet::LogicalType;
using parquet::Repetition;
using parquet::Type;
using parquet::schema::GroupNode;
using parquet::schema::NodePtr;
using parquet::schema::NodeVector;
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

NodePtr NodeOf(const std::string& name, const NestedType& type, bool nullable,
               const WriteSettings& settings, int field_id = kNoFieldId);

/// Of what an array, a map or a struct is made of, by the schema's names for them.
NodePtr PartOf(const NestedType& type, int i, const WriteSettings& settings) {
  const NestedType& part = type.parts[static_cast<size_t>(i)];
  if (type.form == NestedType::Form::kMap) {
    const auto& map = static_cast<const arrow::MapType&>(*type.arrow);
    return i == 0 ? NodeOf("key", part, false, settings)
                  : NodeOf("value", part, map.item_field()->nullable(), settings);
  }
  const arrow::Field& field = *type.arrow->field(i);
  if (type.form == NestedType::Form::kArray) {
    return NodeOf("element", part, field.nullable(), settings);
  }
  const int id = settings.field_ids ? type.FieldId(static_cast<size_t>(i)) : kNoFieldId;
  return NodeOf(field.name(), part, field.nullable(), settings, id);
}

NodePtr NodeOf(const std::string& name, const NestedType& type, bool nullable,
               const WriteSettings& settings, int field_id) {
  const auto repetition = nullable ? Repetition::OPTIONAL : Repetition::REQUIRED;
  if (type.parts.empty()) {
    const bool is_text = type.form == NestedType::Form::kText;
    const ParquetType flat = TypeOf(is_text ? ParseDataType("string") : type.type, settings);
    return PrimitiveNode::Make(name, repetition, flat.logical, flat.physical, flat.length,
                               field_id);
  }
  NodeVector parts;
  for (size_t i = 0; i < type.parts.size(); ++i) {
    parts.push_back(PartOf(type, static_cast<int>(i), settings));
  }
  if (type.form == NestedType::Form::kStruct) {
    return GroupNode::Make(name, repetition, parts, parquet::ConvertedType::NONE, field_id);
  }
  const bool is_map = type.form == NestedType::Form::kMap;
  auto repeated = GroupNode::Make(is_map ? "key_value" : "list", Repetition::REPEATED, parts);
  return GroupNode::Make(name, repetition, {std::move(repeated)},
                         is_map ? LogicalType::Map() : LogicalType::List(), field_id);
}

Result<NodePtr> NodeOf(const WrittenColumn& column, const std::optional<NestedType>& nested,
                       const WriteSettings& settings) {
  if (!IsWritten(column.type)) {
    return Status::NotImplemented("column ", column.name, " of type ", column.type.ToString(),
                                  " is not written natively");
  }
  return NodeOf(column.name, nested ? *nested : PlainItemType(column.type), column.nullable,
                settings, column.field_id.value_or(kNoFieldId));
}

/// Filters of a column, where it is to have any. None are made of booleans.
void AddBloomFilter(const parquet::ColumnDescriptor& column, const BloomFilters& filters,
                    parquet::WriterProperties::Builder* builder) {
  const auto path = column.path();
  const BloomFilterSettings& settings = filters.of(path->ToDotString());
  if (!settings.enabled || column.physical_type() == Type::BOOLEAN) return;
  const int64_t most = DistinctValuesOf(filters.bytes_max, settings.false_positives);
  parquet::BloomFilterOptions options;
  options.ndv = std::max<int64_t>(1, std::min(settings.distinct_values.value_or(most), most));
  options.fpp = settings.false_positives;
  builder->enable_bloom_filter(path, options);
}

/// As parquet-mr has it where Spark asks for its first version.
std::shared_ptr<parquet::WriterProperties> PropertiesOf(const parquet::SchemaDescriptor& schema,
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
  for (int i = 0; i < schema.num_columns(); ++i) {
    AddBloomFilter(*schema.Column(i), settings.bloom_filters, &builder);
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
    NodeVector nodes;
    auto layout = std::make_shared<FileLayout>();
    for (const WrittenColumn& column : columns) {
      auto nested = ParseNestedType(column.type);
      ARROW_ASSIGN_OR_RAISE(auto node, NodeOf(column, nested, settings));
      nodes.push_back(std::move(node));
      if (nested && nested->parts.empty()) nested.reset();
      layout->nested.push_back(std::move(nested));
    }
    layout->columns = std::move(columns);
    layout->row_group_bytes = settings.row_group_bytes;
    layout->schema.Init(GroupNode::Make(kMessageName, Repetition::REQUIRED, std::move(nodes)));
    layout->properties = PropertiesOf(layout->schema, settings, codec->codec, pool);
    auto entries = std::make_shared<arrow::KeyValueMetadata>();
    for (const auto& [key, value] : footer) entries->Append(key, value);
    layout->footer = std::move(entries);
    return layout;
  });
}

}  // namespace reprise
