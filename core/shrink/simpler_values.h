// Values that say less than another one.
#pragma once

#include <arrow/scalar.h>

#include <memory>
#include <vector>

#include "plan/data_type.h"

namespace reprise {

/// What a value of a column may be replaced by, the simplest first: null where the column is
/// nullable; nought, the empty text; then ever nearer to the value: numbers halfway to it, texts
/// without their first or last half. Of arrays, maps, structs and the like only null is known.
/// Empty where there is nothing simpler.
std::vector<std::shared_ptr<arrow::Scalar>> SimplerValues(const arrow::Scalar& value,
                                                          const Field& field);

}  // namespace reprise
