#include "operators/join/join_condition.h"

#include <algorithm>
#include <functional>

#include "base/selected_rows.h"
#include "expressions/scatter.h"
#include "operators/gather.h"
#include "operators/join/join_build.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

// Renumbers the columns that the expression reads: `columns` lists them in their new order.
void CompactColumns(ExpressionSpec* expression, std::vector<int>* columns) {
  const int column = PlainColumn(*expression);
  if (column >= 0) {
    const auto found = std::ranges::find(*columns, column);
    expression->attributes["index"] = found - columns->begin();
    if (found == columns->end()) columns->push_back(column);
  }
  for (ExpressionSpec& argument : expression->arguments) CompactColumns(&argument, columns);
}

// The numbers of those of `count` pairs from `begin` on that have a build row, counted from there.
Result<std::shared_ptr<arrow::Buffer>> RealPairs(const RowPairs& pairs, int64_t begin,
                                                 int64_t count, arrow::MemoryPool* pool) {
  ARROW_ASSIGN_OR_RAISE(
      std::unique_ptr<arrow::ResizableBuffer> buffer,
      arrow::AllocateResizableBuffer(count * static_cast<int64_t>(sizeof(int32_t)), pool));
  int32_t* out = reinterpret_cast<int32_t*>(buffer->mutable_data());
  int64_t real = 0;
  for (int64_t i = 0; i < count; ++i) {
    out[real] = static_cast<int32_t>(i);
    real += pairs.build[begin + i] >= 0;
  }
  RETURN_NOT_OK(buffer->Resize(real * static_cast<int64_t>(sizeof(int32_t)), false));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

}  // namespace

Result<std::unique_ptr<JoinCondition>> JoinCondition::Make(const OperatorSpec& spec,
                                                           const JoinSpec& join,
                                                           const TaskContext& context) {
  auto made = std::make_unique<JoinCondition>();
  std::vector<int> columns;
  std::optional<ExpressionSpec> compact = join.condition;
  if (compact) {
    std::vector<Field> all = spec.inputs[0];
    all.insert(all.end(), spec.inputs[1].begin(), spec.inputs[1].end());
    // Checks the indices and types before they are renumbered.
    ARROW_ASSIGN_OR_RAISE(const auto checked, MakeExpression(*compact, all));
    made->can_fail_ = checked->can_fail();
    CompactColumns(&*compact, &columns);
  }
  for (const int column : join.guest_reads) {
    const auto found = std::ranges::find(columns, column);
    made->guest_reads_.push_back(static_cast<int>(found - columns.begin()));
    if (found == columns.end()) columns.push_back(column);
  }
  std::optional<ExpressionSpec> trial = join.guest_trial;
  if (trial) CompactColumns(&*trial, &columns);
  const std::vector<Field> fields = made->BindTo(columns, spec, join.build_left);
  ARROW_ASSIGN_OR_RAISE(made->schema_, ToArrowSchema(fields));
  if (compact) {
    ARROW_ASSIGN_OR_RAISE(made->predicate_,
                          Predicate::Make(*compact, fields, Conjunction::kOfExpression));
  }
  if (!join.guest) return made;
  made->can_fail_ = true;
  std::vector<Field> read;
  for (const int column : made->guest_reads_) read.push_back(fields[static_cast<size_t>(column)]);
  const Field verdict{"condition", {TypeKind::kBoolean, 0, 0, {}}, true};
  ARROW_ASSIGN_OR_RAISE(made->guest_, GuestValues::Make(read, {verdict}, *join.guest, context));
  if (trial) {
    ARROW_ASSIGN_OR_RAISE(made->trials_, GuestTrials::Make({*trial}, fields, {{verdict}}));
  }
  return made;
}

