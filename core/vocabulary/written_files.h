// What of a write of files has a native form.
#pragma once

#include <span>
#include <string_view>

#include "plan/data_type.h"

namespace reprise {

/// The kind by whose form a column of this type is written to Parquet: its own, or that of the
/// integers that Spark keeps its intervals of months and of days in. kOther: it is not written.
TypeKind WrittenKind(const DataType& type);

/// Whether a column of this type is written to Parquet: of a kind that is, or an array, a map or a
/// struct of such.
bool IsWritten(const DataType& type);

/// Codecs with which Parquet is written, by parquet-mr's names (CompressionCodecName): those whose
/// bytes any reader knows, as not parquet-mr's LZ4, which is Hadoop's own framing of it.
std::span<const std::string_view> WrittenCodecs();

}  // namespace reprise
