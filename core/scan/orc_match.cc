#include "scan/orc_match.h"

#include <algorithm>
#include <cctype>

#include "scan/column_names.h"
#include "scan/orc_columns.h"

namespace reprise {

namespace {

using Types = std::vector<OrcType>;
using Form = OrcMatch::Form;

constexpr std::string_view kNameless = "_col";

/// As ORC's SchemaEvolution knows columns without names; Spark asks for the first part alone.
bool IsNumbered(std::string_view name) {
  const std::string_view number = name.substr(std::min(name.size(), kNameless.size()));
  return name.starts_with(kNameless) && !number.empty() &&
         std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::optional<OrcKind> StoredKindOf(const DataType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return OrcKind::kBoolean;
    case TypeKind::kByte:
      return OrcKind::kByte;
    case TypeKind::kShort:
      return OrcKind::kShort;
    case TypeKind::kInteger:
      return OrcKind::kInt;
    case TypeKind::kLong:
    case TypeKind::kTimestampNtz:
      return OrcKind::kLong;
    case TypeKind::kFloat:
      return OrcKind::kFloat;
    case TypeKind::kDouble:
      return OrcKind::kDouble;
    case TypeKind::kDecimal:
      return OrcKind::kDecimal;
    case TypeKind::kString:
      return OrcKind::kString;
    case TypeKind::kBinary:
      return OrcKind::kBinary;
    case TypeKind::kDate:
      return OrcKind::kDate;
    case TypeKind::kTimestamp:
      return OrcKind::kTimestamp;
    default:
      return std::nullopt;
  }
}

bool IsAskedForAs(const OrcType& stored, const DataType& type) {
  if (stored.kind != StoredKindOf(type)) return false;
  switch (type.kind) {
    case TypeKind::kDecimal:
      return stored.precision == type.precision && stored.scale == type.scale;
    case TypeKind::kTimestampNtz:
      return stored.spark_type == "timestamp_ntz";
    case TypeKind::kTimestamp:
      return stored.spark_type.empty() || stored.spark_type == "timestamp";
    case TypeKind::kString:
      return stored.spark_type.empty() || stored.spark_type == "string";
    default:
      return stored.spark_type.empty();
  }
}

// Spark holds the types of all columns, and of the fields of structs, against those of the table,
// place by place, and does not read timestamps with a time zone as such without one, nor the other
// way round.
bool HasOtherTimestamps(const Types& types, const OrcType& stored,
                        const std::vector<NestedType>& asked) {
  const size_t both = std::min(stored.children.size(), asked.size());
  for (size_t i = 0; i < both; ++i) {
    const OrcType& field = types[stored.children[i]];
    const NestedType& as = asked[i];
    const bool is_ntz = field.spark_type == "timestamp_ntz";
    if (is_ntz && as.type.is(TypeKind::kTimestamp)) return true;
    if (!is_ntz && field.kind == OrcKind::kTimestamp && as.type.is(TypeKind::kTimestampNtz)) {
      return true;
    }
    const bool both_are_structs =
        field.kind == OrcKind::kStruct && as.form == NestedType::Form::kStruct;
    if (both_are_structs && HasOtherTimestamps(types, field, as.parts)) return true;
  }
  return false;
}

class OrcMatcher {
 public:
  OrcMatcher(const Types& types, bool case_sensitive)
      : types_(types), case_sensitive_(case_sensitive) {}

  std::optional<OrcMatch> Value(uint32_t number, const NestedType& type) const {
    const OrcType& stored = types_[number];
    switch (type.form) {
      case NestedType::Form::kPlain:
        if (!IsAskedForAs(stored, type.type)) return std::nullopt;
        return OrcMatch{Form::kFlat, type.type, number, {}};
      case NestedType::Form::kArray:
        return OfAll(number, type, OrcKind::kList, Form::kArray);
      case NestedType::Form::kMap:
        return OfAll(number, type, OrcKind::kMap, Form::kMap);
      case NestedType::Form::kStruct:
        return Struct(number, type);
      default:
        return std::nullopt;
    }
  }

  /// The child of `parent` of that name, as `type`; missing where there is none.
  std::optional<OrcMatch> Named(const OrcType& parent, const std::string& name,
                                const NestedType& type) const {
    const auto found = PlacesOfName(parent.names, name, case_sensitive_);
    if (!found.ok() || found->size() > 1) return std::nullopt;
    if (found->empty()) return Missing(type);
    return Value(parent.children[found->front()], type);
  }

