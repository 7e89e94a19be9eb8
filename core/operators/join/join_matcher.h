// Finds the matches of probe batches in a build, and makes the output batches of them.
#pragma once

#include <arrow/util/bit_util.h>

#include <memory>
#include <optional>
#include <vector>

#include "expressions/row_error.h"
#include "operators/join/join_build.h"
#include "operators/join/join_condition.h"
#include "operators/join/join_keys.h"
#include "operators/join/join_output.h"
#include "operators/join/join_plan.h"
#include "operators/join/join_probe.h"
#include "operators/operator.h"

namespace reprise {

/// What a join with NOT IN must know of the whole build side, which may be in pieces.
struct BuildFacts {
  int64_t rows = 0;
  bool has_null_key = false;
};

/// One bit a row of a probe side that passes by several times: the row has had a match.
class ProbeFlags {
 public:
  explicit ProbeFlags(arrow::MemoryPool* pool) : bits_(pool) {}

  /// Begins again with `rows` rows, none of them set.
  Status Start(int64_t rows) {
    bits_.Release();
    return bits_.Resize(arrow::bit_util::BytesForBits(rows));
  }
  bool operator[](int64_t row) const { return arrow::bit_util::GetBit(bits_.data(), row); }
  void Set(int64_t row) { arrow::bit_util::SetBit(bits_.data(), row); }

 private:
  PoolVector<uint8_t> bits_;
};

/// The inner part of a join: one build, one probe batch at a time. The build may be a part of the
/// build side (see FlagMatches).
///
/// Nothing of the probe side is copied where each of its rows leaves at most once: the batch goes
/// on under a selection, and build columns are gathered at the rows' places.
class JoinMatcher {
 public:
  /// The fields of the probe batches and the schema of the output are the plan's, or have one
  /// column more behind those of the probe side. `build_pool` is for what counts as the build's
  /// memory. All must outlive the object.
  JoinMatcher(const JoinPlan* plan, std::vector<Field> probe_fields,
              std::shared_ptr<arrow::Schema> output_schema, const TaskContext& context,
              arrow::MemoryPool* build_pool);

  Status SetBuild(std::shared_ptr<const JoinBuild> build, const BuildFacts& facts);
  /// Forgets the build and the last probe batch, but not build_has_match.
  void DropBuild();
  const JoinBuild* build() const { return build_.get(); }

  /// By build row, where unmatched ones are kept: 1 for those that have had a match.
  PoolVector<uint8_t>& build_has_match() { return build_has_match_; }

  /// With `flags`, the build is a part of what the probe rows are compared with: only rows with a
  /// match leave, and are flagged; membership joins leave out rows that are flagged already.
  /// Null: the build is all of it.
  void FlagMatches(ProbeFlags* flags);

  /// Takes up a probe batch. `first_row` is the number of its first row among the flags.
  Status Start(Batch batch, int64_t first_row = 0);
  /// There is more output of the batch, or an error.
  bool in_batch() const { return in_batch_ || due_.is_due(); }
  /// The next output of the batch; there may be none though there is more to come. Where a key or
  /// the condition fails for a row, the rows before it leave first, then its error.
  Result<std::optional<Batch>> Next();

  /// After the last probe batch: the next build rows that are kept and had no match.
  Result<std::optional<Batch>> UnmatchedBuildRows();

  /// Where rows are only marked, after the last probe batch: the numbers of the build rows that
  /// have had a match, ascending, some at a time.
  Result<std::optional<Batch>> MatchedBuildRows();

  /// The rows of a probe batch that are not flagged, as they leave without a match.
  Result<std::optional<Batch>> UnflaggedProbeRows(Batch batch, int64_t first_row,
                                                  const ProbeFlags& flags);

 private:
  Status Begin(const Batch& batch);
  Status Search();
  Result<std::optional<Batch>> MembershipBatch();
  Result<std::optional<Batch>> JoinedBatch();
  Result<std::optional<Batch>> ListAndGive();
  Result<std::optional<Batch>> NextPairs();
  bool FitsInPlace() const;
  Status MarkBatch();
  Result<std::optional<Batch>> BatchInPlace();
  Status KeepPassingPairs();
  Result<std::shared_ptr<arrow::Buffer>> PassingPairs();
  Status TryUnfinishedRow();
  Result<std::shared_ptr<arrow::Array>> ExistsColumn();
  Result<Batch> Unflagged(Batch batch, int64_t first_row, const ProbeFlags& flags);
  void FlagFoundRows();
  void MarkMatched(std::span<const int32_t> build_rows);
  template <typename Wanted>
  Result<std::optional<Batch>> Select(Batch batch, Wanted&& wanted);

  const JoinPlan& plan_;
  const JoinSpec& join_;
  const JoinCondition* condition_;  // null: none
  const TaskContext& context_;
  arrow::MemoryPool* pool_;
  const int64_t rows_max_;  // of an output batch
  std::shared_ptr<arrow::Schema> output_schema_;
  JoinOutput output_;
  std::shared_ptr<const JoinBuild> build_;
  BuildFacts facts_;

  std::optional<JoinKeys> keys_;  // of the probe batch
  ProbeBatch probe_;
  bool keeps_probe_;  // rows without a match leave with the others
  PairWalk walk_;
  MatchSearch search_;
  RowPairs pairs_;
  int64_t given_ = 0;                 // of pairs_
  std::optional<PairWidths> widths_;  // of the probe batch's pairs, once some are listed
  PoolVector<int32_t> kept_;
  PoolVector<int32_t> places_;  // the build row of each physical probe row
  bool in_batch_ = false;
  bool row_has_match_ = false;  // the row that the walk is inside of
  ProbeFlags* flags_ = nullptr;
  int64_t first_row_ = 0;
  DueError due_;        // of a row of the batch
  int64_t tried_ = -1;  // the unfinished probe row all of whose pairs have been tried

  PoolVector<uint8_t> build_has_match_;
  int32_t next_unmatched_ = 0;
  int64_t marked_rows_ = 0;  // in build_has_match_, where rows are only marked
};

}  // namespace reprise
