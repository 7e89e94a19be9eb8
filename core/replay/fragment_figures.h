// What went through each operator of a replayed fragment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "operators/operator.h"

namespace reprise {

/// One operator of a fragment, in one run.
struct OperatorFigures {
  int64_t lore_id = 0;
  std::string name;  ///< as users see it
  int depth = 0;     ///< how many operators of the fragment stand above it
  int64_t rows = 0;  ///< that it gave
  int64_t batches = 0;
  int64_t bytes = 0;
  int64_t own_time_ns = 0;  ///< in it alone
  int64_t spilled_bytes = 0;
  int64_t peak_bytes = 0;               ///< of what was allocated while it computed
  std::vector<std::string> first_rows;  ///< "a=1 b=null", at most kRowsKept
  static constexpr int64_t kRowsKept = 3;
};

/// The first rows that an operator gave, as text.
using RowSample = std::shared_ptr<std::vector<std::string>>;

/// Keeps what is to be told of a fragment's operators while they run. Must be made before the first
/// batch is asked for.
class FragmentWatch {
 public:
  /// Watches the operators from `root` down to its leaves, which feed it and are left out.
  FragmentWatch(Operator& root, arrow::MemoryPool* pool) : root_(root) { Watch(root, pool); }

  /// The root first, each before its inputs. `memory`: by whom memory was allocated; may be null.
  std::vector<OperatorFigures> Figures(const TaskMemory* memory) const;

 private:
  void Watch(Operator& op, arrow::MemoryPool* pool);

  const Operator& root_;
  std::vector<RowSample> samples_;  // of each operator, in the order of Figures
};

/// The time in all operators of the fragment without its leaves.
int64_t OwnTimeOfFragment(const Operator& root);

/// The operator with this LORE id, from `root` down; null where there is none.
Operator* FindOperator(Operator& root, int64_t lore_id);

/// "a=1 b=null": one row of `batch`.
std::string RowText(const arrow::RecordBatch& batch, int64_t row);

}  // namespace reprise
