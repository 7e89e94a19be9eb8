// What a join knows of the probe batch at hand: where the matches of its rows begin, and the walk
// through them.
#pragma once

#include <functional>
#include <optional>

#include "base/batch.h"
#include "base/batch_bounds.h"
#include "base/status.h"
#include "operators/join/join_keys.h"
#include "operators/join/join_table.h"
#include "operators/join/row_pairs.h"
#include "operators/pool_vector.h"

namespace reprise {

class JoinCondition;

struct JoinBuild;

/// A probe batch. Its rows are numbered by position among the selected ones.
class ProbeBatch {
 public:
  explicit ProbeBatch(arrow::MemoryPool* pool)
      : pool_(pool), heads_(pool), dictionary_heads_(pool) {}

  /// Takes up `batch`, whose rows have the `keys`, and finds each row's first match. `scratch` is
  /// of the build's layout.
  Status Start(Batch batch, const arrow::ArrayVector& keys, const JoinBuild& build,
               JoinKeys* scratch);

  /// Forgets the batch.
  void Release() {
    batch_ = {};
    selected_ = nullptr;
  }

  const Batch& batch() const { return batch_; }
  int64_t size() const { return batch_.selected_count(); }
  int32_t physical(int64_t position) const {
    return selected_ == nullptr ? static_cast<int32_t>(position) : selected_[position];
  }
  /// The first build row with the key of the row, or JoinTable::kNone.
  const int32_t* heads() const { return heads_.data(); }
  /// The row has no key. Valid until `scratch` is used again.
  bool is_null(int64_t position) const { return scratch_->is_null(position); }

 private:
  Status FindByDictionary(const arrow::DictionaryArray& keys, const JoinBuild& build,
                          JoinKeys* scratch);

  arrow::MemoryPool* pool_;
  Batch batch_;
  const int32_t* selected_ = nullptr;
  const JoinKeys* scratch_ = nullptr;
  PoolVector<int32_t> heads_;
  PoolVector<int32_t> dictionary_heads_;
};

/// Lists the pairs of a probe batch in the order of its rows, some at a time.
class PairWalk {
 public:
  /// `closes_rows`: after the last pair of each probe row comes one without a build row (for
  /// conditions, which may leave none of the pairs). `keeps_probe`: a row without a match is listed
  /// as a pair without a build row.
  PairWalk(bool closes_rows, bool keeps_probe)
      : closes_rows_(closes_rows), keeps_probe_(keeps_probe) {}

  void Start() {
    position_ = 0;
    is_inside_row_ = false;
  }
  bool AtEnd(const ProbeBatch& probe) const { return position_ == probe.size(); }
  /// Passes over what is left.
  void End(const ProbeBatch& probe) {
    position_ = probe.size();
    is_inside_row_ = false;
  }

  /// The probe row, by its place among those of the batch, of which pairs have been listed and not
  /// yet all; -1: none.
  int64_t unfinished() const { return is_inside_row_ ? position_ : -1; }

  /// Sets `pairs` to the next ones, about `count_max`.
  Status Next(const ProbeBatch& probe, const JoinTable& table, int64_t count_max, RowPairs* pairs);

 private:
  bool closes_rows_;
  bool keeps_probe_;
  int64_t position_ = 0;
  bool is_inside_row_ = false;
  int32_t next_match_ = 0;  // of the row at position_, where the walk is inside it
};

/// Finds the probe rows that have a match for which the condition holds; a row's matches are tried
/// in turn until one does.
class MatchSearch {
 public:
  explicit MatchSearch(arrow::MemoryPool* pool)
      : pool_(pool), has_match_(pool), open_(pool), owners_(pool), pairs_(pool) {}

  /// Sets has_match(). `condition` may be null. `bounds`: about so many pairs are tried at once.
  /// Asks `cancelled` (may be empty) between.
  Status Run(const ProbeBatch& probe, const JoinBuild& build, const JoinCondition* condition,
             const BatchBounds& bounds, const std::function<bool()>& cancelled);

  /// Of a position: 1 or 0.
  uint8_t has_match(int64_t position) const { return has_match_[position]; }

 private:
  struct Open {
    int32_t position;
    int32_t next_match;
  };

  Status ListPairs(const ProbeBatch& probe, const JoinTable& table, int64_t count_a_row);
  Status TryPairs(const ProbeBatch& probe, const JoinBuild& build, const JoinCondition& condition,
                  const BatchBounds& bounds);

  arrow::MemoryPool* pool_;
  PoolVector<uint8_t> has_match_;
  PoolVector<Open> open_;       // rows without a match so far that have more candidates
  PoolVector<int32_t> owners_;  // of each pair: the number of its row in open_
  RowPairs pairs_;
};

}  // namespace reprise
