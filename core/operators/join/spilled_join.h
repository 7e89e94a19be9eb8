// SpilledJoin: a join whose build side does not fit into memory, done in pieces on disk.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "operators/join/join_matcher.h"
#include "operators/join/join_partitions.h"
#include "operators/join/join_runs.h"
#include "operators/spill_place.h"

namespace reprise {

/// Both sides are written into partitions by a hash of the keys, then the pairs of partitions are
/// joined one after the other. A pair whose build rows do not fit, or whose memory another operator
/// wants, is divided by another hash, into smaller ones. Where that does not help, because all
/// have one key (or there is none), as many build rows as fit are joined with all probe rows, then
/// the next ones, and so on.
///
/// If the join's order matters, every probe row has a number, an added column behind the probe
/// side's own, and the output goes through sorted runs (join_runs.h). Build rows that were matched
/// before they were spilled are marked in an added column as well.
class SpilledJoin {
 public:
  /// `user` is the operator; reserves memory in its name, where SpillableBytes and Spill of this
  /// object are called. All must outlive the object.
  static Result<std::unique_ptr<SpilledJoin>> Make(const JoinPlan* plan, SpillPlace place,
                                                   arrow::MemoryPool* build_pool, MemoryUser* user);

  /// Rows of the build side, without a selection. `has_match` (null: none has) has one byte a row.
  Status AddBuild(Batch rows, const uint8_t* has_match);
  /// All of the build side, of which `facts` tell, has been added.
  Status EndBuild(const BuildFacts& facts);
  Status AddProbe(const Batch& batch);
  Status EndProbe();

  /// After EndProbe: the next output batch, or nothing at the end.
  Result<std::optional<Batch>> Next();

  int64_t SpillableBytes() const;
  /// Writes nothing: what it frees is on disk.
  int64_t Spill();

  /// So few rows are not worth being spilled.
  static bool IsSmall(int64_t rows, int64_t bytes, const TaskContext& context) {
    return rows <= context.batch_rows_target && bytes <= kSmallBytes;
  }

 private:
  static constexpr int64_t kSmallBytes = int64_t{1} << 20;
  static constexpr int kLevelMax = 8;

  struct Pair {
    std::unique_ptr<SpillFile> build;  // null: no rows
    std::unique_ptr<SpillFile> probe;
    int level = 0;
    bool is_whole = true;  // may be divided; else it is joined in chunks
  };
  enum class Step { kTakePair, kLoad, kProbe, kUnmatched, kUnflagged };

  SpilledJoin(const JoinPlan* plan, SpillPlace place, arrow::MemoryPool* build_pool,
              MemoryUser* user)
      : plan_(*plan),
        join_(plan->join),
        place_(std::move(place)),
        context_(place_.context),
        build_pool_(build_pool),
        user_(user),
        probe_flags_(context_.pool),
        loaded_flags_(context_.pool) {}

  Status Init();
  std::unique_ptr<JoinPartitions> MakeBuildPartitions(int level) const;
  std::unique_ptr<JoinPartitions> MakeProbePartitions(int level, const JoinPartitions& build) const;
  void AddPairs(JoinPartitions* build, JoinPartitions* probe, int level, int indivisible);
  void AddPair(Pair pair);
  int NumberColumn() const;

  Result<std::optional<Batch>> NextOfPairs();
  void TakePair();
  Status Load();
  Status AddBlock(Batch block);
  void StartPass(Step step);
  Status StartProbeBatch();
  Status EndPass();
  Status EndRun();
  void EndPair();
  Result<std::optional<Batch>> NextUnflagged();
  Result<std::optional<Batch>> NextProbeBlock();
  Status Divide();
  Status DivideBuild(JoinPartitions* partitions);
  int Indivisible(const JoinPartitions& partitions) const;
  bool MayDivide() const { return pair_.is_whole && pair_.level < kLevelMax; }

  const JoinPlan& plan_;
  const JoinSpec& join_;
  const SpillPlace place_;
  const TaskContext& context_;
  arrow::MemoryPool* build_pool_;
  MemoryUser* user_;
  std::shared_ptr<arrow::Schema> build_schema_;  // of spilled build rows
  std::shared_ptr<arrow::Schema> probe_schema_;
  std::unique_ptr<JoinPartitions> build_;
  std::unique_ptr<JoinPartitions> probe_;
  int64_t next_number_ = 0;
  BuildFacts facts_;
  std::unique_ptr<JoinRuns> runs_;  // null: the order does not matter
  std::vector<Pair> waiting_;

  // The pair at hand.
  Step step_ = Step::kTakePair;
  Pair pair_;
  bool must_divide_ = false;
  std::unique_ptr<SpillReader> build_reader_;
  std::optional<Batch> block_;  // read, not added yet
  std::optional<JoinBuilder> builder_;
  int chunks_ = 0;  // loaded so far
  std::unique_ptr<JoinMatcher> matcher_;
  std::unique_ptr<SpillReader> probe_reader_;
  int64_t probe_row_ = 0;  // of the next block
  ProbeFlags probe_flags_;
  PoolVector<uint8_t> loaded_flags_;  // the added column of the rows in builder_
};

}  // namespace reprise
