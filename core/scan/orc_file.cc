#include "scan/orc_file.h"

#include <arrow/array/util.h>

#include <algorithm>
#include <limits>

#include "scan/file_store.h"
#include "scan/orc_nested.h"
#include "scan/orc_statistics.h"
#include "scan/remote_file.h"
#include "scan/row_group_pruner.h"

namespace reprise {

namespace {

constexpr double kRowBytesMax = 1e9;

/// Java's names of the zone without an offset.
bool IsUtc(std::string_view zone) {
  constexpr std::string_view kNames[] = {"UTC",  "GMT",  "UCT",      "Universal",
                                         "Zulu", "GMT0", "Greenwich"};
  if (zone.starts_with("Etc/")) zone.remove_prefix(4);
  return std::ranges::find(kNames, zone) != std::end(kNames);
}

bool IsSameZone(std::string_view a, std::string_view b) { return a == b || (IsUtc(a) && IsUtc(b)); }

bool IsTime(const DataType& type) {
  return type.is(TypeKind::kDate) || type.is(TypeKind::kTimestamp);
}

int64_t WidthOf(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
    case TypeKind::kByte:
      return 1;
    case TypeKind::kDecimal:
      return type.is_short_decimal() ? 8 : 16;
    default:
      return 8;
  }
}

}  // namespace

OrcFile::~OrcFile() = default;

Result<std::unique_ptr<OrcFile>> OrcFile::Open(const std::string& location, FileStore* store,
                                               const OrcProjection& projection,
                                               const TaskContext& context) {
  std::unique_ptr<OrcFile> file(new OrcFile(projection, context));
  ARROW_ASSIGN_OR_RAISE(auto opened, OpenFile(location, store, context));
  file->file_ = std::move(opened.file);
  file->remote_ = std::move(opened.remote);
  ARROW_ASSIGN_OR_RAISE(file->tail_, OrcTail::Read(file->file_.get(), context.pool));
  const OrcTail& tail = file->tail_;
  file->is_for_spark_ = !tail.compression || tail.is_encrypted || !file->FindColumns();
  if (!file->is_for_spark_) file->EstimateRows();
  return file;
}

// False where Spark finds them otherwise, or has an error of its own.
bool OrcFile::FindColumns() {
  auto found = projection_.columns.In(tail_.types);
  if (!found) return false;
  columns_in_file_ = std::move(*found);
  bool is_read = true;
  for (const OrcMatch& column : columns_in_file_) {
    ForStored(column, [&](const OrcMatch& part) {
      numbers_.push_back(part.stored);
      is_read = is_read && !(tail_.is_proleptic && IsTime(part.type));
    });
  }
  std::ranges::sort(numbers_);
  return is_read;
}

void OrcFile::EstimateRows() {
  double bytes = 0;
  for (const OrcMatch& column : columns_in_file_) bytes += BytesOf(column);
  const auto rows = static_cast<double>(std::max<int64_t>(1, tail_.rows));
  row_bytes_ = 1 + static_cast<int64_t>(std::min(bytes / rows, kRowBytesMax));
}

// About how many bytes its values in the file have.
double OrcFile::BytesOf(const OrcMatch& part) const {
  int64_t values = tail_.rows;
  int64_t string_bytes = 0;
  const bool is_stored = part.form != OrcMatch::Form::kMissing;
  if (is_stored && part.stored < tail_.statistics.size()) {
    const std::string& statistics = tail_.statistics[part.stored];
    values = std::max(values, ValuesOf(statistics));
    if (part.type.is(TypeKind::kString)) string_bytes = StringBytesOf(statistics);
  }
  double bytes = static_cast<double>(values) * static_cast<double>(WidthOf(part.type)) +
                 static_cast<double>(string_bytes);
  for (const OrcMatch& inner : part.parts) bytes += BytesOf(inner);
  return bytes;
}

std::vector<int> OrcFile::StripesOf(int64_t start, int64_t length) const {
  std::vector<int> owned;
  for (size_t i = 0; i < tail_.stripes.size(); ++i) {
    const int64_t begin = tail_.stripes[i].start;
    if (begin >= start && begin - start < length) owned.push_back(static_cast<int>(i));
  }
  return owned;
}

bool OrcFile::CanSkip(const RowGroupPruner& pruner) const {
  if (!pruner.has_conditions() || !tail_.bounds_are_trusted) return false;
  return AreRuledOut(pruner, tail_.rows, [&](size_t column) -> const std::string* {
    const size_t number = columns_in_file_[column].stored;
    return number < tail_.statistics.size() ? &tail_.statistics[number] : nullptr;
  });
}

bool OrcFile::AreRuledOut(
    const RowGroupPruner& pruner, int64_t rows,
    const std::function<const std::string*(size_t column)>& statistics_of) const {
  return pruner.CanSkip([&](int index) {
    const bool is_in_file = index >= 0 && index < std::ssize(columns_in_file_) &&
                            columns_in_file_[index].form != OrcMatch::Form::kMissing;
    const std::string* statistics = is_in_file ? statistics_of(index) : nullptr;
    if (statistics == nullptr) return ColumnRange{.may_have_nan = true};
    return RangeOfOrc(*statistics, columns_in_file_[index].type, rows);
  });
}

