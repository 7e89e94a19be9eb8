#include "dump/sample_dump.h"

#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_decimal.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/json/from_string.h>
#include <arrow/util/decimal.h>
#include <stdlib.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "dump/begin.h"
#include "dump/capture_writer.h"
#include "dump/dump_path.h"
#include "dump/file.h"

namespace reprise {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "reprise-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "cannot make " << name;
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::vector<Field> EveryType() {
  std::vector<Field> fields;
  for (const char* name : {"void", "boolean", "byte", "short", "integer", "long", "float", "double",
                           "decimal(15,2)", "decimal(18,18)", "decimal(38,10)", "string", "binary",
                           "date", "timestamp", "timestamp_ntz"}) {
    fields.push_back({name, ParseDataType(name), true});
  }
  return fields;
}

namespace {

template <typename T>
T Extreme(int64_t i) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const T values[] = {T(-0.0),
                        T(0.0),
                        Limits::quiet_NaN(),
                        -Limits::infinity(),
                        Limits::max(),
                        Limits::denorm_min(),
                        T(1.5)};
    return values[i % 7];
  } else {
    const T values[] = {0, 1, static_cast<T>(-1), Limits::min(), Limits::max(), static_cast<T>(i)};
    return values[i % 6];
  }
}

template <typename Builder, typename Value>
std::shared_ptr<arrow::Array> Build(Builder&& builder, int64_t rows, int seed, Value&& value) {
  for (int64_t i = seed; i < seed + rows; ++i) {
    const Status status = i % 5 == 3 ? builder.AppendNull() : builder.Append(value(i));
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  return builder.Finish().ValueOrDie();
}

std::shared_ptr<arrow::Array> ColumnOf(const DataType& type, int64_t rows, int seed) {
  const auto arrow_type = ToArrow(type).ValueOrDie();
  auto* pool = arrow::default_memory_pool();
  switch (type.kind) {
    case TypeKind::kBoolean:
      return Build(arrow::BooleanBuilder(), rows, seed, [](int64_t i) { return i % 2 == 0; });
    case TypeKind::kByte:
      return Build(arrow::Int8Builder(), rows, seed, Extreme<int8_t>);
    case TypeKind::kShort:
      return Build(arrow::Int16Builder(), rows, seed, Extreme<int16_t>);
    case TypeKind::kInteger:
      return Build(arrow::Int32Builder(), rows, seed, Extreme<int32_t>);
    case TypeKind::kLong:
      return Build(arrow::Int64Builder(), rows, seed, Extreme<int64_t>);
    case TypeKind::kFloat:
      return Build(arrow::FloatBuilder(), rows, seed, Extreme<float>);
    case TypeKind::kDouble:
      return Build(arrow::DoubleBuilder(), rows, seed, Extreme<double>);
    case TypeKind::kDate:
      return Build(arrow::Date32Builder(), rows, seed, Extreme<int32_t>);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return Build(arrow::TimestampBuilder(arrow_type, pool), rows, seed, Extreme<int64_t>);
    case TypeKind::kDecimal:
      if (type.is_short_decimal()) {
        return Build(arrow::Decimal64Builder(arrow_type), rows, seed, [](int64_t i) {
          return arrow::Decimal64((i % 2 == 0 ? 1 : -1) * (999999999999999 - i));
        });
      }
      return Build(arrow::Decimal128Builder(arrow_type), rows, seed, [](int64_t i) {
        return arrow::Decimal128((i % 2 == 0 ? 1 : -1) * (5000000000000000000 - i),
                                 static_cast<uint64_t>(i));
      });
    case TypeKind::kString:
      return Build(arrow::StringBuilder(), rows, seed, [](int64_t i) {
        return i % 3 == 0 ? std::string() : "välue " + std::to_string(i);
      });
    case TypeKind::kBinary:
      return Build(arrow::BinaryBuilder(), rows, seed,
                   [](int64_t i) { return std::string("\0\xff", 2) + std::to_string(i); });
    default:
      return arrow::MakeArrayOfNull(arrow_type, rows).ValueOrDie();
  }
}

}  // namespace

std::shared_ptr<arrow::RecordBatch> EveryTypeBatch(int64_t rows, int seed) {
  const std::vector<Field> fields = EveryType();
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (const Field& field : fields) columns.push_back(ColumnOf(field.type, rows, seed));
  return arrow::RecordBatch::Make(ToArrowSchema(fields).ValueOrDie(), rows, columns);
}

std::shared_ptr<arrow::RecordBatch> BatchOf(const std::vector<Field>& fields,
                                            const std::string& rows) {
  const auto schema = ToArrowSchema(fields).ValueOrDie();
  const auto array =
      arrow::json::ArrayFromJSONString(arrow::struct_(schema->fields()), rows).ValueOrDie();
  auto records = arrow::RecordBatch::FromStructArray(array).ValueOrDie();
  return arrow::RecordBatch::Make(schema, records->num_rows(), records->columns());
}

OperatorSpec PassSpec(std::vector<Field> fields, int64_t lore_id, int input_count) {
  OperatorSpec spec;
  spec.kind = "pass";
  spec.name = "ReprisePass";
  spec.lore_id = lore_id;
  spec.fingerprint = "0123456789abcdef";
  spec.occurrence = "Pass#0";
  spec.output = fields;
  spec.inputs.assign(input_count, fields);
  return spec;
}

nlohmann::json CaptureJson(const std::string& path, int64_t lore_id, const std::string& query) {
  return {{"path", "file:" + path}, {"loreId", lore_id}, {"output", true}, {"query", query}};
}

nlohmann::json BeginRequest(const OperatorSpec& spec, const nlohmann::json& capture,
                            int partition_count) {
  nlohmann::json inputs = nlohmann::json::array();
  for (size_t i = 0; i < spec.inputs.size(); ++i) {
    inputs.push_back({{"partitions", partition_count}, {"replicated", false}});
  }
  return {{"capture", capture},
          {"operator", ToJson(spec)},
          {"conf", {{"spark.sql.ansi.enabled", "true"}}},
          {"versions", {{"spark", "4.1.3"}, {"reprise", "0.1.0"}}},
          {"inputs", inputs},
          {"outputPartitions", partition_count}};
}

Status RecordPass(const OperatorSpec& spec, const nlohmann::json& capture,
                  const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches, int partition,
                  int64_t attempt) {
  TaskContext context;
  context.partition = partition;
  context.attempt = attempt;
  ARROW_ASSIGN_OR_RAISE(auto writer, MakeDumpCapture(spec, capture, context));
  if (writer == nullptr) return Status::OK();
  for (const auto& records : batches) {
    for (size_t i = 0; i < spec.inputs.size(); ++i) {
      RETURN_NOT_OK(writer->OnInput(static_cast<int>(i), ToBatch(records)));
    }
    RETURN_NOT_OK(writer->OnOutput(ToBatch(records)));
  }
  for (size_t i = 0; i < spec.inputs.size(); ++i) {
    RETURN_NOT_OK(writer->OnInputEnd(static_cast<int>(i)));
  }
  RETURN_NOT_OK(writer->OnOutputEnd());
  return writer->Finish(CaptureEnd::kSucceeded);
}

void FlipByte(const std::string& path, size_t offset, uint8_t mask) {
  std::string bytes = Contents(path);
  bytes[offset] = static_cast<char>(bytes[offset] ^ mask);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

void CutFile(const std::string& path, size_t size) { fs::resize_file(path, size); }

std::string Contents(const std::string& path) { return ReadWholeFile(path).ValueOrDie(); }

}  // namespace reprise
