// What looks at the rows of an operator and lets them pass.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "operators/operator.h"
#include "operators/sort_keys.h"

namespace reprise {

/// The kind of the operators that check; no specification names it, and OperatorsOf leaves them
/// out: they stand for no node, and their figures are those of the operator that they check.
inline constexpr std::string_view kOutputCheckKind = "output_check";

/// An operator that shows the batches of another to a derived class and lets them pass, unchanged.
class OutputCheck : public Operator {
 public:
  std::optional<int64_t> broadcast_id() const final { return inputs()[0]->broadcast_id(); }

 protected:
  /// Looks at the rows of `checked`, an operator of `spec`, and is called "`what` of" its name.
  OutputCheck(std::string_view what, const OperatorSpec& spec, std::unique_ptr<Operator> checked,
              const TaskContext& context);

  /// Looks at a batch, whose first row is number `first` of the partition. Rows with a value that
  /// could not be computed are not shown: nobody may ask for it.
  virtual Status Look(const Batch& batch, int64_t first) = 0;
  /// There were so many rows. Not reached where the consumer wants no more of them, as a limit.
  virtual Status LookBack(int64_t /*rows*/) { return Status::OK(); }

 private:
  Result<std::optional<Batch>> NextBatch() final;
  bool hands_on(int /*index*/, int /*column*/) const final { return true; }

  int64_t rows_ = 0;
};

/// Finds the rows of a partition that come too late in an order.
class LateRows {
 public:
  LateRows(SortKeys keys, arrow::MemoryPool* pool)
      : keys_(std::move(keys)), pool_(pool), rows_(pool), last_(pool) {}

  /// Calls `found` for each row of the next batch that belongs before the one that came before it:
  /// with that one, alone in a batch, and with the position of the late one among the selected
  /// rows.
  Status Look(const Batch& batch,
              const std::function<Status(const Batch& before, int64_t position)>& found);

 private:
  Status KeepLast(const Batch& row);

  const SortKeys keys_;
  arrow::MemoryPool* const pool_;
  KeyedRows rows_;
  KeyedRows last_;                 // of the last row of the batch before
  std::optional<Batch> last_row_;  // alone: the batch may be large
};

}  // namespace reprise
