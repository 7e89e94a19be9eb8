// Whether values of two types are the same in columns.
#pragma once

#include "plan/data_type.h"

namespace reprise {

/// Whether columns of both types are the same in batches: nested types may differ in what they say
/// of nulls, names and metadata, as where Spark takes one for the other.
bool HaveSameForm(const DataType& left, const DataType& right);

}  // namespace reprise
