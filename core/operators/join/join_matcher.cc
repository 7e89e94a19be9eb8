#include "operators/join/join_matcher.h"

#include "operators/join/join_build.h"

namespace reprise {

namespace {

// With fewer matches than one in so many rows, copying the matches is cheaper than leaving gaps.
constexpr int64_t kRowsAMatchMax = 4;

// Build rows beside a batch in its place may be so many times larger than a batch should be: it
// leaves in pieces, and none of the probe side is copied.
constexpr int64_t kInPlaceBatches = 4;

// What leaves of `fields`, of which the first `count` are the plan's: all but the `dropped` last of
// these.
JoinSide SideOf(std::vector<Field> fields, size_t count, size_t dropped) {
  JoinSide side{std::move(fields), {}};
  for (size_t i = 0; i < side.fields.size(); ++i) {
    if (i + dropped < count || i >= count) side.leaving.push_back(static_cast<int>(i));
  }
  return side;
}

}  // namespace

JoinMatcher::JoinMatcher(const JoinPlan* plan, std::vector<Field> probe_fields,
                         std::shared_ptr<arrow::Schema> output_schema, const TaskContext& context,
                         arrow::MemoryPool* build_pool)
    : plan_(*plan),
      join_(plan->join),
      condition_(plan->condition.get()),
      context_(context),
      pool_(context.pool),
      rows_max_(std::max<int64_t>(1, context.batch_rows_target)),
      output_schema_(output_schema),
      output_(
          std::move(output_schema),
          SideOf(plan->build_fields, plan->build_fields.size(), plan->dropped(join_.build_input())),
          SideOf(std::move(probe_fields), plan->probe_fields.size(),
                 plan->dropped(join_.probe_input())),
          join_.build_left),
      probe_(pool_),
      keeps_probe_(join_.keeps_probe()),
      walk_(condition_ != nullptr && keeps_probe_, keeps_probe_),
      search_(pool_),
      pairs_(pool_),
      kept_(pool_),
      places_(pool_),
      build_has_match_(build_pool) {}

Status JoinMatcher::SetBuild(std::shared_ptr<const JoinBuild> build, const BuildFacts& facts) {
  build_ = std::move(build);
  facts_ = facts;
  keys_.emplace(&build_->layout, pool_);
  next_unmatched_ = 0;
  marked_rows_ = 0;
  if (!join_.keeps_build()) return Status::OK();
  build_has_match_.Release();
  return build_has_match_.Resize(build_->table->row_count());
}

void JoinMatcher::DropBuild() {
  probe_.Release();
  widths_.reset();
  keys_.reset();
  build_.reset();
  in_batch_ = false;
}

void JoinMatcher::FlagMatches(ProbeFlags* flags) {
  flags_ = flags;
  keeps_probe_ = flags == nullptr && join_.keeps_probe();
  walk_ = PairWalk(condition_ != nullptr && keeps_probe_, keeps_probe_);
}

Status JoinMatcher::Start(Batch batch, int64_t first_row) {
  if (flags_ != nullptr && join_.is_membership()) {
    ARROW_ASSIGN_OR_RAISE(batch, Unflagged(std::move(batch), first_row, *flags_));
  }
  if (batch.selected_count() == 0) return Status::OK();
  first_row_ = first_row;
  return due_.UpTo(batch, [this](const Batch& rows) { return Begin(rows); });
}

Status JoinMatcher::Begin(const Batch& batch) {
  ARROW_ASSIGN_OR_RAISE(const auto keys, EvaluateKeys(plan_.probe_keys, batch, pool_));
  RETURN_NOT_OK(probe_.Start(batch, keys, *build_, &*keys_));
  walk_.Start();
  tried_ = -1;
  widths_.reset();
  row_has_match_ = false;
  in_batch_ = true;
  return Status::OK();
}

Result<std::optional<Batch>> JoinMatcher::Next() {
  if (!in_batch_) return due_.status();
  return join_.is_membership() ? MembershipBatch() : JoinedBatch();
}

// --- semi, anti and existence joins ---

Result<std::optional<Batch>> JoinMatcher::MembershipBatch() {
  RETURN_NOT_OK(Search());
  in_batch_ = false;
  if (flags_ != nullptr) FlagFoundRows();
  Batch batch = output_.ProbeAlone(probe_.batch());
  const auto is_found = [&](int64_t row) { return search_.has_match(row) != 0; };
  if (join_.type == JoinType::kExistence) {
    ARROW_ASSIGN_OR_RAISE(auto exists, ExistsColumn());
    batch.columns.push_back(std::move(exists));
    if (flags_ != nullptr) return Select(std::move(batch), is_found);
    return batch;
  }
  if (join_.type == JoinType::kSemi) return Select(std::move(batch), is_found);
  if (flags_ != nullptr) return std::nullopt;
  if (!join_.null_aware || facts_.rows == 0) {
    return Select(std::move(batch), [&](int64_t row) { return !is_found(row); });
  }
  // NOT IN: null on either side makes the answer unknown, but for an empty list.
  if (facts_.has_null_key) return std::nullopt;
  return Select(std::move(batch),
                [&](int64_t row) { return !is_found(row) && !probe_.is_null(row); });
}

// Of the rows before one whose condition fails, where one does.
Status JoinMatcher::Search() {
  const auto run = [this] {
    return search_.Run(probe_, *build_, condition_, context_.bounds(), context_.cancelled);
  };
  const Status found = run();
  if (found.ok()) return found;
  Batch batch = probe_.batch();
  RETURN_NOT_OK(due_.Cut(&batch, found, [&](const Batch& rows) {
    RETURN_NOT_OK(Begin(rows));
    return run();
  }));
  RETURN_NOT_OK(Begin(batch));
  return run();
}

void JoinMatcher::FlagFoundRows() {
  for (int64_t row = 0; row < probe_.size(); ++row) {
    const bool is_unknown = join_.null_aware && probe_.is_null(row);
    if (search_.has_match(row) || is_unknown) flags_->Set(first_row_ + probe_.physical(row));
  }
}

template <typename Wanted>
Result<std::optional<Batch>> JoinMatcher::Select(Batch batch, Wanted&& wanted) {
  const int64_t rows = probe_.size();
  ARROW_ASSIGN_OR_RAISE(
      std::unique_ptr<arrow::ResizableBuffer> selection,
      arrow::AllocateResizableBuffer(rows * static_cast<int64_t>(sizeof(int32_t)), pool_));
  int32_t* out = reinterpret_cast<int32_t*>(selection->mutable_data());
  int64_t count = 0;
  for (int64_t row = 0; row < rows; ++row) {
    out[count] = probe_.physical(row);
    count += wanted(row);
  }
  if (count == rows) return batch;
  RETURN_NOT_OK(selection->Resize(count * static_cast<int64_t>(sizeof(int32_t)), false));
  batch.selection = std::move(selection);
  return batch;
}

Result<std::shared_ptr<arrow::Array>> JoinMatcher::ExistsColumn() {
  const int64_t rows = probe_.batch().row_count;
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                        arrow::AllocateEmptyBitmap(rows, pool_));
  for (int64_t row = 0; row < probe_.size(); ++row) {
    if (search_.has_match(row)) {
      arrow::bit_util::SetBit(bits->mutable_data(), probe_.physical(row));
    }
  }
  return std::make_shared<arrow::BooleanArray>(rows, std::move(bits));
}

