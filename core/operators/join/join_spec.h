// What the arguments of hash_join and nested_loop_join say.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "base/status.h"
#include "plan/spec.h"

namespace reprise {

/// Spark's join types; kAnti is LeftAnti, kSemi is LeftSemi, kExistence is ExistenceJoin.
enum class JoinType { kInner, kLeft, kRight, kFull, kSemi, kAnti, kExistence };

/// A join, read and checked. Its two sides are the inputs 0 (left) and 1 (right). The build side is
/// held in memory, the rows of the other one, the probe side, pass by.
struct JoinSpec {
  JoinType type = JoinType::kInner;
  bool null_aware = false;  ///< of an anti join: NOT IN, see MakeHashJoin
  bool build_left = false;
  /// What leaves is the numbers of the build rows that have a match (matched_rows.h).
  bool marks_only = false;
  bool latest_first = false;  ///< of the build rows with a key, the last is tried first
  /// A value of the probe side that cannot be computed fails where it is used, which may be above
  /// (base/value_errors.h).
  bool deferred = false;
  bool ordered = true;  ///< somebody needs the order of the probe side, also of a join that spills
  /// So many of the last columns of each side, left and right, do not leave: keys that were
  /// computed before.
  std::array<size_t, 2> dropped = {0, 0};
  std::vector<ExpressionSpec> left_keys;    ///< over the left columns
  std::vector<ExpressionSpec> right_keys;   ///< over the right columns; same types, same number
  std::optional<ExpressionSpec> condition;  ///< over the left columns and then the right ones
  /// Which of the task's guests the condition is: then `condition` only chooses its pairs.
  std::optional<int64_t> guest;
  std::vector<int> guest_reads;  ///< of the left columns and then the right ones
  /// What gives most of the guest's values without Spark, over the same columns.
  std::optional<ExpressionSpec> guest_trial;

  int build_input() const { return build_left ? 0 : 1; }
  int probe_input() const { return build_left ? 1 : 0; }
  /// Rows of the probe side without a match leave with nulls for the build side.
  bool keeps_probe() const {
    return type == JoinType::kFull || (type == JoinType::kLeft && !build_left) ||
           (type == JoinType::kRight && build_left);
  }
  /// The same, the other way round, or it must be known which rows have one.
  bool keeps_build() const {
    return marks_only || type == JoinType::kFull || (type == JoinType::kLeft && build_left) ||
           (type == JoinType::kRight && !build_left);
  }
  /// No row leaves, whatever the probe side has, over a build side of `build_rows` rows, some of
  /// them with a null key where `has_null_key` (NOT IN; HashJoin over an EmptyHashedRelation).
  bool can_skip_probe(int64_t build_rows, bool has_null_key) const {
    if (marks_only || keeps_probe()) return false;
    if (type == JoinType::kAnti) return null_aware && has_null_key;
    return build_rows == 0 && type != JoinType::kExistence;
  }
  /// Each probe row leaves at most once, without columns of the build side.
  bool is_membership() const {
    return type == JoinType::kSemi || type == JoinType::kAnti || type == JoinType::kExistence;
  }
};

/// Reads a join's arguments and checks them against inputs and output; `keyed`: whether it has
/// keys. Errors: Status::Invalid that names the member, Status::NotImplemented for key types that
/// are not known and for a semi, anti or existence join that builds its left side (join_rule.cc
/// makes such ones of parts).
Result<JoinSpec> ReadJoinSpec(const OperatorSpec& spec, bool keyed);

/// The same of a join without keys that only marks its build rows; its output is one column of type
/// int. Errors: Status::Invalid.
Result<JoinSpec> ReadMatchedRowsSpec(const OperatorSpec& spec);

}  // namespace reprise
