#include "operators/join/join_condition.h"

#include <algorithm>
#include <functional>

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

Result<std::unique_ptr<JoinCondition>> JoinCondition::Make(const ExpressionSpec& condition,
                                                           const std::vector<Field>& left,
                                                           const std::vector<Field>& right,
                                                           bool build_left) {
  std::vector<Field> all = left;
  all.insert(all.end(), right.begin(), right.end());
  // Checks the indices and types before they are renumbered.
  ARROW_ASSIGN_OR_RAISE(const auto checked, MakeExpression(condition, all));
  auto made = std::make_unique<JoinCondition>();
  made->can_fail_ = checked->can_fail();
  ExpressionSpec compact = condition;
  std::vector<int> columns;
  CompactColumns(&compact, &columns);
  std::vector<Field> fields;
  const int left_count = static_cast<int>(left.size());
  for (int column : columns) {
    fields.push_back(all[static_cast<size_t>(column)]);
    const bool is_left = column < left_count;
    made->sources_.push_back({is_left == build_left, is_left ? column : column - left_count});
  }
  ARROW_ASSIGN_OR_RAISE(made->schema_, ToArrowSchema(fields));
  ARROW_ASSIGN_OR_RAISE(made->predicate_,
                        Predicate::Make(compact, fields, Conjunction::kOfExpression));
  return made;
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

Result<std::shared_ptr<arrow::Buffer>> JoinCondition::Select(const Batch& probe,
                                                             const JoinBuild& build,
                                                             const RowPairs& pairs,
                                                             const BatchBounds& bounds,
                                                             arrow::MemoryPool* pool) const {
  std::shared_ptr<arrow::Buffer> whole;
  std::vector<int32_t> selected;
  RETURN_NOT_OK(
      InStretches(probe, build, pairs, bounds, [&](int64_t begin, int64_t count) -> Result<bool> {
        ARROW_ASSIGN_OR_RAISE(const Batch batch, Gathered(probe, build, pairs, begin, count, pool));
        ARROW_ASSIGN_OR_RAISE(auto part, predicate_->Select(batch, pool));
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
    const auto work = [&](const Batch& some) { return predicate_->Select(some, pool).status(); };
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