// --- inner and outer joins ---

Result<std::optional<Batch>> JoinMatcher::JoinedBatch() {
  if (join_.marks_only) {
    RETURN_NOT_OK(MarkBatch());
    return std::nullopt;
  }
  if (widths_.has_value()) return given_ < pairs_.size() ? NextPairs() : ListAndGive();
  if (condition_ == nullptr && build_->table->is_unique()) {
    int64_t matches = 0;
    for (int64_t row = 0; row < probe_.size(); ++row) matches += probe_.heads()[row] >= 0;
    const bool is_dense = keeps_probe_ || matches * kRowsAMatchMax >= probe_.batch().row_count;
    if (is_dense && FitsInPlace()) {
      in_batch_ = false;
      return BatchInPlace();
    }
  }
  widths_.emplace(RowWidths(probe_.batch().columns), build_->widths, build_->longest_row);
  return ListAndGive();
}

bool JoinMatcher::FitsInPlace() const {
  const int64_t bytes_max = kInPlaceBatches * context_.bounds().bytes;
  if (probe_.batch().row_count * build_->longest_row <= bytes_max) return true;
  int64_t bytes = 0;
  for (int64_t row = 0; row < probe_.size(); ++row) bytes += build_->widths[probe_.heads()[row]];
  return bytes <= bytes_max || probe_.size() == 1;
}

