// Which expressions may make more bytes than they are given.
#pragma once

#include "plan/spec.h"

namespace reprise {

/// Whether evaluating may make strings, in the result or on the way to it, that are much longer
/// than those of the columns that are read: whoever evaluates must then mind how many rows it takes
/// at once.
bool MayWiden(const ExpressionSpec& expression);

}  // namespace reprise
