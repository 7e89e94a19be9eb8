#include "plan/data_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace reprise {

namespace {

struct NamedKind {
  TypeKind kind;
  std::string_view json_name;      // DataType.typeName
  std::string_view simple_string;  // DataType.simpleString
};

constexpr NamedKind kNamedKinds[] = {
    {TypeKind::kNull, "void", "void"},
    {TypeKind::kBoolean, "boolean", "boolean"},
    {TypeKind::kByte, "byte", "tinyint"},
    {TypeKind::kShort, "short", "smallint"},
    {TypeKind::kInteger, "integer", "int"},
    {TypeKind::kLong, "long", "bigint"},
    {TypeKind::kFloat, "float", "float"},
    {TypeKind::kDouble, "double", "double"},
    {TypeKind::kString, "string", "string"},
    {TypeKind::kBinary, "binary", "binary"},
    {TypeKind::kDate, "date", "date"},
    {TypeKind::kTimestamp, "timestamp", "timestamp"},
    {TypeKind::kTimestampNtz, "timestamp_ntz", "timestamp_ntz"},
};

bool ParseDecimal(std::string_view name, DataType* type) {
  constexpr std::string_view kPrefix = "decimal(";
  if (!name.starts_with(kPrefix) || !name.ends_with(')')) return false;
  const char* end = name.data() + name.size() - 1;
  auto [comma, error] = std::from_chars(name.data() + kPrefix.size(), end, type->precision);
  if (error != std::errc() || comma == end || *comma != ',') return false;
  auto [last, scale_error] = std::from_chars(comma + 1, end, type->scale);
  if (scale_error != std::errc() || last != end) return false;
  // Others are no types of Spark's, and Arrow's decimals have no more digits.
  if (type->precision < 1 || type->precision > 38 || std::abs(type->scale) > 38) return false;
  type->kind = TypeKind::kDecimal;
  return true;
}

using Json = nlohmann::json;

constexpr DataType kBytes = {TypeKind::kBinary};

// DataType.typeName of types without fields; the first prefix that fits.
struct StoredPrefix {
  std::string_view prefix;
  TypeKind stored;
};

constexpr StoredPrefix kStoredPrefixes[] = {
    {"interval year", TypeKind::kInteger},
    {"interval month", TypeKind::kInteger},
    {"interval ", TypeKind::kLong},
    {"interval", TypeKind::kBinary},
    {"time(", TypeKind::kLong},
    {"variant", TypeKind::kBinary},
    {"string collate ", TypeKind::kBinary},
    {"char(", TypeKind::kBinary},
    {"varchar(", TypeKind::kBinary},
    {"geometry", TypeKind::kBinary},
    {"geography", TypeKind::kBinary},
};

DataType StoredUserType(const Json& json) {
  const auto stored = json.find("sqlType");
  if (stored == json.end()) return {TypeKind::kOther};
  const DataType sql_type = stored->is_string()
                                ? ParseDataType(stored->get_ref<const std::string&>())
                                : DataType{TypeKind::kOther, 0, 0, stored->dump()};
  return StoredType(sql_type);
}

// Deeper ones, of which no table is made, end in dots.
constexpr int kNestedTextMax = 32;
constexpr size_t kFieldsTextMax = 25;  // spark.sql.debug.maxToStringFields

// simpleString of what DataType.json writes: a name, or an object of a type with others in it.
std::string SimpleString(const Json& json, int depth) {
  if (json.is_string()) return ParseDataType(json.get_ref<const std::string&>()).ToString();
  if (!json.is_object() || depth > kNestedTextMax) return "…";
  const auto name = json.find("type");
  const auto part = [&](const char* key) {
    const auto type = json.find(key);
    return type == json.end() ? "…" : SimpleString(*type, depth + 1);
  };
  if (name == json.end() || !name->is_string()) return "…";
  if (*name == "array") return fmt::format("array<{}>", part("elementType"));
  if (*name == "map") return fmt::format("map<{},{}>", part("keyType"), part("valueType"));
  if (*name == "udt") return "user-defined type";
  const auto fields = json.find("fields");
  if (*name != "struct" || fields == json.end() || !fields->is_array()) return *name;
  std::string text;
  for (size_t i = 0; i < std::min(fields->size(), kFieldsTextMax); ++i) {
    const Json& field = (*fields)[i];
    if (!field.is_object()) return *name;
    const Json field_name = field.value("name", Json());
    text += fmt::format("{}{}:{}", i == 0 ? "" : ",",
                        field_name.is_string() ? field_name.get<std::string>() : "…",
                        SimpleString(field.value("type", Json()), depth + 1));
  }
  if (fields->size() > kFieldsTextMax) {
    text += fmt::format(",... {} more fields", fields->size() - kFieldsTextMax);
  }
  return fmt::format("struct<{}>", text);
}

}  // namespace

std::string DataType::ToString() const {
  if (kind == TypeKind::kDecimal) return fmt::format("decimal({},{})", precision, scale);
  for (const auto& named : kNamedKinds) {
    if (named.kind == kind) return std::string(named.simple_string);
  }
  if (!text.starts_with('{')) return text;
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_discarded() ? text : SimpleString(json, 0);
}

