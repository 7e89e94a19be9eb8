// parquet_write: encodes rows as Parquet files, whose bytes who runs the fragment puts where they
// belong.
//
// Input:   one, any columns that are written (vocabulary/written_files.h).  Output: the same rows.
// Example: partition column p over rows (a, p) = [(1, 5), (2, 5), (3, 6)]: a file of p=5 with the
// rows 1 and 2, a file of p=6 with the row 3.
#include "operators/parquet_write.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "base/selected_rows.h"
#include "exchange/partitioning.h"
#include "operators/sort.h"
#include "operators/spec_members.h"
#include "transitions/row_encoder.h"
#include "write/bloom_filters.h"
#include "write/written_file.h"

namespace reprise {

namespace {

// Of a file's bytes that leave at once.
constexpr int64_t kPieceBytesMax = int64_t{4} << 20;
// Where memory is short a row group ends before it is full, unless it is no larger than this.
constexpr int64_t kLeastGroupBytes = int64_t{1} << 20;

// Of rows that are in none.
constexpr int32_t kNoBucket = -1;

constexpr TraceRange kWriteRange = {"encode rows", "write", {"rows"}};

// OperatorMetrics.extra, in the order of vocabulary/operators.def.
enum WrittenFigure { kFiles, kRowGroups, kBytes, kFigures };

/// What is written of the input, and how it is cut into files.
struct WritePlan {
  std::shared_ptr<const FileLayout> layout;
  std::vector<int> columns;            // of the input, in the order of a file's
  std::vector<int> partition_columns;  // of the input
  std::vector<int> bucket_columns;     // of the input; empty: there are no buckets
  int bucket_count = 0;
  int64_t file_rows_max = 0;  // 0: any number

  bool is_divided() const { return !partition_columns.empty() || !bucket_columns.empty(); }
};

/// Says in what files rows belong: by the values of their partition columns, and by bucket.
class FileKeys {
 public:
  static Result<std::unique_ptr<FileKeys>> Make(const WritePlan& plan,
                                                const std::vector<Field>& input,
                                                arrow::MemoryPool* pool) {
    auto keys = std::make_unique<FileKeys>();
    keys->columns_ = plan.partition_columns;
    std::vector<Field> fields;
    for (const int column : plan.partition_columns) {
      fields.push_back(input[static_cast<size_t>(column)]);
    }
    ARROW_ASSIGN_OR_RAISE(keys->encoder_, UnsafeRowEncoder::Make(fields, pool));
    ARROW_ASSIGN_OR_RAISE(keys->schema_, ToArrowSchema(fields));
    if (plan.bucket_columns.empty()) return keys;
    auto expressions = nlohmann::json::array();
    for (const int column : plan.bucket_columns) {
      const Field& field = input[static_cast<size_t>(column)];
      expressions.push_back(
          ToJson(ExpressionSpec{"column", field.type, field.nullable, {{"index", column}}, {}}));
    }
    ARROW_ASSIGN_OR_RAISE(
        keys->buckets_of_,
        MakePartitioning({{"type", "hash"}, {"expressions", std::move(expressions)}}, input,
                         plan.bucket_count, /*task_partition=*/0));
    return keys;
  }

  /// Looks at the selected rows of `batch`, whose keys At gives then.
  Status Read(const Batch& batch, arrow::MemoryPool* pool) {
    Batch values{schema_, {}, batch.selected_count(), nullptr};
    for (const int column : columns_) {
      ARROW_ASSIGN_OR_RAISE(auto array, GatherColumn(batch, column, pool));
      values.columns.push_back(std::move(array));
    }
    ARROW_ASSIGN_OR_RAISE(rows_, encoder_->Encode(values));
    buckets_.assign(static_cast<size_t>(values.row_count), kNoBucket);
    return buckets_of_ ? buckets_of_->Assign(batch, pool, buckets_) : Status::OK();
  }

  struct Key {
    std::string_view partition;  // an UnsafeRow
    int32_t bucket = kNoBucket;
    bool operator==(const Key&) const = default;
  };
  Key At(int64_t row) const {
    const int32_t begin = rows_.offsets[row];
    return {{reinterpret_cast<const char*>(rows_.bytes) + begin,
             static_cast<size_t>(rows_.offsets[row + 1] - begin)},
            buckets_[static_cast<size_t>(row)]};
  }

