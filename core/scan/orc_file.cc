#include "scan/orc_file.h"

#include <arrow/array/util.h>

#include <algorithm>
#include <cctype>

#include "scan/column_names.h"
#include "scan/file_store.h"
#include "scan/remote_file.h"
#include "scan/row_group_pruner.h"

namespace reprise {

namespace {

constexpr std::string_view kNameless = "_col";

/// As ORC's SchemaEvolution knows columns without names; Spark asks for the first part alone.
bool IsNumbered(std::string_view name) {
  const std::string_view number = name.substr(std::min(name.size(), kNameless.size()));
  return name.starts_with(kNameless) && !number.empty() &&
         std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::optional<OrcKind> StoredKindOf(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return OrcKind::kBoolean;
    case TypeKind::kByte:
      return OrcKind::kByte;
    case TypeKind::kShort:
      return OrcKind::kShort;
    case TypeKind::kInteger:
      return OrcKind::kInt;
    case TypeKind::kLong:
    case TypeKind::kTimestampNtz:
      return OrcKind::kLong;
    case TypeKind::kFloat:
      return OrcKind::kFloat;
    case TypeKind::kDouble:
      return OrcKind::kDouble;
    case TypeKind::kDecimal:
      return OrcKind::kDecimal;
    case TypeKind::kString:
      return OrcKind::kString;
    case TypeKind::kBinary:
      return OrcKind::kBinary;
    case TypeKind::kDate:
      return OrcKind::kDate;
    case TypeKind::kTimestamp:
      return OrcKind::kTimestamp;
    default:
      return std::nullopt;
  }
}

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
  const OrcType& root = tail_.types.front();
  if (root.kind != OrcKind::kStruct || HasOtherTimestamps(root)) return false;
  types_.assign(projection_.columns.size(), -1);
  const auto is_nameless = [](const std::string& name) { return name.starts_with(kNameless); };
  const bool is_found =
      std::ranges::all_of(root.names, is_nameless) ? FindByPlace(root) : FindByName(root);
  if (!is_found) return false;
  for (size_t i = 0; i < types_.size(); ++i) {
    if (types_[i] < 0) continue;
    const DataType& type = projection_.columns[i].type;
    if (!IsAskedForAs(tail_.types[types_[i]], type)) return false;
    if (tail_.is_proleptic && IsTime(type)) return false;
  }
  return true;
}

// Spark has no rows of a file without columns, and there are such ones without rows, too.
bool OrcFile::FindByPlace(const OrcType& root) {
  if (root.names.empty() || root.names.size() > projection_.file_columns.size()) return false;
  if (!std::ranges::all_of(root.names, IsNumbered)) return false;
  for (size_t i = 0; i < types_.size(); ++i) {
    const auto found =
        std::ranges::find(projection_.file_columns, projection_.columns[i].name, &Field::name);
    const size_t place = found - projection_.file_columns.begin();
    if (place < root.names.size()) types_[i] = root.children[place];
  }
  return true;
}

bool OrcFile::FindByName(const OrcType& root) {
  for (size_t i = 0; i < types_.size(); ++i) {
    const auto found =
        PlacesOfName(root.names, projection_.columns[i].name, projection_.case_sensitive);
    if (!found.ok() || found->size() > 1) return false;
    if (!found->empty()) types_[i] = root.children[found->front()];
  }
  return true;
}

bool OrcFile::IsAskedForAs(const OrcType& stored, const DataType& type) const {
  if (stored.kind != StoredKindOf(type)) return false;
  switch (type.kind) {
    case TypeKind::kDecimal:
      return stored.precision == type.precision && stored.scale == type.scale;
    case TypeKind::kTimestampNtz:
      return stored.spark_type == "timestamp_ntz";
    case TypeKind::kTimestamp:
      return stored.spark_type.empty() || stored.spark_type == "timestamp";
    case TypeKind::kString:
      return stored.spark_type.empty() || stored.spark_type == "string";
    default:
      return stored.spark_type.empty();
  }
}

// Spark holds the types of all columns against those of the table, place by place, and does not
// read timestamps with a time zone as such without one, nor the other way round.
bool OrcFile::HasOtherTimestamps(const OrcType& root) const {
  const size_t both = std::min(root.children.size(), projection_.file_columns.size());
  for (size_t i = 0; i < both; ++i) {
    const OrcType& stored = tail_.types[root.children[i]];
    const DataType& type = projection_.file_columns[i].type;
    const bool is_ntz = stored.spark_type == "timestamp_ntz";
    if (is_ntz && type.is(TypeKind::kTimestamp)) return true;
    if (!is_ntz && stored.kind == OrcKind::kTimestamp && type.is(TypeKind::kTimestampNtz)) {
      return true;
    }
    const bool both_are_structs = stored.kind == OrcKind::kStruct && type.is(TypeKind::kOther);
    if (both_are_structs && type.text.find("timestamp") != std::string::npos) return true;
  }
  return false;
}

void OrcFile::EstimateRows() {
  row_bytes_ = 1;
  for (size_t i = 0; i < types_.size(); ++i) {
    const DataType& type = projection_.columns[i].type;
    row_bytes_ += WidthOf(type);
    const bool has_statistics = types_[i] >= 0 && types_[i] < std::ssize(tail_.statistics);
    if (!type.is(TypeKind::kString) || !has_statistics || tail_.rows <= 0) continue;
    row_bytes_ += StringBytesOf(tail_.statistics[types_[i]]) / tail_.rows;
  }
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
    const auto type = static_cast<size_t>(types_[column]);
    return type < tail_.statistics.size() ? &tail_.statistics[type] : nullptr;
  });
}