DataType ParseDataType(std::string_view json_name) {
  for (const auto& named : kNamedKinds) {
    if (named.json_name == json_name) return {named.kind, 0, 0, {}};
  }
  DataType type;
  if (ParseDecimal(json_name, &type)) return type;
  return {TypeKind::kOther, 0, 0, std::string(json_name)};
}

std::string JsonName(const DataType& type) {
  for (const auto& named : kNamedKinds) {
    if (named.kind == type.kind) return std::string(named.json_name);
  }
  return type.is(TypeKind::kOther) ? type.text : type.ToString();
}

DataType StoredType(const DataType& type) {
  if (!type.is(TypeKind::kOther)) return type;
  if (!type.text.starts_with('{')) {
    for (const auto& [prefix, stored] : kStoredPrefixes) {
      if (type.text.starts_with(prefix)) return {stored};
    }
    return type;
  }
  const Json json = Json::parse(type.text, nullptr, /*allow_exceptions=*/false);
  const std::string name = json.is_object() ? json.value("type", Json()).dump() : "";
  if (name == R"("array")" || name == R"("map")" || name == R"("struct")") return kBytes;
  if (name == R"("udt")") {
    const DataType stored = StoredUserType(json);
    return stored.is(TypeKind::kOther) ? type : stored;
  }
  return type;
}

bool IsCalendarInterval(const DataType& type) {
  return type.is(TypeKind::kOther) && type.text == "interval";
}

Result<std::shared_ptr<arrow::DataType>> ToArrow(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kNull:
      return arrow::null();
    case TypeKind::kBoolean:
      return arrow::boolean();
    case TypeKind::kByte:
      return arrow::int8();
    case TypeKind::kShort:
      return arrow::int16();
    case TypeKind::kInteger:
      return arrow::int32();
    case TypeKind::kLong:
      return arrow::int64();
    case TypeKind::kFloat:
      return arrow::float32();
    case TypeKind::kDouble:
      return arrow::float64();
    case TypeKind::kDecimal:
      return type.is_short_decimal() ? arrow::decimal64(type.precision, type.scale)
                                     : arrow::decimal128(type.precision, type.scale);
    case TypeKind::kString:
      return arrow::utf8();
    case TypeKind::kBinary:
      return arrow::binary();
    case TypeKind::kDate:
      return arrow::date32();
    case TypeKind::kTimestamp:
      return arrow::timestamp(arrow::TimeUnit::MICRO, "UTC");
    case TypeKind::kTimestampNtz:
      return arrow::timestamp(arrow::TimeUnit::MICRO);
    case TypeKind::kOther: {
      const DataType stored = StoredType(type);
      if (!stored.is(TypeKind::kOther)) return ToArrow(stored);
      break;
    }
  }
  return Status::NotImplemented("type ", type.ToString(), " has no native form");
}

Result<DataType> FromArrow(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::NA:
      return DataType{TypeKind::kNull};
    case arrow::Type::BOOL:
      return DataType{TypeKind::kBoolean};
    case arrow::Type::INT8:
      return DataType{TypeKind::kByte};
    case arrow::Type::INT16:
      return DataType{TypeKind::kShort};
    case arrow::Type::INT32:
      return DataType{TypeKind::kInteger};
    case arrow::Type::INT64:
      return DataType{TypeKind::kLong};
    case arrow::Type::FLOAT:
      return DataType{TypeKind::kFloat};
    case arrow::Type::DOUBLE:
      return DataType{TypeKind::kDouble};
    case arrow::Type::DECIMAL64:
    case arrow::Type::DECIMAL128: {
      const auto& decimal = static_cast<const arrow::DecimalType&>(type);
      return Decimal(decimal.precision(), decimal.scale());
    }
    case arrow::Type::STRING:
      return DataType{TypeKind::kString};
    case arrow::Type::BINARY:
      return DataType{TypeKind::kBinary};
    case arrow::Type::DATE32:
      return DataType{TypeKind::kDate};
    case arrow::Type::TIMESTAMP: {
      const auto& timestamp = static_cast<const arrow::TimestampType&>(type);
      if (timestamp.unit() != arrow::TimeUnit::MICRO) break;
      return DataType{timestamp.timezone().empty() ? TypeKind::kTimestampNtz
                                                   : TypeKind::kTimestamp};
    }
    default:
      break;
  }
  return Status::TypeError("Arrow type ", type.ToString(), " has no Spark type");
}

Result<std::shared_ptr<arrow::Schema>> ToArrowSchema(const std::vector<Field>& fields) {
  arrow::FieldVector arrow_fields;
  arrow_fields.reserve(fields.size());
  for (const auto& field : fields) {
    ARROW_ASSIGN_OR_RAISE(auto type, ToArrow(field.type));
    arrow_fields.push_back(arrow::field(field.name, std::move(type), field.nullable));
  }
  return arrow::schema(std::move(arrow_fields));
}

}  // namespace reprise
