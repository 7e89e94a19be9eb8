// What a task reads from, and what it is given beside it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "exchange/block.h"
#include "exchange/spill_storage.h"
#include "operators/batch_input.h"
#include "operators/task_memory.h"
#include "scan/file_store.h"
#include "scan/piece_source.h"
#include "transitions/arrow_source.h"
#include "transitions/cached_columns.h"
#include "transitions/column_source.h"
#include "transitions/guest_groups.h"
#include "transitions/guest_rows.h"
#include "transitions/row_source.h"

namespace reprise {

/// What a leaf of a task reads from, or what evaluates its guests, which are numbered in the order
/// of the sources, columns and aggregate functions apart; empty once somebody has taken it.
using TaskSource =
    std::variant<std::monostate, std::unique_ptr<RowSource>, std::unique_ptr<BlockSource>,
                 std::unique_ptr<BatchSource>, std::unique_ptr<ArrowSource>,
                 std::unique_ptr<ColumnSource>, std::unique_ptr<CacheSource>,
                 std::unique_ptr<GuestRows>, std::unique_ptr<GuestGroups>,
                 std::unique_ptr<FileStore>, std::unique_ptr<PieceSource>>;

/// What the plug-in does for a task.
struct TaskServices {
  std::function<bool()> cancelled;        ///< as in TaskContext
  std::shared_ptr<MemoryManager> memory;  ///< null: there is no limit
  SpillStorage spill_storage;             ///< as in TaskContext
  std::function<Status(const std::optional<std::string>& zone, std::vector<int64_t>* micros)>
      rebase_instants;                                     ///< as in TaskContext
  std::function<std::optional<int64_t>()> median_task_ms;  ///< as in TaskContext
};

}  // namespace reprise