// The next pairs of the probe batch, and the first of their rows.
Result<std::optional<Batch>> JoinMatcher::ListAndGive() {
  // A row that is closed is a pair more.
  const int64_t count_max = condition_ == nullptr ? rows_max_ : std::max<int64_t>(1, rows_max_ - 1);
  RETURN_NOT_OK(walk_.Next(probe_, *build_->table, count_max, &pairs_));
  if (condition_ != nullptr) RETURN_NOT_OK(KeepPassingPairs());
  if (condition_ != nullptr && condition_->can_fail()) RETURN_NOT_OK(TryUnfinishedRow());
  if (join_.keeps_build()) MarkMatched(pairs_.build_rows());
  if (flags_ != nullptr) {
    for (const int32_t row : pairs_.probe_rows()) flags_->Set(first_row_ + row);
  }
  given_ = 0;
  return NextPairs();
}

// Rows of the pairs that are listed, as many as a batch may have.
Result<std::optional<Batch>> JoinMatcher::NextPairs() {
  const int64_t begin = given_;
  const int64_t count = widths_->CountWithin(context_.bounds(), pairs_, begin);
  given_ += count;
  in_batch_ = given_ < pairs_.size() || !walk_.AtEnd(probe_);
  if (count == 0) return std::nullopt;
  return output_.Pairs(probe_.batch(), build_->columns, pairs_, begin, count, pool_);
}

// As Spark does, all pairs are tried where trying them may fail.
Status JoinMatcher::MarkBatch() {
  const int64_t rows = build_->table->row_count();
  if (condition_ == nullptr) {
    std::fill_n(build_has_match_.data(), rows, uint8_t{1});
    marked_rows_ = rows;
  }
  in_batch_ = condition_ != nullptr && (marked_rows_ < rows || condition_->can_fail());
  if (!in_batch_) return Status::OK();
  RETURN_NOT_OK(walk_.Next(probe_, *build_->table, rows_max_, &pairs_));
  RETURN_NOT_OK(KeepPassingPairs());
  in_batch_ = !walk_.AtEnd(probe_);
  for (const int32_t row : pairs_.build_rows()) {
    marked_rows_ += build_has_match_[row] == 0;
    build_has_match_[row] = 1;
  }
  return Status::OK();
}

// Each probe row has one match or none.
Result<std::optional<Batch>> JoinMatcher::BatchInPlace() {
  const std::span<const int32_t> heads(probe_.heads(), static_cast<size_t>(probe_.size()));
  if (join_.keeps_build()) MarkMatched(heads);
  if (flags_ != nullptr) {
    for (int64_t row = 0; row < probe_.size(); ++row) {
      if (heads[static_cast<size_t>(row)] >= 0) flags_->Set(first_row_ + probe_.physical(row));
    }
  }
  std::span<const int32_t> places = heads;
  if (probe_.batch().has_selection()) {
    RETURN_NOT_OK(places_.ResizeUninitialised(probe_.batch().row_count));
    std::fill_n(places_.data(), places_.size(), JoinTable::kNone);
    for (size_t row = 0; row < heads.size(); ++row) {
      places_[probe_.physical(static_cast<int64_t>(row))] = heads[row];
    }
    places = {places_.data(), static_cast<size_t>(places_.size())};
  }
  if (keeps_probe_) {
    return output_.InPlace(probe_.batch(), probe_.batch().selection, build_->columns, places,
                           Missing::kNull, pool_);
  }
  ARROW_ASSIGN_OR_RAISE(auto selected,
                        Select(probe_.batch(), [&](int64_t row) { return heads[row] >= 0; }));
  return output_.InPlace(probe_.batch(), std::move(selected->selection), build_->columns, places,
                         Missing::kUndefined, pool_);
}