// Notes where `columns`, of the left side and then the right one, come from.
std::vector<Field> JoinCondition::BindTo(std::span<const int> columns, const OperatorSpec& spec,
                                         bool build_left) {
  std::vector<Field> fields;
  const int left_count = static_cast<int>(spec.inputs[0].size());
  for (const int column : columns) {
    const bool is_left = column < left_count;
    const int index = is_left ? column : column - left_count;
    fields.push_back(spec.inputs[is_left ? 0 : 1][static_cast<size_t>(index)]);
    sources_.push_back({is_left == build_left, index});
  }
  return fields;
}

PairWidths JoinCondition::WidthsOf(const Batch& probe, const JoinBuild& build) const {
  arrow::ArrayVector of_probe;
  arrow::ArrayVector of_build;
  for (const Source& source : sources_) {
    if (source.is_build) {
      of_build.push_back(build.columns[source.index]);
    } else {
      of_probe.push_back(probe.columns[source.index]);
    }
  }
  const int64_t build_longest = of_build.empty() ? 0 : build.longest_row;
  return {RowWidths(of_probe), RowWidths(of_build), build_longest};
}

Status JoinCondition::InStretches(
    const Batch& probe, const JoinBuild& build, const RowPairs& pairs, const BatchBounds& bounds,
    const std::function<Result<bool>(int64_t, int64_t)>& visit) const {
  const PairWidths widths = WidthsOf(probe, build);
  // Pairs are listed by whoever knows how many there should be: only their bytes count here.
  const BatchBounds of_bytes{std::max(bounds.rows, pairs.size()), bounds.bytes};
  for (int64_t begin = 0; begin < pairs.size();) {
    const int64_t count = widths.CountWithin(of_bytes, pairs, begin);
    ARROW_ASSIGN_OR_RAISE(const bool goes_on, visit(begin, count));
    if (!goes_on) return Status::OK();
    begin += count;
  }
  return Status::OK();
}

// The columns that the condition reads, and the pairs that have a build row selected.
Result<Batch> JoinCondition::Gathered(const Batch& probe, const JoinBuild& build,
                                      const RowPairs& pairs, int64_t begin, int64_t count,
                                      arrow::MemoryPool* pool) const {
  Batch batch{schema_, {}, count, nullptr};
  for (const Source& source : sources_) {
    const auto& column =
        source.is_build ? build.columns[source.index] : probe.columns[source.index];
    const auto rows =
        source.is_build ? pairs.build_rows(begin, count) : pairs.probe_rows(begin, count);
    ARROW_ASSIGN_OR_RAISE(auto gathered, GatherRows(*column, rows, Missing::kUndefined, pool));
    batch.columns.push_back(std::move(gathered));
  }
  ARROW_ASSIGN_OR_RAISE(auto real, RealPairs(pairs, begin, count, pool));
  const bool all_real = real->size() == count * static_cast<int64_t>(sizeof(int32_t));
  if (!all_real) batch.selection = std::move(real);
  return batch;
}

Result<std::shared_ptr<arrow::Buffer>> JoinCondition::Passing(Batch batch,
                                                              arrow::MemoryPool* pool) const {
  if (!guest_) return predicate_->Select(batch, pool);
  if (predicate_) {
    ARROW_ASSIGN_OR_RAISE(auto selection, predicate_->Select(batch, pool));
    if (selection != nullptr) batch.selection = std::move(selection);
  }
  return PassingGuest(batch, pool);
}

Result<std::shared_ptr<arrow::Buffer>> JoinCondition::PassingGuest(const Batch& batch,
                                                                   arrow::MemoryPool* pool) const {
  std::vector<uint8_t> passes(static_cast<size_t>(batch.selected_count()));
  if (trials_ != nullptr && trials_->pays()) {
    ARROW_ASSIGN_OR_RAISE(const GuestTrials::Values tried, trials_->Try(batch, pool));
    const auto& verdicts = static_cast<const arrow::BooleanArray&>(*tried.columns[0]);
    for (size_t place = 0; place < passes.size(); ++place) {
      const auto i = static_cast<int64_t>(place);
      passes[place] = verdicts.IsValid(i) && verdicts.Value(i);
    }
    if (!tried.doubted.empty()) RETURN_NOT_OK(AskGuest(batch, tried.doubted, pool, &passes));
  } else {
    RETURN_NOT_OK(AskGuest(batch, AllRows(batch.selected_count()), pool, &passes));
  }
  return SelectionOf(batch, pool,
                     [&](int64_t place) { return passes[static_cast<size_t>(place)] != 0; });
}