Result<bool> OrcFile::Start(int stripe_number, const RowGroupPruner& pruner) {
  const OrcStripe& stripe = tail_.stripes[stripe_number];
  groups_read_ = groups_skipped_ = 0;
  row_ = 0;
  End();
  ARROW_ASSIGN_OR_RAISE(const OrcStripeFooter footer, FooterOf(stripe));
  if (!IsRead(footer)) return false;
  indexes_.clear();
  if (pruner.has_conditions() && tail_.index_rows > 0 && tail_.bounds_are_trusted) {
    RETURN_NOT_OK(ReadIndexes(stripe, footer));
  }
  ChooseRows(stripe, pruner);
  if (rows_.empty()) return true;
  for (const OrcStoredStream& stream : footer.streams) {
    if (stream.kind < OrcStreamKind::kRowIndex && IsAsked(stream)) streams_.push_back({stream, {}});
  }
  RETURN_NOT_OK(ReadStreams(&streams_));
  RETURN_NOT_OK(MakeColumns(stripe, footer));
  return true;
}

Result<OrcStripeFooter> OrcFile::FooterOf(const OrcStripe& stripe) {
  const int64_t start = stripe.start + stripe.index_bytes + stripe.data_bytes;
  ARROW_ASSIGN_OR_RAISE(auto stored, ReadRange(start, stripe.footer_bytes));
  return OrcStripeFooter::Of(stripe, StreamOf(std::move(stored)), context_.pool);
}

// Whether the core reads the stripe as Spark does.
bool OrcFile::IsRead(const OrcStripeFooter& footer) const {
  // Rows that are null themselves.
  if (footer.Find(0, OrcStreamKind::kPresent) != nullptr) return false;
  bool is_read = true;
  const auto check = [&](const OrcMatch& part) {
    const bool is_encoded = part.stored < footer.encodings.size() &&
                            footer.encodings[part.stored].kind <= OrcEncodingKind::kDictionary2;
    const bool is_elsewhere =
        part.type.is(TypeKind::kTimestamp) && !IsSameZone(footer.zone, projection_.zone.id);
    const bool has_null_keys =
        part.form == OrcMatch::Form::kMap &&
        footer.Find(part.parts[0].stored, OrcStreamKind::kPresent) != nullptr;
    is_read = is_read && is_encoded && !is_elsewhere && !has_null_keys;
  };
  for (const OrcMatch& column : columns_in_file_) ForStored(column, check);
  return is_read;
}

Status OrcFile::ReadIndexes(const OrcStripe& stripe, const OrcStripeFooter& footer) {
  const int64_t groups = (stripe.rows + tail_.index_rows - 1) / tail_.index_rows;
  StoredStreams stored;
  for (const OrcStoredStream& stream : footer.streams) {
    if (stream.kind == OrcStreamKind::kRowIndex && IsAsked(stream)) stored.push_back({stream, {}});
  }
  RETURN_NOT_OK(ReadStreams(&stored));
  for (const auto& [stream, bytes] : stored) {
    ARROW_ASSIGN_OR_RAISE(auto entries, ReadOrcIndex(StreamOf(bytes), context_.pool));
    if (std::ssize(entries) == groups) indexes_[stream.column] = std::move(entries);
  }
  return Status::OK();
}

// A group that is skipped is one that all columns have an entry for the next of.
bool OrcFile::AreIndexed() const {
  return !numbers_.empty() &&
         std::ranges::all_of(numbers_, [&](uint32_t number) { return indexes_.contains(number); });
}

void OrcFile::ChooseRows(const OrcStripe& stripe, const RowGroupPruner& pruner) {
  const bool all_indexed = AreIndexed();
  const int64_t step = all_indexed ? tail_.index_rows : stripe.rows;
  for (int64_t begin = 0; begin < stripe.rows; begin += step) {
    const int64_t end = std::min(stripe.rows, begin + step);
    const size_t group = begin / step;
    const bool is_skipped = all_indexed && AreRuledOut(pruner, end - begin, [&](size_t column) {
                              const uint32_t number = columns_in_file_[column].stored;
                              return &indexes_.at(number)[group].statistics;
                            });
    ++(is_skipped ? groups_skipped_ : groups_read_);
    if (is_skipped) continue;
    if (!rows_.empty() && rows_.back().end == begin) {
      rows_.back().end = end;
    } else {
      rows_.push_back({begin, end});
    }
  }
}

// Of a column that is read, and with bytes.
bool OrcFile::IsAsked(const OrcStoredStream& stream) const {
  return stream.bytes > 0 && std::ranges::binary_search(numbers_, stream.column);
}

