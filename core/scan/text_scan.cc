#include "scan/text_scan.h"

#include <algorithm>
#include <utility>

#include "operators/spec_members.h"
#include "scan/file_split.h"
#include "scan/file_store.h"
#include "scan/partition_columns.h"
#include "scan/piece_source.h"
#include "scan/spark_pieces.h"
#include "scan/text_lines.h"
#include "vocabulary/metrics.h"
#include "vocabulary/text_types.h"

namespace reprise {

namespace {

// What is left to Spark at first. To open a file takes Spark about as long as to parse so much.
constexpr int64_t kFirstPieceBytes = int64_t{1} << 16;
constexpr int64_t kPieceBytesMax = int64_t{1} << 40;
// Of so many times as much as was left to Spark, none has been since: it begins anew.
constexpr int64_t kGoodPieces = 8;
// Hadoop leaves it out at the beginning of a file, and univocity's parser in the first line that it
// is given.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class TextScan final : public Operator {
 public:
  TextScan(OperatorSpec spec, TextScanArguments arguments, std::unique_ptr<LineFormat> format,
           std::vector<FileSplit> splits, std::unique_ptr<FileStore> store,
           std::unique_ptr<PieceSource> pieces, const TaskContext& context)
      : Operator(std::move(spec), {}, context),
        splits_(std::move(splits)),
        arguments_(std::move(arguments)),
        format_(std::move(format)),
        store_(std::move(store)),
        pieces_(std::move(pieces), this->spec(), this->context()) {
    mutable_metrics().extra.assign(ExtraMetrics(this->spec().kind).size(), 0);
    for (const Field& field : arguments_.columns) {
      columns_.push_back(MakeTextColumn(field.type, arguments_.zone, pool()));
    }
  }

 protected:
  Result<std::optional<Batch>> NextBatch() override {
    while (true) {
      if (pieces_.is_begun()) {
        ARROW_ASSIGN_OR_RAISE(auto batch, pieces_.Next(&mutable_metrics().own_time_ns));
        if (batch) return batch;
      } else if (doubtful_) {
        RETURN_NOT_OK(LeaveToSpark(*std::exchange(doubtful_, std::nullopt)));
      } else if (lines_ != nullptr) {
        ARROW_ASSIGN_OR_RAISE(const int64_t rows, ReadRows());
        if (rows > 0) return MakeBatch(rows);
      } else if (next_split_ < splits_.size()) {
        RETURN_NOT_OK(Open(next_split_++));
      } else {
        return std::nullopt;
      }
    }
  }

 private:
  enum Figure { kBytesRead, kSparkBytesRead };  // as operators.def has them

  const FileSplit& split() const { return splits_[next_split_ - 1]; }
  int64_t split_end() const { return split().start + split().length; }

  // What cannot be opened is read by Spark, which says why not.
  Status Open(size_t number) {
    const FileSplit& split = splits_[number];
    constants_.Clear();
    last_piece_end_ = split.start;
    wants_header_ = arguments_.has_header && split.start == 0;
    if (split.is_for_spark) return StartPiece(split.start, split.length);
    auto lines = TextLines::Open(split, arguments_.line_separator, store_.get(), context());
    if (lines.ok()) {
      lines_ = std::move(*lines);
      return Status::OK();
    }
    RETURN_NOT_OK(AboutFile(lines.status()));
    return StartPiece(split.start, split.length);
  }

  // OK where Spark is to say what is wrong with the file.
  Status AboutFile(const Status& status) const {
    return pieces_.AreToTellOf(status) ? Status::OK() : status;
  }

