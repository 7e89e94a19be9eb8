#include "transitions/nested_column.h"

#include <arrow/builder.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "transitions/unsafe_row.h"

namespace reprise {

namespace {

using Json = nlohmann::json;
using Bytes = std::span<const uint8_t>;

enum class Form { kPlain, kText, kCalendarInterval, kArray, kMap, kStruct };

// A type with the types that it is made of.
struct NestedType {
  Form form = Form::kPlain;
  TypeKind stored = TypeKind::kNull;      // of kPlain
  int64_t element_bytes = kRowWordBytes;  // as an element of an array
  bool is_long_decimal = false;
  std::vector<NestedType> parts;  // element; key and value; fields
  std::shared_ptr<arrow::DataType> arrow;
};

int64_t ElementBytes(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBoolean:
    case TypeKind::kByte:
      return 1;
    case TypeKind::kShort:
      return 2;
    case TypeKind::kInteger:
    case TypeKind::kFloat:
    case TypeKind::kDate:
      return 4;
    default:
      return kRowWordBytes;
  }
}

bool IsText(std::string_view name) {
  return name.starts_with("string collate ") || name.starts_with("char(") ||
         name.starts_with("varchar(");
}

std::optional<NestedType> Parse(const Json& json);

std::optional<NestedType> ParseNamed(const DataType& type) {
  NestedType parsed;
  if (type.is(TypeKind::kOther) && IsText(type.text)) {
    parsed.form = Form::kText;
    parsed.arrow = arrow::utf8();
    return parsed;
  }
  if (IsCalendarInterval(type)) {
    parsed.form = Form::kCalendarInterval;
    parsed.arrow = arrow::month_day_nano_interval();
    return parsed;
  }
  auto arrow = ToArrow(type);
  if (!arrow.ok()) return std::nullopt;
  parsed.arrow = *std::move(arrow);
  parsed.stored = StoredType(type).kind;
  parsed.element_bytes = ElementBytes(parsed.stored);
  parsed.is_long_decimal = type.is(TypeKind::kDecimal) && !type.is_short_decimal();
  return parsed;
}

std::optional<NestedType> ParseArray(const Json& json) {
  auto element = Parse(json.value("elementType", Json()));
  if (!element) return std::nullopt;
  NestedType parsed;
  parsed.form = Form::kArray;
  parsed.arrow =
      arrow::list(arrow::field("element", element->arrow, json.value("containsNull", true)));
  parsed.parts = {*std::move(element)};
  return parsed;
}

std::optional<NestedType> ParseMap(const Json& json) {
  auto key = Parse(json.value("keyType", Json()));
  auto value = Parse(json.value("valueType", Json()));
  if (!key || !value) return std::nullopt;
  NestedType parsed;
  parsed.form = Form::kMap;
  parsed.arrow = arrow::map(
      key->arrow, arrow::field("value", value->arrow, json.value("valueContainsNull", true)));
  parsed.parts = {*std::move(key), *std::move(value)};
  return parsed;
}

std::optional<NestedType> ParseStruct(const Json& json) {
  NestedType parsed;
  parsed.form = Form::kStruct;
  arrow::FieldVector fields;
  for (const Json& field : json.value("fields", Json::array())) {
    auto part = Parse(field.value("type", Json()));
    if (!part) return std::nullopt;
    fields.push_back(
        arrow::field(field.value("name", ""), part->arrow, field.value("nullable", true)));
    parsed.parts.push_back(*std::move(part));
  }
  parsed.arrow = arrow::struct_(std::move(fields));
  return parsed;
}

// Of the JSON of Spark's types; absent where a part has no form that is known.
std::optional<NestedType> Parse(const Json& json) {
  if (json.is_string()) return ParseNamed(ParseDataType(json.get_ref<const std::string&>()));
  if (!json.is_object()) return std::nullopt;
  const Json name = json.value("type", Json());
  if (name == "array") return ParseArray(json);
  if (name == "map") return ParseMap(json);
  if (name == "struct") return ParseStruct(json);
  if (name == "udt") return Parse(json.value("sqlType", Json()));
  return std::nullopt;
}

std::optional<NestedType> ParseOther(const DataType& type) {
  if (!type.is(TypeKind::kOther)) return std::nullopt;
  if (!type.text.starts_with('{')) return ParseNamed(type);
  const Json json = Json::parse(type.text, nullptr, /*allow_exceptions=*/false);
  return Parse(json);
}

Status Beyond(std::string_view what, int64_t end, Bytes bytes) {
  return Status::Invalid("a nested value is damaged: ", what, " ends at byte ", end, " of ",
                         bytes.size());
}

template <typename T>
Result<T> Load(Bytes bytes, int64_t position, std::string_view what) {
  const auto end = position + static_cast<int64_t>(sizeof(T));
  if (position < 0 || end > static_cast<int64_t>(bytes.size())) return Beyond(what, end, bytes);
  return LoadAs<T>(bytes.data() + position);
}

Result<Bytes> Part(Bytes bytes, int64_t begin, int64_t size, std::string_view what) {
  const auto whole = static_cast<int64_t>(bytes.size());
  if (begin < 0 || size < 0 || begin > whole || size > whole - begin) {
    return Beyond(what, begin + size, bytes);
  }
  return bytes.subspan(static_cast<size_t>(begin), static_cast<size_t>(size));
}

// What the word at `position` points to: its upper half is the offset, its lower half the size.
Result<Bytes> VariablePart(Bytes bytes, int64_t position) {
  ARROW_ASSIGN_OR_RAISE(const auto word, Load<uint64_t>(bytes, position, "a reference"));
  return Part(bytes, static_cast<int64_t>(word >> 32), static_cast<int64_t>(word & 0xffffffff),
              "a value");
}

bool BitIsSet(Bytes bytes, int64_t first_byte, int64_t index) {
  return (bytes[static_cast<size_t>(first_byte + index / 8)] >> (index % 8) & 1) != 0;
}

template <typename Builder, typename T>
Status AppendFixed(Bytes bytes, int64_t position, arrow::ArrayBuilder* builder) {
  ARROW_ASSIGN_OR_RAISE(const T value, Load<T>(bytes, position, "a value"));
  return static_cast<Builder*>(builder)->Append(value);
}

Status AppendDecimal(const NestedType& type, Bytes bytes, int64_t position,
                     arrow::ArrayBuilder* builder) {
  if (!type.is_long_decimal) {
    ARROW_ASSIGN_OR_RAISE(const auto value, Load<int64_t>(bytes, position, "a value"));
    return static_cast<arrow::Decimal64Builder*>(builder)->Append(arrow::Decimal64(value));
  }
  ARROW_ASSIGN_OR_RAISE(const Bytes digits, VariablePart(bytes, position));
  ARROW_ASSIGN_OR_RAISE(const auto value, arrow::Decimal128::FromBigEndian(
                                              digits.data(), static_cast<int32_t>(digits.size())));
  return static_cast<arrow::Decimal128Builder*>(builder)->Append(value);
}

Status AppendPlain(const NestedType& type, Bytes bytes, int64_t position,
                   arrow::ArrayBuilder* builder) {
  switch (type.stored) {
    case TypeKind::kNull:
      return builder->AppendNull();
    case TypeKind::kBoolean: {
      ARROW_ASSIGN_OR_RAISE(const auto value, Load<uint8_t>(bytes, position, "a value"));
      return static_cast<arrow::BooleanBuilder*>(builder)->Append(value != 0);
    }
    case TypeKind::kByte:
      return AppendFixed<arrow::Int8Builder, int8_t>(bytes, position, builder);
    case TypeKind::kShort:
      return AppendFixed<arrow::Int16Builder, int16_t>(bytes, position, builder);
    case TypeKind::kInteger:
      return AppendFixed<arrow::Int32Builder, int32_t>(bytes, position, builder);
    case TypeKind::kLong:
      return AppendFixed<arrow::Int64Builder, int64_t>(bytes, position, builder);
    case TypeKind::kFloat:
      return AppendFixed<arrow::FloatBuilder, float>(bytes, position, builder);
    case TypeKind::kDouble:
      return AppendFixed<arrow::DoubleBuilder, double>(bytes, position, builder);
    case TypeKind::kDate:
      return AppendFixed<arrow::Date32Builder, int32_t>(bytes, position, builder);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampNtz:
      return AppendFixed<arrow::TimestampBuilder, int64_t>(bytes, position, builder);
    case TypeKind::kDecimal:
      return AppendDecimal(type, bytes, position, builder);
    default: {
      ARROW_ASSIGN_OR_RAISE(const Bytes value, VariablePart(bytes, position));
      return static_cast<arrow::BinaryBuilder*>(builder)->Append(
          value.data(), static_cast<int32_t>(value.size()));
    }
  }
}

Status AppendWhole(const NestedType& type, Bytes bytes, arrow::ArrayBuilder* builder);

// The value whose fixed part, or reference, is at `position`.
Status AppendAt(const NestedType& type, Bytes bytes, int64_t position,
                arrow::ArrayBuilder* builder) {
  if (type.form == Form::kPlain) return AppendPlain(type, bytes, position, builder);
  ARROW_ASSIGN_OR_RAISE(const Bytes value, VariablePart(bytes, position));
  return AppendWhole(type, value, builder);
}

// UnsafeArrayData: the number of elements, null bits, the elements' fixed parts, what they refer
// to.
Result<int64_t> ElementCount(Bytes bytes) {
  ARROW_ASSIGN_OR_RAISE(const auto count, Load<int64_t>(bytes, 0, "an array's length"));
  const auto most = static_cast<int64_t>(bytes.size()) * 8;
  if (count < 0 || count > most) {
    return Status::Invalid("a nested value is damaged: an array of ", count, " elements has ",
                           bytes.size(), " bytes");
  }
  const int64_t header = kRowWordBytes + NullBitsBytes(count);
  if (header > static_cast<int64_t>(bytes.size()))
    return Beyond("an array's header", header, bytes);
  return count;
}

Status AppendElements(const NestedType& element, Bytes bytes, arrow::ArrayBuilder* builder) {
  ARROW_ASSIGN_OR_RAISE(const int64_t count, ElementCount(bytes));
  const int64_t header = kRowWordBytes + NullBitsBytes(count);
  for (int64_t i = 0; i < count; ++i) {
    if (BitIsSet(bytes, kRowWordBytes, i)) {
      RETURN_NOT_OK(builder->AppendNull());
    } else {
      RETURN_NOT_OK(AppendAt(element, bytes, header + i * element.element_bytes, builder));
    }
  }
  return Status::OK();
}

// UnsafeMapData: the bytes of the keys' array, that array, the values' array.
Status AppendMap(const NestedType& type, Bytes bytes, arrow::MapBuilder* builder) {
  ARROW_ASSIGN_OR_RAISE(const auto key_bytes, Load<int64_t>(bytes, 0, "a map's header"));
  ARROW_ASSIGN_OR_RAISE(const Bytes keys, Part(bytes, kRowWordBytes, key_bytes, "a map's keys"));
  const Bytes values = bytes.subspan(static_cast<size_t>(kRowWordBytes + key_bytes));
  ARROW_ASSIGN_OR_RAISE(const int64_t key_count, ElementCount(keys));
  ARROW_ASSIGN_OR_RAISE(const int64_t value_count, ElementCount(values));
  if (key_count != value_count) {
    return Status::Invalid("a nested value is damaged: a map of ", key_count, " keys has ",
                           value_count, " values");
  }
  RETURN_NOT_OK(builder->Append());
  RETURN_NOT_OK(AppendElements(type.parts[0], keys, builder->key_builder()));
  return AppendElements(type.parts[1], values, builder->item_builder());
}

// UnsafeRow: null bits, a word for each field, what they refer to.
Status AppendStruct(const NestedType& type, Bytes bytes, arrow::StructBuilder* builder) {
  const auto count = static_cast<int64_t>(type.parts.size());
  const int64_t header = NullBitsBytes(count);
  if (header + count * kRowWordBytes > static_cast<int64_t>(bytes.size())) {
    return Beyond("a struct", header + count * kRowWordBytes, bytes);
  }
  RETURN_NOT_OK(builder->Append());
  for (int64_t i = 0; i < count; ++i) {
    arrow::ArrayBuilder* field = builder->field_builder(static_cast<int>(i));
    if (BitIsSet(bytes, 0, i)) {
      RETURN_NOT_OK(field->AppendNull());
    } else {
      RETURN_NOT_OK(
          AppendAt(type.parts[static_cast<size_t>(i)], bytes, header + i * kRowWordBytes, field));
    }
  }
  return Status::OK();
}

// A value that is all of `bytes`.
Status AppendWhole(const NestedType& type, Bytes bytes, arrow::ArrayBuilder* builder) {
  switch (type.form) {
    case Form::kText:
      return static_cast<arrow::StringBuilder*>(builder)->Append(
          reinterpret_cast<const char*>(bytes.data()), static_cast<int32_t>(bytes.size()));
    case Form::kCalendarInterval: {
      ARROW_ASSIGN_OR_RAISE(const auto months, Load<int32_t>(bytes, 0, "an interval"));
      ARROW_ASSIGN_OR_RAISE(const auto days, Load<int32_t>(bytes, 4, "an interval"));
      ARROW_ASSIGN_OR_RAISE(const auto micros, Load<int64_t>(bytes, 8, "an interval"));
      int64_t nanos = 0;
      if (__builtin_mul_overflow(micros, int64_t{1000}, &nanos)) {
        return Status::Invalid("an interval of ", micros, " microseconds is none in nanoseconds");
      }
      return static_cast<arrow::MonthDayNanoIntervalBuilder*>(builder)->Append(
          {months, days, nanos});
    }
    case Form::kArray: {
      auto* list = static_cast<arrow::ListBuilder*>(builder);
      RETURN_NOT_OK(list->Append());
      return AppendElements(type.parts[0], bytes, list->value_builder());
    }
    case Form::kMap:
      return AppendMap(type, bytes, static_cast<arrow::MapBuilder*>(builder));
    case Form::kStruct:
      return AppendStruct(type, bytes, static_cast<arrow::StructBuilder*>(builder));
    case Form::kPlain:
      break;
  }
  return static_cast<arrow::BinaryBuilder*>(builder)->Append(bytes.data(),
                                                             static_cast<int32_t>(bytes.size()));
}

}  // namespace