  static OrcMatch Missing(const NestedType& type) {
    OrcMatch match;
    match.type = type.parts.empty() ? type.type : DataType{TypeKind::kBinary};
    return match;
  }

 private:
  std::optional<OrcMatch> OfAll(uint32_t number, const NestedType& type, OrcKind kind,
                                Form form) const {
    const OrcType& stored = types_[number];
    if (stored.kind != kind || stored.children.size() != type.parts.size()) return std::nullopt;
    OrcMatch match{form, {TypeKind::kBinary}, number, {}};
    for (size_t i = 0; i < type.parts.size(); ++i) {
      auto part = Value(stored.children[i], type.parts[i]);
      if (!part) return std::nullopt;
      match.parts.push_back(std::move(*part));
    }
    return match;
  }

  // One of which the file has nothing is left to Spark: no stream would say how many there are.
  std::optional<OrcMatch> Struct(uint32_t number, const NestedType& type) const {
    const OrcType& stored = types_[number];
    if (stored.kind != OrcKind::kStruct) return std::nullopt;
    OrcMatch match{Form::kStruct, {TypeKind::kBinary}, number, {}};
    bool is_there = false;
    for (size_t i = 0; i < type.parts.size(); ++i) {
      auto part = Named(stored, type.arrow->field(static_cast<int>(i))->name(), type.parts[i]);
      if (!part) return std::nullopt;
      is_there = is_there || part->form != Form::kMissing;
      match.parts.push_back(std::move(*part));
    }
    if (!is_there) return std::nullopt;
    return match;
  }

  const Types& types_;
  const bool case_sensitive_;
};

NestedType TreeOf(const DataType& type) {
  auto tree = ParseNestedType(type);
  return tree ? *std::move(tree) : PlainItemType(type);
}

}  // namespace

bool IsOrcColumnType(const DataType& type) {
  if (!type.is(TypeKind::kOther)) return IsOrcType(type);
  const auto tree = ParseNestedType(type);
  return tree && !tree->parts.empty() && ConsistsOf(*tree, [](const NestedType& leaf) {
           return leaf.form == NestedType::Form::kPlain && IsOrcType(leaf.type);
         });
}

Result<OrcColumns> OrcColumns::Make(std::vector<Field> columns, std::vector<Field> file_columns,
                                    bool case_sensitive) {
  OrcColumns made;
  for (const Field& field : columns) {
    if (!IsOrcColumnType(field.type)) {
      return Status::Invalid("column ", field.name, " is ", field.type.ToString(),
                             ", which is not read of ORC files");
    }
    made.types_.push_back(TreeOf(field.type));
  }
  for (const Field& field : file_columns) made.file_types_.push_back(TreeOf(field.type));
  made.columns_ = std::move(columns);
  made.file_columns_ = std::move(file_columns);
  made.case_sensitive_ = case_sensitive;
  return made;
}

std::optional<std::vector<OrcMatch>> OrcColumns::In(const Types& types) const {
  const OrcType& root = types.front();
  if (root.kind != OrcKind::kStruct || HasOtherTimestamps(types, root, file_types_)) {
    return std::nullopt;
  }
  const auto is_nameless = [](const std::string& name) { return name.starts_with(kNameless); };
  const bool by_place = std::ranges::all_of(root.names, is_nameless);
  // Spark has no rows of a file without columns, and there are such ones without rows, too.
  if (by_place && (root.names.empty() || root.names.size() > file_columns_.size() ||
                   !std::ranges::all_of(root.names, IsNumbered))) {
    return std::nullopt;
  }
  const OrcMatcher matcher(types, case_sensitive_);
  std::vector<OrcMatch> matches;
  for (size_t i = 0; i < columns_.size(); ++i) {
    std::optional<OrcMatch> match;
    if (!by_place) {
      match = matcher.Named(root, columns_[i].name, types_[i]);
    } else if (types_[i].parts.empty()) {  // of others Spark reads all fields, asked for or not
      const auto found = std::ranges::find(file_columns_, columns_[i].name, &Field::name);
      const size_t place = found - file_columns_.begin();
      match = place < root.names.size() ? matcher.Value(root.children[place], types_[i])
                                        : OrcMatcher::Missing(types_[i]);
    }
    if (!match) return std::nullopt;
    matches.push_back(std::move(*match));
  }
  return matches;
}

}  // namespace reprise
