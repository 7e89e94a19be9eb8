#include "operators/join/join_probe.h"

#include <arrow/array/array_dict.h>

#include <algorithm>

#include "operators/join/join_build.h"
#include "operators/join/join_condition.h"
#include "operators/join/join_keys.h"

namespace reprise {

Status ProbeBatch::Start(Batch batch, const arrow::ArrayVector& keys, const JoinBuild& build,
                         JoinKeys* scratch) {
  batch_ = std::move(batch);
  selected_ = batch_.has_selection() ? batch_.selected().data() : nullptr;
  scratch_ = scratch;
  RETURN_NOT_OK(heads_.ResizeUninitialised(size()));
  if (keys.size() == 1 && keys[0]->type_id() == arrow::Type::DICTIONARY) {
    const auto& encoded = static_cast<const arrow::DictionaryArray&>(*keys[0]);
    if (encoded.dictionary()->length() < size()) {
      RETURN_NOT_OK(FindByDictionary(encoded, build, scratch));
      return scratch->EncodeNulls(keys);
    }
  }
  RETURN_NOT_OK(scratch->Encode(keys, size()));
  return build.table->Find(*scratch, heads_.data());
}

// Looks each value of the dictionary up once.
Status ProbeBatch::FindByDictionary(const arrow::DictionaryArray& keys, const JoinBuild& build,
                                    JoinKeys* scratch) {
  const auto& dictionary = keys.dictionary();
  RETURN_NOT_OK(scratch->Encode({dictionary}, dictionary->length()));
  RETURN_NOT_OK(dictionary_heads_.ResizeUninitialised(dictionary->length()));
  RETURN_NOT_OK(build.table->Find(*scratch, dictionary_heads_.data()));
  const int32_t* codes = keys.data()->GetValues<int32_t>(1);
  const bool has_nulls = keys.null_count() > 0;
  for (int64_t row = 0; row < size(); ++row) {
    heads_[row] = has_nulls && keys.IsNull(row) ? JoinTable::kNone : dictionary_heads_[codes[row]];
  }
  return Status::OK();
}

Status PairWalk::Next(const ProbeBatch& probe, const JoinTable& table, int64_t count_max,
                      RowPairs* pairs) {
  // A row is closed without asking for room.
  RETURN_NOT_OK(pairs->probe.ResizeUninitialised(count_max + 1));
  RETURN_NOT_OK(pairs->build.ResizeUninitialised(count_max + 1));
  int32_t* probe_rows = pairs->probe.data();
  int32_t* build_rows = pairs->build.data();
  int64_t count = 0;
  const auto add = [&](int32_t build_row) {
    probe_rows[count] = probe.physical(position_);
    build_rows[count++] = build_row;
  };
  for (; position_ < probe.size() && count < count_max; ++position_) {
    int32_t match = is_inside_row_ ? next_match_ : probe.heads()[position_];
    const bool unmatched = match == JoinTable::kNone && !is_inside_row_;
    for (; match != JoinTable::kNone && count < count_max; match = table.Next(match)) add(match);
    is_inside_row_ = match != JoinTable::kNone;
    next_match_ = match;
    if (is_inside_row_) break;
    if (closes_rows_ || (unmatched && keeps_probe_)) add(JoinTable::kNone);
  }
  RETURN_NOT_OK(pairs->probe.ResizeUninitialised(count));
  return pairs->build.ResizeUninitialised(count);
}

Status MatchSearch::Run(const ProbeBatch& probe, const JoinBuild& build,
                        const JoinCondition* condition, const BatchBounds& bounds,
                        const std::function<bool()>& cancelled) {
  const int64_t rows = probe.size();
  const int32_t* heads = probe.heads();
  RETURN_NOT_OK(has_match_.ResizeUninitialised(rows));
  for (int64_t row = 0; row < rows; ++row) has_match_[row] = heads[row] != JoinTable::kNone;
  if (condition == nullptr) return Status::OK();
  RETURN_NOT_OK(open_.ResizeUninitialised(rows));
  int64_t count = 0;
  for (int64_t row = 0; row < rows; ++row) {
    open_[count] = {static_cast<int32_t>(row), heads[row]};
    count += heads[row] != JoinTable::kNone;
    has_match_[row] = 0;
  }
  RETURN_NOT_OK(open_.ResizeUninitialised(count));
  while (open_.size() > 0) {
    if (cancelled && cancelled()) return Status::Cancelled("the task was cancelled");
    // Spark stops at the first match, so later candidates must not fail.
    const int64_t count_a_row =
        condition->can_fail() ? 1 : std::max<int64_t>(1, bounds.rows / open_.size());
    RETURN_NOT_OK(ListPairs(probe, *build.table, count_a_row));
    RETURN_NOT_OK(TryPairs(probe, build, *condition, bounds));
  }
  return Status::OK();
}

Status MatchSearch::ListPairs(const ProbeBatch& probe, const JoinTable& table,
                              int64_t count_a_row) {
  const int64_t count_max = open_.size() * count_a_row;
  RETURN_NOT_OK(owners_.ResizeUninitialised(count_max));
  RETURN_NOT_OK(pairs_.probe.ResizeUninitialised(count_max));
  RETURN_NOT_OK(pairs_.build.ResizeUninitialised(count_max));
  int64_t count = 0;
  for (int64_t i = 0; i < open_.size(); ++i) {
    const int32_t row = probe.physical(open_[i].position);
    int32_t match = open_[i].next_match;
    for (int64_t n = 0; n < count_a_row && match != JoinTable::kNone; ++n) {
      owners_[count] = static_cast<int32_t>(i);
      pairs_.probe[count] = row;
      pairs_.build[count++] = match;
      match = table.Next(match);
    }
    open_[i].next_match = match;
  }
  RETURN_NOT_OK(pairs_.probe.ResizeUninitialised(count));
  return pairs_.build.ResizeUninitialised(count);
}

Status MatchSearch::TryPairs(const ProbeBatch& probe, const JoinBuild& build,
                             const JoinCondition& condition, const BatchBounds& bounds) {
  ARROW_ASSIGN_OR_RAISE(const auto passed,
                        condition.Select(probe.batch(), build, pairs_, bounds, pool_));
  const auto* numbers = reinterpret_cast<const int32_t*>(passed->data());
  const int64_t passed_count = passed->size() / static_cast<int64_t>(sizeof(int32_t));
  for (int64_t i = 0; i < passed_count; ++i) {
    has_match_[open_[owners_[numbers[i]]].position] = 1;
  }
  int64_t left = 0;
  for (int64_t i = 0; i < open_.size(); ++i) {
    const Open row = open_[i];
    open_[left] = row;
    left += has_match_[row.position] == 0 && row.next_match != JoinTable::kNone;
  }
  return open_.ResizeUninitialised(left);
}

}  // namespace reprise