// Neighbours are read together.
Status OrcFile::ReadStreams(StoredStreams* streams) {
  std::vector<arrow::io::ReadRange> ranges;
  for (const auto& [stream, bytes] : *streams) {
    if (!ranges.empty() && ranges.back().offset + ranges.back().length == stream.start) {
      ranges.back().length += stream.bytes;
    } else {
      ranges.push_back({stream.start, stream.bytes});
    }
  }
  if (remote_ != nullptr) RETURN_NOT_OK(remote_->Start(ranges));
  auto next = streams->begin();
  for (const auto& range : ranges) {
    ARROW_ASSIGN_OR_RAISE(const auto read, ReadRange(range.offset, range.length));
    for (; next != streams->end() && next->stream.start < range.offset + range.length; ++next) {
      next->bytes = arrow::SliceBuffer(read, next->stream.start - range.offset, next->stream.bytes);
    }
  }
  if (remote_ != nullptr) remote_->Drop(ranges);
  return Status::OK();
}

OrcColumnSource OrcFile::SourceOf(const OrcMatch& part, int64_t rows,
                                  const OrcStripeFooter& footer) const {
  OrcColumnSource source;
  source.number = part.stored;
  source.type = part.type;
  source.encoding = footer.encodings[part.stored];
  source.may_have_nulls = footer.Find(part.stored, OrcStreamKind::kPresent) != nullptr;
  source.open = [this, number = part.stored](OrcStreamKind kind) {
    for (const auto& [stream, bytes] : streams_) {
      if (stream.column == number && stream.kind == kind) return StreamOf(bytes);
    }
    return OrcStream();
  };
  source.rows = rows;
  source.epoch = projection_.zone.epoch;
  source.instants = projection_.instants;
  source.pool = context_.pool;
  return source;
}

// Null where the file lacks it. It has at most `rows` values.
Result<std::unique_ptr<OrcColumn>> OrcFile::MakeColumn(const OrcMatch& part, int64_t rows,
                                                       const OrcStripeFooter& footer) const {
  using Form = OrcMatch::Form;
  if (part.form == Form::kMissing) return nullptr;
  OrcColumnSource source = SourceOf(part, rows, footer);
  if (part.form == Form::kFlat) return MakeOrcColumn(std::move(source));
  const bool is_struct = part.form == Form::kStruct;
  std::vector<OrcPart> parts;
  for (const OrcMatch& inner : part.parts) {
    // How many elements lists have in all is not known before.
    const int64_t rows_max = is_struct ? rows : std::numeric_limits<int64_t>::max();
    ARROW_ASSIGN_OR_RAISE(auto column, MakeColumn(inner, rows_max, footer));
    parts.push_back({inner.type, std::move(column)});
  }
  return is_struct ? MakeOrcStructs(source, std::move(parts))
                   : MakeOrcLists(source, std::move(parts));
}

Status OrcFile::MakeColumns(const OrcStripe& stripe, const OrcStripeFooter& footer) {
  for (size_t i = 0; i < columns_in_file_.size(); ++i) {
    auto column = MakeColumn(columns_in_file_[i], stripe.rows, footer);
    if (!column.ok()) {
      const std::string& name = projection_.columns.fields()[i].name;
      return WithPrefix(column.status(), "column " + name + ": ");
    }
    columns_.push_back(std::move(*column));
  }
  return Status::OK();
}

void OrcFile::End() {
  rows_.clear();
  columns_.clear();
  streams_.clear();
}

int64_t OrcFile::rows_left() {
  while (!rows_.empty() && rows_.front().begin == rows_.front().end) rows_.erase(rows_.begin());
  return rows_.empty() ? 0 : rows_.front().end - rows_.front().begin;
}

Status OrcFile::SeekTo(int64_t row) {
  const auto group = static_cast<size_t>(row / tail_.index_rows);
  const OrcPlaces places = [&](uint32_t number) {
    return OrcPositions(indexes_.at(number)[group].positions);
  };
  for (const auto& column : columns_) {
    if (column != nullptr) RETURN_NOT_OK(column->Seek(places));
  }
  row_ = row;
  return Status::OK();
}

Result<std::vector<std::shared_ptr<arrow::Array>>> OrcFile::Read(int64_t rows) {
  if (row_ != rows_.front().begin) RETURN_NOT_OK(SeekTo(rows_.front().begin));
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Field& field = projection_.columns.fields()[i];
    if (columns_[i] == nullptr) {
      ARROW_ASSIGN_OR_RAISE(const auto type, ToArrow(field.type));
      ARROW_ASSIGN_OR_RAISE(auto nulls, arrow::MakeArrayOfNull(type, rows, context_.pool));
      arrays.push_back(std::move(nulls));
      continue;
    }
    auto array = columns_[i]->Read(rows);
    if (!array.ok()) return WithPrefix(array.status(), "column " + field.name + ": ");
    arrays.push_back(std::move(*array));
  }
  row_ += rows;
  rows_.front().begin += rows;
  return arrays;
}

Result<std::shared_ptr<arrow::Buffer>> OrcFile::ReadRange(int64_t start, int64_t bytes) {
  ARROW_ASSIGN_OR_RAISE(auto buffer, file_->ReadAt(start, bytes));
  if (buffer->size() < bytes) return Status::Invalid("it is shorter than its footer says");
  bytes_read_ += bytes;
  return buffer;
}

OrcStream OrcFile::StreamOf(std::shared_ptr<arrow::Buffer> stored) const {
  return {std::move(stored), *tail_.compression, context_.pool};
}

}  // namespace reprise
