#include "plan/mask_kind.h"

#include <algorithm>

namespace reprise {

namespace {

struct NamedMask {
  std::string_view name;
  MaskKind kind;
};

constexpr NamedMask kMasks[] = {
    {"hash", MaskKind::kHash}, {"null", MaskKind::kNull}, {"shuffle", MaskKind::kShuffle}};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

}  // namespace

std::optional<MaskKind> MaskKindOf(std::string_view name) {
  for (const auto& [known, kind] : kMasks) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

std::string_view MaskName(MaskKind kind) {
  return std::ranges::find(kMasks, kind, &NamedMask::kind)->name;
}

bool CanHash(const DataType& type) {
  if (type.is(TypeKind::kBoolean) || type.is(TypeKind::kNull)) return false;
  if (!type.is(TypeKind::kOther) || type.text.starts_with("string collate ")) return true;
  // Bytes with a structure of their own: a hash would not be one of them.
  const DataType stored = StoredType(type);
  return !stored.is(TypeKind::kBinary) && !stored.is(TypeKind::kOther);
}

bool SameColumnName(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, Lower, Lower);
}

}  // namespace reprise
