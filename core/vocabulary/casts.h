// Which types can be cast to which.
#pragma once

#include "plan/data_type.h"

namespace reprise {

/// Of more digits, casts of floating-point numbers to decimals depend on the digits that Java
/// prints (others since Java 19).
inline constexpr int kDigitsOfDoubleMax = 14;

/// Whether `cast` takes this pair. Floating point to wide decimals and to string depends on the
/// digits that Java's own conversion prints, strings to the rest on what it accepts: they are not
/// offered.
bool CanCast(const DataType& from, const DataType& to);

}  // namespace reprise
