// A stretch of a batch's rows.
#pragma once

#include "base/batch.h"

namespace reprise {

/// The selected rows from number `begin` up to `end`, without that; nothing is copied.
Batch SelectedRows(const Batch& batch, int64_t begin, int64_t end);

}  // namespace reprise
