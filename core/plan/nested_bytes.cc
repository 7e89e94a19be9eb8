#include "plan/nested_bytes.h"

namespace reprise {

namespace {

Result<NestedBytes> Part(NestedBytes bytes, int64_t begin, int64_t size, std::string_view what) {
  const auto whole = static_cast<int64_t>(bytes.size());
  if (begin < 0 || size < 0 || begin > whole || size > whole - begin) {
    return NestedValueEndsBeyond(what, begin + size, bytes);
  }
  return bytes.subspan(static_cast<size_t>(begin), static_cast<size_t>(size));
}

}  // namespace

Status NestedValueEndsBeyond(std::string_view what, int64_t end, NestedBytes bytes) {
  return Status::Invalid("a nested value is damaged: ", what, " ends at byte ", end, " of ",
                         bytes.size());
}

Result<NestedBytes> VariablePart(NestedBytes bytes, int64_t position) {
  ARROW_ASSIGN_OR_RAISE(const auto word, LoadNested<uint64_t>(bytes, position, "a reference"));
  return Part(bytes, static_cast<int64_t>(word >> 32), static_cast<int64_t>(word & 0xffffffff),
              "a value");
}

Result<arrow::Decimal128> LoadLongDecimal(NestedBytes bytes, int64_t position) {
  ARROW_ASSIGN_OR_RAISE(const NestedBytes digits, VariablePart(bytes, position));
  return arrow::Decimal128::FromBigEndian(digits.data(), static_cast<int32_t>(digits.size()));
}

Result<NestedItems> ElementsOf(NestedBytes array) {
  ARROW_ASSIGN_OR_RAISE(const auto count, LoadNested<int64_t>(array, 0, "an array's length"));
  const auto most = static_cast<int64_t>(array.size()) * 8;
  if (count < 0 || count > most) {
    return Status::Invalid("a nested value is damaged: an array of ", count, " elements has ",
                           array.size(), " bytes");
  }
  const int64_t header = kRowWordBytes + NullBitsBytes(count);
  if (header > static_cast<int64_t>(array.size())) {
    return NestedValueEndsBeyond("an array's header", header, array);
  }
  return NestedItems{array, count, kRowWordBytes, header};
}

Result<NestedMap> EntriesOf(NestedBytes map) {
  ARROW_ASSIGN_OR_RAISE(const auto key_bytes, LoadNested<int64_t>(map, 0, "a map's header"));
  ARROW_ASSIGN_OR_RAISE(const NestedBytes keys,
                        Part(map, kRowWordBytes, key_bytes, "a map's keys"));
  NestedMap entries;
  ARROW_ASSIGN_OR_RAISE(entries.keys, ElementsOf(keys));
  ARROW_ASSIGN_OR_RAISE(entries.values,
                        ElementsOf(map.subspan(static_cast<size_t>(kRowWordBytes + key_bytes))));
  if (entries.keys.count != entries.values.count) {
    return Status::Invalid("a nested value is damaged: a map of ", entries.keys.count, " keys has ",
                           entries.values.count, " values");
  }
  return entries;
}

Result<NestedItems> FieldsOf(NestedBytes row, int64_t field_count) {
  const int64_t header = NullBitsBytes(field_count);
  const int64_t end = header + field_count * kRowWordBytes;
  if (end > static_cast<int64_t>(row.size())) return NestedValueEndsBeyond("a struct", end, row);
  return NestedItems{row, field_count, 0, header};
}

}  // namespace reprise
