// parquet_write: encodes rows as Parquet files, whose bytes who runs the fragment puts where they
// belong.
//
// Input:   one, any flat columns.  Output: the same rows.
// Example: partition column p over rows (a, p) = [(1, 5), (2, 5), (3, 6)]: a file of p=5 with the
// rows 1 and 2, a file of p=6 with the row 3.
#include "operators/parquet_write.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "base/selected_rows.h"
#include "operators/sort.h"
#include "operators/spec_members.h"
#include "transitions/row_encoder.h"
#include "write/written_file.h"

namespace reprise {

namespace {

// Of a file's bytes that leave at once.
constexpr int64_t kPieceBytesMax = int64_t{4} << 20;
// Where memory is short a row group ends before it is full, unless it is no larger than this.
constexpr int64_t kLeastGroupBytes = int64_t{1} << 20;

constexpr TraceRange kWriteRange = {"encode rows", "write", {"rows"}};

// OperatorMetrics.extra, in the order of vocabulary/operators.def.
enum WrittenFigure { kFiles, kRowGroups, kBytes, kFigures };

/// What is written of the input, and how it is cut into files.
struct WritePlan {
  std::shared_ptr<const FileLayout> layout;
  std::vector<int> columns;            // of the input, in the order of a file's
  std::vector<int> partition_columns;  // of the input
  int64_t file_rows_max = 0;           // 0: any number
};

class ParquetWrite final : public Operator, public BlockProducer {
 public:
  ParquetWrite(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
               const TaskContext& context, WritePlan plan,
               std::unique_ptr<UnsafeRowEncoder> partition_rows,
               std::shared_ptr<arrow::Schema> partition_schema)
      : Operator(std::move(spec), std::move(inputs), context),
        plan_(std::move(plan)),
        partition_rows_(std::move(partition_rows)),
        partition_schema_(std::move(partition_schema)) {
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
    if (plan_.partition_columns.empty()) {
      if (!file_) RETURN_NOT_OK(Begin({}));
      return WriteRows(columns, 0, rows);
    }
    return WriteByPartition(batch, columns);
  }

  /// Neighbours with equal partition values go into one file.
  Status WriteByPartition(const Batch& batch,
                          const std::vector<std::shared_ptr<arrow::Array>>& columns) {
    Batch values{partition_schema_, {}, batch.selected_count(), nullptr};
    for (const int column : plan_.partition_columns) {
      ARROW_ASSIGN_OR_RAISE(auto array, GatherColumn(batch, column, pool()));
      values.columns.push_back(std::move(array));
    }
    ARROW_ASSIGN_OR_RAISE(const EncodedRows rows, partition_rows_->Encode(values));
    const auto row_at = [&](int32_t row) {
      const int32_t begin = rows.offsets[row];
      return std::string_view(reinterpret_cast<const char*>(rows.bytes) + begin,
                              static_cast<size_t>(rows.offsets[row + 1] - begin));
    };
    for (int32_t first = 0; first < rows.row_count;) {
      int32_t end = first + 1;
      while (end < rows.row_count && row_at(end) == row_at(first)) ++end;
      if (!file_ || row_at(first) != partition_) {
        RETURN_NOT_OK(EndFile());
        RETURN_NOT_OK(Begin(std::string(row_at(first))));
      }
      RETURN_NOT_OK(WriteRows(columns, first, end));
      first = end;
    }
    return Status::OK();
  }

  /// Rows of one partition, to the present file and others.
  Status WriteRows(const std::vector<std::shared_ptr<arrow::Array>>& columns, int64_t first,
                   int64_t end) {
    while (first < end) {
      if (plan_.file_rows_max > 0 && file_->rows() >= plan_.file_rows_max) {
        RETURN_NOT_OK(EndFile());
        RETURN_NOT_OK(Begin(partition_));
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

  Status Begin(std::string partition) {
    partition_ = std::move(partition);
    ARROW_ASSIGN_OR_RAISE(file_, WrittenFile::Open(plan_.layout, pool()));
    EncodedBlock begin{arrow::Buffer::FromString(partition_), file_number_, -1};
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
    if (is_empty && plan_.partition_columns.empty() && context().partition == 0) {
      RETURN_NOT_OK(Begin({}));
    }
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
  std::unique_ptr<UnsafeRowEncoder> partition_rows_;  // null: no partition columns
  std::shared_ptr<arrow::Schema> partition_schema_;
  std::unique_ptr<WrittenFile> file_;  // null: none has begun, or the last has ended
  std::string partition_;              // the UnsafeRow of the present file's
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
  ARROW_ASSIGN_OR_RAISE(const WriteSettings settings, ReadSettings(spec.arguments));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* list, ArrayMember(spec.arguments, "write"));
  if (list->size() != 1) return Status::Invalid("\"write\" has ", list->size(), " elements, not 1");
  const nlohmann::json& write = list->front();
  WritePlan plan;
  ARROW_ASSIGN_OR_RAISE(plan.partition_columns,
                        ColumnNumbersMember(write, "partitionColumns", input.size()));
  ARROW_ASSIGN_OR_RAISE(plan.file_rows_max, IntegerMember(write, "maxRecordsPerFile"));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* columns, ArrayMember(write, "columns"));
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
    if (column.contains("fieldId")) one.field_id = column.at("fieldId").get<int>();
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
  std::unique_ptr<UnsafeRowEncoder> rows;
  std::shared_ptr<arrow::Schema> schema;
  if (!plan.partition_columns.empty()) {
    std::vector<Field> fields;
    for (const int column : plan.partition_columns) {
      fields.push_back(spec.inputs[0][static_cast<size_t>(column)]);
    }
    ARROW_ASSIGN_OR_RAISE(rows, UnsafeRowEncoder::Make(fields, context.pool));
    ARROW_ASSIGN_OR_RAISE(schema, ToArrowSchema(fields));
  }
  return std::make_unique<ParquetWrite>(std::move(spec), std::move(inputs), context,
                                        std::move(plan), std::move(rows), std::move(schema));
}

}  // namespace reprise