Result<std::shared_ptr<arrow::DataType>> ReadableType(const DataType& type) {
  const auto nested = ParseOther(type);
  if (!nested) return ToArrow(type);
  return nested->arrow;
}

Result<std::shared_ptr<arrow::Array>> ReadableColumn(const std::shared_ptr<arrow::Array>& column,
                                                     const DataType& type,
                                                     arrow::MemoryPool* pool) {
  const auto nested = ParseOther(type);
  if (!nested || column->type()->Equals(*nested->arrow)) return column;
  if (column->type_id() != arrow::Type::BINARY) {
    return Status::TypeError("values of ", type.ToString(), " travel in binary, not in ",
                             column->type()->ToString());
  }
  const auto& stored = static_cast<const arrow::BinaryArray&>(*column);
  ARROW_ASSIGN_OR_RAISE(const auto builder, arrow::MakeBuilder(nested->arrow, pool));
  RETURN_NOT_OK(builder->Reserve(stored.length()));
  for (int64_t i = 0; i < stored.length(); ++i) {
    if (stored.IsNull(i)) {
      RETURN_NOT_OK(builder->AppendNull());
      continue;
    }
    const std::string_view value = stored.GetView(i);
    RETURN_NOT_OK(AppendWhole(
        *nested, {reinterpret_cast<const uint8_t*>(value.data()), value.size()}, builder.get()));
  }
  return builder->Finish();
}

}  // namespace reprise
