#include "vocabulary/written_files.h"

namespace reprise {

namespace {

constexpr std::string_view kCodecs[] = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"};

}  // namespace

TypeKind WrittenKind(const DataType& type) {
  if (type.is(TypeKind::kNull)) return TypeKind::kOther;
  if (!type.is(TypeKind::kOther)) return type.kind;
  return type.text.starts_with("interval ") ? StoredType(type).kind : TypeKind::kOther;
}

std::span<const std::string_view> WrittenCodecs() { return kCodecs; }

}  // namespace reprise