bool OrcFile::AreRuledOut(
    const RowGroupPruner& pruner, int64_t rows,
    const std::function<const std::string*(size_t column)>& statistics_of) const {
  return pruner.CanSkip([&](int index) {
    const bool is_in_file = index >= 0 && index < std::ssize(types_) && types_[index] >= 0;
    const std::string* statistics = is_in_file ? statistics_of(index) : nullptr;
    if (statistics == nullptr) return ColumnRange{.may_have_nan = true};
    return RangeOfOrc(*statistics, projection_.columns[index].type, rows);
  });
}

Result<bool> OrcFile::Start(int stripe_number, const RowGroupPruner& pruner) {
  const OrcStripe& stripe = tail_.stripes[stripe_number];
  groups_read_ = groups_skipped_ = 0;
  row_ = 0;
  End();
  ARROW_ASSIGN_OR_RAISE(const OrcStripeFooter footer, FooterOf(stripe));
  if (!IsRead(footer)) return false;
  indexes_.assign(types_.size(), {});
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
  for (size_t i = 0; i < types_.size(); ++i) {
    if (types_[i] < 0) continue;
    if (types_[i] >= std::ssize(footer.encodings)) return false;
    if (footer.encodings[types_[i]].kind > OrcEncodingKind::kDictionary2) return false;
    const bool is_instant = projection_.columns[i].type.is(TypeKind::kTimestamp);
    if (is_instant && !IsSameZone(footer.zone, projection_.zone.id)) return false;
  }
  return true;
}

Status OrcFile::ReadIndexes(const OrcStripe& stripe, const OrcStripeFooter& footer) {
  const int64_t groups = (stripe.rows + tail_.index_rows - 1) / tail_.index_rows;
  StoredStreams stored;
  for (const OrcStoredStream& stream : footer.streams) {
    if (stream.kind == OrcStreamKind::kRowIndex && IsAsked(stream)) stored.push_back({stream, {}});
  }
  RETURN_NOT_OK(ReadStreams(&stored));
  for (size_t i = 0; i < types_.size(); ++i) {
    for (const auto& [stream, bytes] : stored) {
      if (types_[i] != stream.column) continue;
      ARROW_ASSIGN_OR_RAISE(auto entries, ReadOrcIndex(StreamOf(bytes), context_.pool));
      if (std::ssize(entries) == groups) indexes_[i] = std::move(entries);
    }
  }
  return Status::OK();
}

void OrcFile::ChooseRows(const OrcStripe& stripe, const RowGroupPruner& pruner) {
  // A group that is skipped is one that all columns have an entry for the next of.
  bool all_indexed =
      std::ranges::any_of(indexes_, [](const auto& entries) { return !entries.empty(); });
  for (size_t i = 0; i < types_.size(); ++i) {
    all_indexed = all_indexed && (types_[i] < 0 || !indexes_[i].empty());
  }
  const int64_t step = all_indexed ? tail_.index_rows : stripe.rows;
  for (int64_t begin = 0; begin < stripe.rows; begin += step) {
    const int64_t end = std::min(stripe.rows, begin + step);
    const size_t group = begin / step;
    const bool is_skipped = all_indexed && AreRuledOut(pruner, end - begin, [&](size_t column) {
                              return &indexes_[column][group].statistics;
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
  return stream.bytes > 0 && std::ranges::find(types_, int64_t{stream.column}) != types_.end();
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

Status OrcFile::MakeColumns(const OrcStripe& stripe, const OrcStripeFooter& footer) {
  columns_.resize(types_.size());
  for (size_t i = 0; i < types_.size(); ++i) {
    if (types_[i] < 0) continue;
    const auto type = static_cast<uint32_t>(types_[i]);
    OrcColumnSource source;
    source.type = projection_.columns[i].type;
    source.encoding = footer.encodings[type];
    const OrcStoredStream* present = footer.Find(type, OrcStreamKind::kPresent);
    source.may_have_nulls = present != nullptr;
    source.open = [this, type](OrcStreamKind kind) {
      for (const auto& [stream, bytes] : streams_) {
        if (stream.column == type && stream.kind == kind) return StreamOf(bytes);
      }
      return OrcStream();
    };
    source.rows = stripe.rows;
    source.epoch = projection_.zone.epoch;
    source.instants = projection_.instants;
    source.pool = context_.pool;
    auto column = MakeOrcColumn(std::move(source));
    if (!column.ok()) {
      return WithPrefix(column.status(), "column " + projection_.columns[i].name + ": ");
    }
    columns_[i] = std::move(*column);
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
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i] == nullptr) continue;
    RETURN_NOT_OK(columns_[i]->Seek(OrcPositions(indexes_[i][group].positions)));
  }
  row_ = row;
  return Status::OK();
}

Result<std::vector<std::shared_ptr<arrow::Array>>> OrcFile::Read(int64_t rows) {
  if (row_ != rows_.front().begin) RETURN_NOT_OK(SeekTo(rows_.front().begin));
  std::vector<std::shared_ptr<arrow::Array>> arrays;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Field& field = projection_.columns[i];
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