Status JoinCondition::AskGuest(const Batch& batch, const std::vector<int32_t>& places,
                               arrow::MemoryPool* pool, std::vector<uint8_t>* passes) const {
  Batch read{nullptr, {}, batch.row_count, batch.selection};
  for (const int column : guest_reads_) read.columns.push_back(batch.columns[column]);
  if (std::ssize(places) < read.selected_count()) {
    ARROW_ASSIGN_OR_RAISE(read.selection, SelectionAt(read, places, pool));
  }
  RETURN_NOT_OK(guest_->Begin(read));
  auto place = places.begin();
  while (guest_->left() > 0) {
    ARROW_ASSIGN_OR_RAISE(const GuestValues::Results results, guest_->Next());
    if (!results.failures.empty()) return results.failures[0].second;
    const auto& verdicts = static_cast<const arrow::BooleanArray&>(*results.columns.columns[0]);
    for (int64_t i = 0; i < verdicts.length(); ++i, ++place) {
      (*passes)[static_cast<size_t>(*place)] = verdicts.IsValid(i) && verdicts.Value(i);
    }
  }
  return Status::OK();
}

Result<std::shared_ptr<arrow::Buffer>> JoinCondition::Select(const Batch& probe,
                                                             const JoinBuild& build,
                                                             const RowPairs& pairs,
                                                             const BatchBounds& bounds,
                                                             arrow::MemoryPool* pool) const {
  std::shared_ptr<arrow::Buffer> whole;
  std::vector<int32_t> selected;
  RETURN_NOT_OK(
      InStretches(probe, build, pairs, bounds, [&](int64_t begin, int64_t count) -> Result<bool> {
        ARROW_ASSIGN_OR_RAISE(Batch batch, Gathered(probe, build, pairs, begin, count, pool));
        ARROW_ASSIGN_OR_RAISE(auto part, Passing(std::move(batch), pool));
        if (part == nullptr) {
          ARROW_ASSIGN_OR_RAISE(part, RealPairs(pairs, begin, count, pool));
        }
        if (count == pairs.size()) {
          whole = std::move(part);
          return false;
        }
        const auto* numbers = reinterpret_cast<const int32_t*>(part->data());
        const int64_t size = part->size() / static_cast<int64_t>(sizeof(int32_t));
        for (int64_t i = 0; i < size; ++i) {
          selected.push_back(static_cast<int32_t>(begin) + numbers[i]);
        }
        return true;
      }));
  return whole != nullptr ? whole : arrow::Buffer::FromVector(std::move(selected));
}

RowError JoinCondition::FindError(const Batch& probe, const JoinBuild& build, const RowPairs& pairs,
                                  const Status& error, const BatchBounds& bounds,
                                  arrow::MemoryPool* pool) const {
  RowError first{0, error};
  const auto fails = [&](int64_t begin, int64_t count) -> Result<bool> {
    ARROW_ASSIGN_OR_RAISE(const Batch batch, Gathered(probe, build, pairs, begin, count, pool));
    const auto work = [&](const Batch& some) { return Passing(some, pool).status(); };
    const Status status = work(batch);
    if (status.ok()) return true;
    first = FindRowError(batch, status, work);
    if (batch.has_selection()) first.row = batch.selected()[static_cast<size_t>(first.row)];
    first.row += begin;
    return false;
  };
  const Status searched = InStretches(probe, build, pairs, bounds, fails);
  return searched.ok() ? first : RowError{0, searched};
}

}  // namespace reprise