 private:
  std::vector<int> columns_;
  std::unique_ptr<UnsafeRowEncoder> encoder_;
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<Partitioning> buckets_of_;  // null: there are no buckets
  EncodedRows rows_;
  std::vector<int32_t> buckets_;
};

class ParquetWrite final : public Operator, public BlockProducer {
 public:
  ParquetWrite(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
               const TaskContext& context, WritePlan plan, std::unique_ptr<FileKeys> keys)
      : Operator(std::move(spec), std::move(inputs), context),
        plan_(std::move(plan)),
        keys_(std::move(keys)) {
    mutable_metrics().extra.assign(kFigures, 0);
  }

  Result<std::optional<EncodedBlock>> NextBlock() override {
    keeps_pieces_ = true;
    while (pieces_.empty()) {
      // By way of Next, for its time, cancellation and capture.
      ARROW_ASSIGN_OR_RAISE(const auto batch, Next());
      if (!batch && pieces_.empty()) return std::nullopt;
    }
    EncodedBlock piece = std::move(pieces_.front());
    pieces_.pop_front();
    return piece;
  }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
    if (batch) {
      RETURN_NOT_OK(MakeRoom(*batch));
      RETURN_NOT_OK(Write(*batch));
      batch->schema = output_schema();
    } else {
      RETURN_NOT_OK(End());
    }
    // Nobody asks for the bytes where the operator is replayed.
    if (!keeps_pieces_) pieces_.clear();
    return batch;
  }

  /// Before the rows of `batch` are added to a row group.
  Status MakeRoom(const Batch& batch) {
    const int64_t bytes = ByteSize(batch);
    if (TryReserve(bytes) || !file_ || file_->buffered_bytes() < kLeastGroupBytes) {
      return Status::OK();
    }
    RETURN_NOT_OK(file_->EndRowGroup());
    return TakeBytes();
  }

  Status Write(const Batch& batch) {
    const int64_t rows = batch.selected_count();
    if (rows == 0) return Status::OK();
    TraceScope range(context().trace, kWriteRange);
    range.Count(rows);
    std::vector<std::shared_ptr<arrow::Array>> columns;
    for (const int column : plan_.columns) {
      ARROW_ASSIGN_OR_RAISE(auto values, GatherColumn(batch, column, pool()));
      columns.push_back(std::move(values));
    }
    if (!keys_) {
      if (!file_) RETURN_NOT_OK(Begin());
      return WriteRows(columns, 0, rows);
    }
    RETURN_NOT_OK(keys_->Read(batch, pool()));
    return WriteByKeys(columns, rows);
  }

  /// Neighbours with equal keys go into one file.
  Status WriteByKeys(const std::vector<std::shared_ptr<arrow::Array>>& columns, int64_t rows) {
    for (int64_t first = 0; first < rows;) {
      const FileKeys::Key key = keys_->At(first);
      int64_t end = first + 1;
      while (end < rows && keys_->At(end) == key) ++end;
      if (!file_ || key != FileKeys::Key{partition_, bucket_}) {
        RETURN_NOT_OK(EndFile());
        partition_ = key.partition;
        bucket_ = key.bucket;
        RETURN_NOT_OK(Begin());
      }
      RETURN_NOT_OK(WriteRows(columns, first, end));
      first = end;
    }
    return Status::OK();
  }

  /// Rows of one key, to the present file and others.
  Status WriteRows(const std::vector<std::shared_ptr<arrow::Array>>& columns, int64_t first,
                   int64_t end) {
    while (first < end) {
      if (plan_.file_rows_max > 0 && file_->rows() >= plan_.file_rows_max) {
        RETURN_NOT_OK(EndFile());
        RETURN_NOT_OK(Begin());
      }
      const int64_t room = plan_.file_rows_max > 0 ? plan_.file_rows_max - file_->rows() : end;
      const int64_t count = std::min(end - first, room);
      std::vector<std::shared_ptr<arrow::Array>> slices;
      for (const auto& column : columns) slices.push_back(column->Slice(first, count));
      RETURN_NOT_OK(file_->Write(slices));
      RETURN_NOT_OK(TakeBytes());
      first += count;
    }
    return Status::OK();
  }