// Leaves those of pairs_ for which the condition is true, and a pair without a build row for each
// probe row that is kept and was closed without one.
Status JoinMatcher::KeepPassingPairs() {
  ARROW_ASSIGN_OR_RAISE(const auto passed, PassingPairs());
  const auto* numbers = reinterpret_cast<const int32_t*>(passed->data());
  const int64_t passed_count = passed->size() / static_cast<int64_t>(sizeof(int32_t));
  int64_t kept = 0;
  const auto keep = [&](int64_t pair) {
    pairs_.probe[kept] = pairs_.probe[pair];
    pairs_.build[kept++] = pairs_.build[pair];
  };
  if (!keeps_probe_) {
    for (int64_t i = 0; i < passed_count; ++i) keep(numbers[i]);
  } else {
    int64_t next = 0;
    const int64_t count = pairs_.size();
    for (int64_t pair = 0; pair < count; ++pair) {
      const bool closes_row = pairs_.build[pair] == JoinTable::kNone;
      if (!closes_row && next < passed_count && numbers[next] == pair) {
        ++next;
        row_has_match_ = true;
        keep(pair);
      } else if (closes_row) {
        if (!row_has_match_) keep(pair);
        row_has_match_ = false;
      }
    }
  }
  RETURN_NOT_OK(pairs_.probe.ResizeUninitialised(kept));
  return pairs_.build.ResizeUninitialised(kept);
}

// The numbers of those of pairs_ for which the condition is true. Where it fails for one, the walk
// ends before that pair's probe row: Spark gives all pairs of a row or none.
Result<std::shared_ptr<arrow::Buffer>> JoinMatcher::PassingPairs() {
  auto passed = condition_->Select(probe_.batch(), *build_, pairs_, context_.bounds(), pool_);
  if (passed.ok()) return passed;
  RowError first = condition_->FindError(probe_.batch(), *build_, pairs_, passed.status(),
                                         context_.bounds(), pool_);
  const int32_t row = pairs_.probe[first.row];
  while (first.row > 0 && pairs_.probe[first.row - 1] == row) --first.row;
  if (first.row == 0) return first.status;
  due_.Set(std::move(first.status));
  walk_.End(probe_);
  RETURN_NOT_OK(pairs_.probe.ResizeUninitialised(first.row));
  RETURN_NOT_OK(pairs_.build.ResizeUninitialised(first.row));
  return condition_->Select(probe_.batch(), *build_, pairs_, context_.bounds(), pool_);
}

// Spark gives all pairs of a row or none. So those of an unfinished row that are still to come are
// tried before the first of them leaves; where one fails the walk ends before that row.
Status JoinMatcher::TryUnfinishedRow() {
  const int64_t position = walk_.unfinished();
  if (position < 0 || position == tried_) return Status::OK();
  tried_ = position;
  const int32_t row = probe_.physical(position);
  PairWalk rest = walk_;
  RowPairs pairs(pool_);
  while (rest.unfinished() == position) {
    RETURN_NOT_OK(rest.Next(probe_, *build_->table, rows_max_, &pairs));
    const auto of_row =
        std::ranges::find_if(pairs.probe_rows(), [&](int32_t of) { return of != row; });
    const int64_t count = of_row - pairs.probe_rows().begin();
    RETURN_NOT_OK(pairs.probe.ResizeUninitialised(count));
    RETURN_NOT_OK(pairs.build.ResizeUninitialised(count));
    const auto tried = condition_->Select(probe_.batch(), *build_, pairs, context_.bounds(), pool_);
    if (tried.ok()) continue;
    due_.Set(
        condition_
            ->FindError(probe_.batch(), *build_, pairs, tried.status(), context_.bounds(), pool_)
            .status);
    walk_.End(probe_);
    int64_t before = pairs_.size();
    while (before > 0 && pairs_.probe[before - 1] == row) --before;
    RETURN_NOT_OK(pairs_.probe.ResizeUninitialised(before));
    return pairs_.build.ResizeUninitialised(before);
  }
  return Status::OK();
}

