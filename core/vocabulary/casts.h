// Which types can be cast to which.
#pragma once

#include "plan/data_type.h"

namespace reprise {

/// Whether `cast` takes this pair. Floating point to decimal and to string depends on the digits
/// that Java's own conversion prints (others since Java 19), strings to the rest on what it
/// accepts: they are not offered.
bool CanCast(const DataType& from, const DataType& to);

}  // namespace reprise