  /// A file of the present key.
  Status Begin() {
    ARROW_ASSIGN_OR_RAISE(file_, WrittenFile::Open(plan_.layout, pool()));
    EncodedBlock begin{arrow::Buffer::FromString(partition_), file_number_,
                       bucket_ == kNoBucket ? -1 : int64_t{-2} - bucket_};
    pieces_.push_back(std::move(begin));
    return Status::OK();
  }

  Status EndFile() {
    if (!file_) return Status::OK();
    RETURN_NOT_OK(file_->Close());
    RETURN_NOT_OK(TakeBytes());
    pieces_.back().rows = file_->rows();
    mutable_metrics().extra[kFiles] += 1;
    mutable_metrics().extra[kRowGroups] += file_->row_groups();
    file_.reset();
    ++file_number_;
    return Status::OK();
  }

  Status End() {
    if (has_ended_) return Status::OK();
    has_ended_ = true;
    const bool is_empty = !file_ && file_number_ == 0;
    if (is_empty && !keys_ && context().partition == 0) RETURN_NOT_OK(Begin());
    return EndFile();
  }

  Status TakeBytes() {
    while (auto bytes = file_->TakeBytes(kPieceBytesMax)) {
      mutable_metrics().extra[kBytes] += bytes->size();
      pieces_.push_back({std::move(bytes), file_number_, 0});
    }
    return Status::OK();
  }

  const WritePlan plan_;
  std::unique_ptr<FileKeys> keys_;     // null: all rows belong together
  std::unique_ptr<WrittenFile> file_;  // null: none has begun, or the last has ended
  std::string partition_;              // the UnsafeRow of the present file's
  int32_t bucket_ = kNoBucket;         // and its bucket
  int file_number_ = 0;
  std::deque<EncodedBlock> pieces_;
  bool keeps_pieces_ = false;
  bool has_ended_ = false;
};

Result<WrittenTimestamps> TimestampsMember(const nlohmann::json& arguments) {
  ARROW_ASSIGN_OR_RAISE(const std::string name, StringMember(arguments, "timestamps"));
  if (name == "INT96") return WrittenTimestamps::kInt96;
  if (name == "TIMESTAMP_MICROS") return WrittenTimestamps::kMicros;
  if (name == "TIMESTAMP_MILLIS") return WrittenTimestamps::kMillis;
  return Status::Invalid("\"timestamps\" is ", name,
                         "; expected INT96, TIMESTAMP_MICROS or TIMESTAMP_MILLIS");
}

Result<int64_t> PositiveMember(const nlohmann::json& arguments, std::string_view name) {
  ARROW_ASSIGN_OR_RAISE(const int64_t value, IntegerMember(arguments, name));
  if (value < 1) return Status::Invalid("\"", name, "\" is ", value, "; expected 1 or more");
  return value;
}

Result<WriteSettings> ReadSettings(const nlohmann::json& arguments) {
  WriteSettings settings;
  ARROW_ASSIGN_OR_RAISE(settings.codec, StringMember(arguments, "codec"));
  ARROW_ASSIGN_OR_RAISE(const int64_t level, IntegerMember(arguments, "zstdLevel"));
  settings.zstd_level = static_cast<int>(std::clamp<int64_t>(level, -100, 100));
  ARROW_ASSIGN_OR_RAISE(settings.row_group_bytes, PositiveMember(arguments, "rowGroupBytes"));
  ARROW_ASSIGN_OR_RAISE(settings.page_bytes, PositiveMember(arguments, "pageBytes"));
  ARROW_ASSIGN_OR_RAISE(settings.page_rows, PositiveMember(arguments, "pageRows"));
  ARROW_ASSIGN_OR_RAISE(settings.dictionary, BooleanMember(arguments, "dictionary"));
  ARROW_ASSIGN_OR_RAISE(settings.dictionary_page_bytes,
                        PositiveMember(arguments, "dictionaryPageBytes"));
  ARROW_ASSIGN_OR_RAISE(settings.page_checksums, BooleanMember(arguments, "pageChecksums"));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* bloom, Member(arguments, "bloomFilters"));
  ARROW_ASSIGN_OR_RAISE(settings.bloom_filters, ReadBloomFilters(*bloom));
  ARROW_ASSIGN_OR_RAISE(settings.timestamps, TimestampsMember(arguments));
  ARROW_ASSIGN_OR_RAISE(settings.legacy_decimals, BooleanMember(arguments, "legacyDecimals"));
  return settings;
}