void JoinMatcher::MarkMatched(std::span<const int32_t> build_rows) {
  for (int32_t row : build_rows) {
    if (row >= 0) build_has_match_[row] = 1;
  }
}

// --- rows without a match ---

Result<std::optional<Batch>> JoinMatcher::UnmatchedBuildRows() {
  const int32_t rows = join_.keeps_build() ? build_->table->row_count() : 0;
  RETURN_NOT_OK(kept_.ResizeUninitialised(std::min<int64_t>(rows, rows_max_)));
  const int64_t bytes_max = context_.bounds().bytes;
  int64_t count = 0;
  int64_t bytes = 0;
  for (; next_unmatched_ < rows && count < rows_max_; ++next_unmatched_) {
    if (build_has_match_[next_unmatched_] != 0) continue;
    bytes += build_->widths[next_unmatched_];
    if (count > 0 && bytes > bytes_max) break;
    kept_[count++] = next_unmatched_;
  }
  if (count == 0) return std::nullopt;
  return output_.BuildRows(build_->columns, {kept_.data(), static_cast<size_t>(count)}, pool_);
}

Result<std::optional<Batch>> JoinMatcher::MatchedBuildRows() {
  const int32_t rows = build_->table->row_count();
  ARROW_ASSIGN_OR_RAISE(
      std::unique_ptr<arrow::ResizableBuffer> numbers,
      arrow::AllocateResizableBuffer(
          std::min<int64_t>(rows, rows_max_) * static_cast<int64_t>(sizeof(int32_t)), pool_));
  int32_t* out = reinterpret_cast<int32_t*>(numbers->mutable_data());
  int64_t count = 0;
  for (; next_unmatched_ < rows && count < rows_max_; ++next_unmatched_) {
    if (build_has_match_[next_unmatched_] != 0) out[count++] = next_unmatched_;
  }
  if (count == 0) return std::nullopt;
  RETURN_NOT_OK(numbers->Resize(count * static_cast<int64_t>(sizeof(int32_t)), false));
  auto column = std::make_shared<arrow::Int32Array>(count, std::move(numbers));
  return Batch{output_schema_, {std::move(column)}, count, nullptr};
}

Result<Batch> JoinMatcher::Unflagged(Batch batch, int64_t first_row, const ProbeFlags& flags) {
  const int64_t rows = batch.selected_count();
  ARROW_ASSIGN_OR_RAISE(
      std::unique_ptr<arrow::ResizableBuffer> selection,
      arrow::AllocateResizableBuffer(rows * static_cast<int64_t>(sizeof(int32_t)), pool_));
  int32_t* out = reinterpret_cast<int32_t*>(selection->mutable_data());
  int64_t count = 0;
  for (int64_t row = 0; row < rows; ++row) {
    const auto physical = batch.has_selection() ? batch.selected()[static_cast<size_t>(row)] : row;
    out[count] = static_cast<int32_t>(physical);
    count += !flags[first_row + physical];
  }
  RETURN_NOT_OK(selection->Resize(count * static_cast<int64_t>(sizeof(int32_t)), false));
  batch.selection = std::move(selection);
  return batch;
}

Result<std::optional<Batch>> JoinMatcher::UnflaggedProbeRows(Batch batch, int64_t first_row,
                                                             const ProbeFlags& flags) {
  ARROW_ASSIGN_OR_RAISE(batch, Unflagged(std::move(batch), first_row, flags));
  if (batch.selected_count() == 0) return std::nullopt;
  if (!join_.is_membership()) return output_.ProbeRows(batch, pool_);
  batch = output_.ProbeAlone(std::move(batch));
  if (join_.type == JoinType::kExistence) {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                          arrow::AllocateEmptyBitmap(batch.row_count, pool_));
    batch.columns.push_back(
        std::make_shared<arrow::BooleanArray>(batch.row_count, std::move(bits)));
  }
  return batch;
}

}  // namespace reprise