  // As many rows as a batch has; fewer where the split ends or a line is in doubt.
  Result<int64_t> ReadRows() {
    const BatchBounds bound = bounds();
    const int64_t rows_max = std::clamp<int64_t>(
        bound.bytes / (8 * static_cast<int64_t>(columns_.size() + 1)), 1, bound.rows);
    for (const auto& column : columns_) RETURN_NOT_OK(column->Begin(rows_max));
    int64_t rows = 0;
    int64_t bytes = 0;
    bool is_behind_header = false;
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const auto line, NextLine());
      if (!line) break;
      if (HasMark(*line)) {
        // Spark's parser must have been given another line before it, as it would have been.
        doubtful_ = rows > 0 ? row_start_ : is_behind_header ? 0 : lines_->line_start();
        return std::max<int64_t>(0, rows - 1);
      }
      const bool is_full = rows == rows_max || (rows > 0 && bytes >= bound.bytes);
      if (is_full) {
        ahead_ = line;
        break;
      }
      if (std::exchange(wants_header_, false)) {
        is_behind_header = true;
        continue;
      }
      ARROW_ASSIGN_OR_RAISE(const bool is_read, format_->Read(*line, rows, columns_));
      row_start_ = lines_->line_start();
      if (!is_read) {
        doubtful_ = row_start_;
        break;
      }
      ++rows;
      bytes += static_cast<int64_t>(line->size());
    }
    return rows;
  }

  // Whether the line, which was read last, has one that Spark's parser leaves out.
  bool HasMark(std::string_view line) const {
    return line.starts_with(kByteOrderMark) &&
           (lines_->line_start() == 0 || format_->SeesMarksWithin());
  }

  // The next line that is not blank. Nothing at the end of the split, and where the file cannot be
  // read any further, which then is left to Spark.
  Result<std::optional<std::string_view>> NextLine() {
    if (ahead_) return std::exchange(ahead_, std::nullopt);
    while (true) {
      auto line = lines_->Next();
      if (!line.ok()) {
        RETURN_NOT_OK(AboutFile(line.status()));
        doubtful_ = lines_->position();
        return std::nullopt;
      }
      if (!line->has_value()) {
        EndLines();
        return std::nullopt;
      }
      if (!format_->IsBlank(**line)) return line;
    }
  }

  Result<std::optional<Batch>> MakeBatch(int64_t rows) {
    Batch batch;
    batch.schema = output_schema();
    batch.row_count = rows;
    for (const auto& column : columns_) {
      ARROW_ASSIGN_OR_RAISE(auto array, column->Finish(rows));
      batch.columns.push_back(std::move(array));
    }
    RETURN_NOT_OK(constants_.AppendTo(&batch.columns, split(), rows, pool()));
    return batch;
  }

  // Spark reads from the line at `begin` on, up to the end of a line some bytes on.
  Status LeaveToSpark(int64_t begin) {
    if (begin - last_piece_end_ > kGoodPieces * piece_bytes_) piece_bytes_ = kFirstPieceBytes;
    wants_header_ = false;
    int64_t end = split_end();
    while (lines_ != nullptr) {
      ARROW_ASSIGN_OR_RAISE(const auto line, NextLine());
      if (!line) {
        if (std::exchange(doubtful_, std::nullopt)) EndLines();
      } else if (lines_->line_start() - begin >= piece_bytes_ && !HasMark(*line)) {
        ahead_ = line;
        break;
      }
    }
    // Spark takes the line that begins at the end, too, and leaves out the one that it begins in:
    // none but the end of the line before.
    const int64_t line_end = std::max<int64_t>(1, std::ssize(arguments_.line_separator));
    if (lines_ != nullptr) end = std::min(end, lines_->line_start() - line_end);
    const int64_t start = std::max<int64_t>(0, begin - line_end);
    last_piece_end_ = end;
    piece_bytes_ = std::min(2 * piece_bytes_, kPieceBytesMax);
    return StartPiece(start, end - start);
  }

  Status StartPiece(int64_t start, int64_t length) {
    mutable_metrics().extra[kSparkBytesRead] += length;
    return pieces_.Begin(static_cast<int32_t>(next_split_ - 1), split().path, start, length);
  }

  void EndLines() {
    mutable_metrics().extra[kBytesRead] += lines_->bytes_read();
    lines_.reset();
  }

  const std::vector<FileSplit> splits_;
  const TextScanArguments arguments_;
  const std::unique_ptr<LineFormat> format_;
  const std::unique_ptr<FileStore> store_;  // outlives lines_
  SparkPieces pieces_;
  LineFormat::Columns columns_;
  size_t next_split_ = 0;
  std::unique_ptr<TextLines> lines_;       // of the split before; null: it has ended
  bool wants_header_ = false;              // the next line that is not blank is the header
  std::optional<std::string_view> ahead_;  // the line that lines_ has given last, to be read again
  int64_t row_start_ = 0;                  // where the line of the last row begins
  std::optional<int64_t> doubtful_;        // where a line begins that is in doubt
  int64_t piece_bytes_ = kFirstPieceBytes;
  int64_t last_piece_end_ = 0;
  ConstantColumns constants_;
};

}  // namespace

Result<TextScanArguments> TextScanArguments::Of(const OperatorSpec& spec, bool reads_nested) {
  if (!spec.arguments.is_object()) return Status::Invalid("\"arguments\" is not an object");
  TextScanArguments arguments;
  ARROW_ASSIGN_OR_RAISE(arguments.columns, FieldsArgument(spec.arguments, "columns"));
  ARROW_ASSIGN_OR_RAISE(arguments.partition_columns,
                        FieldsArgument(spec.arguments, "partitionColumns"));
  if (const auto zone = spec.arguments.find("zone"); zone != spec.arguments.end()) {
    ExpressionSpec zoned;
    zoned.attributes["zone"] = *zone;
    ARROW_ASSIGN_OR_RAISE(arguments.zone, ZoneRules::Of(zoned));
  }
  if (spec.arguments.contains("lineSeparator")) {
    ARROW_ASSIGN_OR_RAISE(arguments.line_separator, StringMember(spec.arguments, "lineSeparator"));
  }
  for (const Field& field : arguments.columns) {
    if (IsTextType(field.type) || (reads_nested && JsonTextTree(field.type))) continue;
    return Status::Invalid("column ", field.name, " is ", field.type.ToString(),
                           ", which is not read of text");
  }
  RETURN_NOT_OK(CheckScanOutput(spec.output, arguments.columns, arguments.partition_columns));
  return arguments;
}

Result<std::unique_ptr<Operator>> MakeTextScan(OperatorSpec spec, TextScanArguments arguments,
                                               std::unique_ptr<LineFormat> format,
                                               std::vector<FileSplit> splits,
                                               const TaskContext& context,
                                               std::unique_ptr<FileStore> store,
                                               std::unique_ptr<PieceSource> pieces) {
  for (const auto& split : splits) RETURN_NOT_OK(CheckSplit(split, arguments.partition_columns));
  return std::make_unique<TextScan>(std::move(spec), std::move(arguments), std::move(format),
                                    std::move(splits), std::move(store), std::move(pieces),
                                    context);
}

}  // namespace reprise