Result<FooterEntries> ReadFooter(const nlohmann::json& write) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* entries, ArrayMember(write, "footer"));
  FooterEntries footer;
  for (const auto& entry : *entries) {
    footer.emplace_back(entry.at(0).get<std::string>(), entry.at(1).get<std::string>());
  }
  return footer;
}

Result<WritePlan> ReadPlan(const OperatorSpec& spec, arrow::MemoryPool* pool) {
  const std::vector<Field>& input = spec.inputs[0];
  ARROW_ASSIGN_OR_RAISE(WriteSettings settings, ReadSettings(spec.arguments));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* list, ArrayMember(spec.arguments, "write"));
  if (list->size() != 1) return Status::Invalid("\"write\" has ", list->size(), " elements, not 1");
  const nlohmann::json& write = list->front();
  WritePlan plan;
  ARROW_ASSIGN_OR_RAISE(plan.partition_columns,
                        ColumnNumbersMember(write, "partitionColumns", input.size()));
  ARROW_ASSIGN_OR_RAISE(plan.file_rows_max, IntegerMember(write, "maxRecordsPerFile"));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* columns, ArrayMember(write, "columns"));
  if (write.contains("fieldIds")) {
    ARROW_ASSIGN_OR_RAISE(settings.field_ids, BooleanMember(write, "fieldIds"));
  }
  std::vector<WrittenColumn> written;
  for (const auto& column : *columns) {
    ARROW_ASSIGN_OR_RAISE(const int64_t number, IntegerMember(column, "column"));
    if (number < 0 || number >= std::ssize(input)) {
      return Status::Invalid("\"column\" is ", number, "; the input has ", input.size());
    }
    plan.columns.push_back(static_cast<int>(number));
    WrittenColumn& one = written.emplace_back();
    ARROW_ASSIGN_OR_RAISE(one.name, StringMember(column, "name"));
    ARROW_ASSIGN_OR_RAISE(one.nullable, BooleanMember(column, "nullable"));
    one.type = input[static_cast<size_t>(number)].type;
    if (column.contains("type")) {
      ARROW_ASSIGN_OR_RAISE(const std::string type, StringMember(column, "type"));
      one.type = ParseDataType(type);
    }
    if (column.contains("fieldId")) one.field_id = column.at("fieldId").get<int>();
  }
  if (write.contains("buckets")) {
    const nlohmann::json& buckets = write.at("buckets");
    ARROW_ASSIGN_OR_RAISE(plan.bucket_columns,
                          ColumnNumbersMember(buckets, "columns", input.size()));
    ARROW_ASSIGN_OR_RAISE(const int64_t count, PositiveMember(buckets, "count"));
    if (count > INT32_MAX) return Status::Invalid("\"count\" is ", count);
    plan.bucket_count = static_cast<int>(count);
  }
  ARROW_ASSIGN_OR_RAISE(const FooterEntries footer, ReadFooter(write));
  ARROW_ASSIGN_OR_RAISE(plan.layout, FileLayout::Make(std::move(written), settings, footer, pool));
  return plan;
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeParquetWrite(OperatorSpec spec,
                                                   std::vector<std::unique_ptr<Operator>> inputs,
                                                   const TaskContext& context) {
  RETURN_NOT_OK(CheckSameColumns(spec));
  ARROW_ASSIGN_OR_RAISE(WritePlan plan, ReadPlan(spec, context.pool));
  std::unique_ptr<FileKeys> keys;
  if (plan.is_divided()) {
    ARROW_ASSIGN_OR_RAISE(keys, FileKeys::Make(plan, spec.inputs[0], context.pool));
  }
  return std::make_unique<ParquetWrite>(std::move(spec), std::move(inputs), context,
                                        std::move(plan), std::move(keys));
}

}  // namespace reprise
