// Where an operator spills to, and whom it tells.
#pragma once

#include <functional>
#include <memory>

#include "exchange/spill_file.h"
#include "operators/operator.h"

namespace reprise {

struct SpillPlace {
  const TaskContext& context;
  std::function<void(int64_t)> count_spilled;  ///< of bytes that were written

  Result<std::unique_ptr<SpillFile>> MakeFile(std::shared_ptr<arrow::Schema> schema) const {
    return SpillFile::Make(SpillStorageOf(context), std::move(schema), context.pool);
  }
};

}  // namespace reprise
