// The first rows of a partition.
#pragma once

#include "operators/operator.h"

namespace reprise {

/// Kind "limit", arguments {"limit":n,"offset":m}: the first n rows without the first m of them;
/// n = -1: all rows but the first m. One input; the output has its columns.
Result<std::unique_ptr<Operator>> MakeLimit(OperatorSpec spec,
                                            std::vector<std::unique_ptr<Operator>> inputs,
                                            const TaskContext& context);

}  // namespace reprise
