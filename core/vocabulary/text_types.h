// Which values are read of text files.
#pragma once

#include "plan/data_type.h"

namespace reprise {

/// Whether columns of the type are read of CSV and JSON natively.
inline bool IsTextType(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kByte:
    case TypeKind::kShort:
    case TypeKind::kInteger:
    case TypeKind::kLong:
    case TypeKind::kFloat:
    case TypeKind::kDouble:
    case TypeKind::kBoolean:
    case TypeKind::kDecimal:
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
    case TypeKind::kString:
      return true;
    default:
      return false;
  }
}

}  // namespace reprise
