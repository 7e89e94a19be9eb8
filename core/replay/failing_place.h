// Where in its input a replayed operator fails: for people, who then look at one row.
#pragma once

#include <optional>
#include <string>

#include "base/batch.h"
#include "dump/reader.h"
#include "operators/operator.h"

namespace reprise {

/// The batch that the operator was given last. All count from 0, as the files of batches do.
struct FailingPlace {
  int input = 0;
  int64_t batch = 0;
  std::optional<int64_t> row;  ///< of the batch; absent: too many batches to look for it
  std::string expression;      ///< "(a / b)", the innermost that fails; empty: none was found
};

/// "input-0, batch 2, row 17,004: (a / b)"
std::string ToString(const FailingPlace& place);

/// The innermost expression of a specification with one input that fails for the first row of
/// `row`, whose columns are that input's, as `raised` says; empty where there is none.
std::string FailingExpression(const OperatorSpec& spec, const Batch& row, const Status& raised);

}  // namespace reprise
