// The condition of a join beside its keys, evaluated over pairs of rows.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "expressions/expression.h"
#include "operators/join_spec.h"
#include "operators/pool_vector.h"

namespace reprise {

/// Pairs of rows: of the probe batch by physical index, and of the build side. Below 0: no row.
struct RowPairs {
  explicit RowPairs(arrow::MemoryPool* pool) : probe(pool), build(pool) {}

  int64_t size() const { return probe.size(); }
  std::span<const int32_t> probe_rows() const {
    return {probe.data(), static_cast<size_t>(probe.size())};
  }
  std::span<const int32_t> build_rows() const {
    return {build.data(), static_cast<size_t>(build.size())};
  }

  PoolVector<int32_t> probe;
  PoolVector<int32_t> build;
};

/// A condition over the left columns and then the right ones. Only the columns that it reads are
/// gathered.
class JoinCondition {
 public:
  static Result<std::unique_ptr<JoinCondition>> Make(const ExpressionSpec& condition,
                                                     const std::vector<Field>& left,
                                                     const std::vector<Field>& right,
                                                     bool build_left);

  /// Some pair may make the evaluation fail, so that only pairs may be evaluated that Spark
  /// evaluates.
  bool can_fail() const { return can_fail_; }

  /// The numbers, ascending, of the pairs for which the condition is true; those without a build
  /// row are not evaluated. int32 in a buffer.
  Result<std::shared_ptr<arrow::Buffer>> Select(const Batch& probe, const arrow::ArrayVector& build,
                                                const RowPairs& pairs,
                                                arrow::MemoryPool* pool) const;

 private:
  struct Source {
    bool is_build;
    int index;
  };

  std::vector<Source> sources_;  // of the columns that the predicate is bound to
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<Predicate> predicate_;
  bool can_fail_ = false;
};

}  // namespace reprise
