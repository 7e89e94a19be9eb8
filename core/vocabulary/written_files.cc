#include "vocabulary/written_files.h"

#include "plan/nested_type.h"

namespace reprise {

namespace {

constexpr std::string_view kCodecs[] = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"};

}  // namespace

TypeKind WrittenKind(const DataType& type) {
  if (type.is(TypeKind::kNull)) return TypeKind::kOther;
  if (!type.is(TypeKind::kOther)) return type.kind;
  return type.text.starts_with("interval ") ? StoredType(type).kind : TypeKind::kOther;
}

bool IsWritten(const DataType& type) {
  if (WrittenKind(type) != TypeKind::kOther) return true;
  const auto nested = ParseNestedType(type);
  return nested && !nested->parts.empty() && ConsistsOf(*nested, [](const NestedType& part) {
           if (part.form == NestedType::Form::kText) return true;
           return part.form == NestedType::Form::kPlain &&
                  WrittenKind(part.type) != TypeKind::kOther;
         });
}

std::span<const std::string_view> WrittenCodecs() { return kCodecs; }

}  // namespace reprise
