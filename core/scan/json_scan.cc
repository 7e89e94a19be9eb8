#include "scan/json_scan.h"

#include <simdjson.h>

#include <algorithm>

#include "expressions/json_values.h"
#include "scan/file_split.h"
#include "scan/file_store.h"
#include "scan/piece_source.h"
#include "scan/text_lines.h"
#include "scan/text_scan.h"

namespace reprise {

namespace {

namespace ondemand = simdjson::ondemand;

static_assert(simdjson::SIMDJSON_PADDING <= TextLines::kPadding);

// Jackson has limits on the length of a number and of a name, and on how deep values are nested: a
// document within these is within those.
constexpr size_t kLineMax = 40'000;
constexpr size_t kNumberMax = 900;
constexpr int kDepthMax = 100;

/// RFC 8259, which leaves out much of what ReadPlainDouble takes.
bool IsNumber(std::string_view text) {
  const auto take_digits = [&text] {
    const auto end = std::ranges::find_if_not(text, [](char c) { return c >= '0' && c <= '9'; });
    const auto digits = static_cast<size_t>(end - text.begin());
    text.remove_prefix(digits);
    return digits;
  };
  if (text.size() > kNumberMax) return false;
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool leads_with_zero = text.starts_with('0');
  const size_t whole = take_digits();
  if (whole == 0 || (leads_with_zero && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (take_digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (take_digits() == 0) return false;
  }
  return text.empty();
}

/// What values of a column are in JSON.
enum class JsonKind { kString, kInteger, kFloat, kNumber, kBoolean, kNested };

JsonKind KindOf(const DataType& type) {
  if (type.is_integral()) return JsonKind::kInteger;
  switch (type.kind) {
    case TypeKind::kFloat:
      return JsonKind::kFloat;
    case TypeKind::kDouble:
    case TypeKind::kDecimal:
      return JsonKind::kNumber;
    case TypeKind::kBoolean:
      return JsonKind::kBoolean;
    case TypeKind::kOther:
      return JsonKind::kNested;
    default:
      return JsonKind::kString;
  }
}

/// The characters of a string in a document, up to its quote. Nothing where some are escaped.
std::optional<std::string_view> Unescaped(const char* characters) {
  const char* end = characters;
  for (; *end != '"'; ++end) {
    if (*end == '\\') return std::nullopt;
  }
  return std::string_view(characters, static_cast<size_t>(end - characters));
}

/// The same of a value that is a string.
std::optional<std::string_view> Unescaped(ondemand::value value) {
  return Unescaped(value.raw_json_token().data() + 1);
}

class JsonLines final : public LineFormat {
 public:
  explicit JsonLines(const std::vector<Field>& columns) {
    for (const Field& column : columns) columns_.push_back({column.name, KindOf(column.type)});
  }

  // What Jackson passes over before a document.
  bool IsBlank(std::string_view line) const override {
    return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
  }

  Result<bool> Read(std::string_view line, int64_t row, const Columns& columns) override {
    if (line.size() > kLineMax) return false;
    const simdjson::padded_string_view text(line, line.size() + simdjson::SIMDJSON_PADDING);
    ondemand::document document;
    ondemand::object object;
    if (parser_.iterate(text).get(document) != simdjson::SUCCESS ||
        document.get_object().get(object) != simdjson::SUCCESS) {
      return false;
    }
    ++line_;
    ARROW_ASSIGN_OR_RAISE(const bool is_read, ReadFields(object, row, columns));
    // Behind the last value there is no location.
    if (!is_read || document.current_location().error() != simdjson::OUT_OF_BOUNDS) return false;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns_[i].line != line_) RETURN_NOT_OK(columns[i]->PutNull(row));
    }
    return true;
  }

 private:
  struct Column {
    std::string name;
    JsonKind kind;
    int64_t line = 0;  // the last one that had it
  };

  Result<bool> ReadFields(ondemand::object object, int64_t row, const Columns& columns) {
    size_t expected = 0;  // lines mostly have the fields in the same order
    for (auto each : object) {
      ondemand::field field;
      std::string_view name;
      if (std::move(each).get(field) != simdjson::SUCCESS || !ReadName(field, &name)) return false;
      const size_t column = Find(name, expected);
      if (column == columns_.size()) {
        if (!IsValid(field.value(), 1)) return false;
        continue;
      }
      expected = column + 1;
      if (std::exchange(columns_[column].line, line_) == line_) return false;
      ARROW_ASSIGN_OR_RAISE(const bool is_put,
                            Put(field.value(), columns_[column].kind, row, columns[column].get()));
      if (!is_put) return false;
    }
    return true;
  }

  static bool ReadName(ondemand::field& field, std::string_view* name) {
    const auto plain = Unescaped(field.key().raw());
    if (plain) *name = *plain;
    return plain || field.unescaped_key().get(*name) == simdjson::SUCCESS;
  }

  size_t Find(std::string_view name, size_t expected) const {
    if (expected < columns_.size() && columns_[expected].name == name) return expected;
    return static_cast<size_t>(std::ranges::find(columns_, name, &Column::name) - columns_.begin());
  }

  static Result<bool> Put(ondemand::value value, JsonKind kind, int64_t row, TextColumn* column) {
    ondemand::json_type type;
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    if (type == ondemand::json_type::null) {
      if (!IsValid(value, 1)) return false;
      RETURN_NOT_OK(column->PutNull(row));
      return true;
    }
    if (type == ondemand::json_type::string && kind == JsonKind::kString) {
      if (const auto text = Unescaped(value)) return column->Put(row, *text);
      std::string_view text;
      if (value.get_string().get(text) != simdjson::SUCCESS) return false;
      return column->Put(row, text);
    }
    if (type == ondemand::json_type::boolean && kind == JsonKind::kBoolean) {
      bool is_true = false;
      if (value.get_bool().get(is_true) != simdjson::SUCCESS) return false;
      return column->Put(row, is_true ? "true" : "false");
    }
    if (kind == JsonKind::kNested) {
      std::string_view text;
      return ReadNested(value, type, &text) ? column->Put(row, text) : false;
    }
    if (type != ondemand::json_type::number) return false;
    return PutNumber(NumberText(value), kind, row, column);
  }

  /// The text of an object or array, of which no more is known than where it ends.
  static bool ReadNested(ondemand::value value, ondemand::json_type type, std::string_view* text) {
    ondemand::object object;
    if (type == ondemand::json_type::object) {
      return value.get_object().get(object) == simdjson::SUCCESS &&
             object.raw_json().get(*text) == simdjson::SUCCESS;
    }
    ondemand::array array;
    return value.get_array().get(array) == simdjson::SUCCESS &&
           array.raw_json().get(*text) == simdjson::SUCCESS;
  }

  static Result<bool> PutNumber(std::string_view text, JsonKind kind, int64_t row,
                                TextColumn* column) {
    // Of "-0" Jackson makes an integer, which has no sign.
    if (!IsNumber(text) || text == "-0") return false;
    if (kind != JsonKind::kInteger && kind != JsonKind::kFloat && kind != JsonKind::kNumber) {
      return false;
    }
    if (kind == JsonKind::kFloat && !ReadJsonFloat(text)) return false;
    return column->Put(row, text);
  }

  static std::string_view NumberText(ondemand::value value) {
    const std::string_view text = value.raw_json_token();
    return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  }

  /// Whether Jackson passes over a value that nobody wants.
  static bool IsValid(ondemand::value value, int depth) {
    ondemand::json_type type;
    if (depth > kDepthMax || value.type().get(type) != simdjson::SUCCESS) return false;
    std::string_view text;
    bool is_true = false;
    switch (type) {
      case ondemand::json_type::object:
        return IsValidObject(value, depth);
      case ondemand::json_type::array:
        return IsValidArray(value, depth);
      case ondemand::json_type::string:
        return Unescaped(value) || value.get_string().get(text) == simdjson::SUCCESS;
      case ondemand::json_type::number:
        return IsNumber(NumberText(value));
      case ondemand::json_type::boolean:
        return value.get_bool().get(is_true) == simdjson::SUCCESS;
      case ondemand::json_type::null:
        return value.is_null().get(is_true) == simdjson::SUCCESS && is_true;
      default:
        return false;
    }
  }

  static bool IsValidObject(ondemand::value value, int depth) {
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return false;
    for (auto each : object) {
      ondemand::field field;
      std::string_view name;
      if (std::move(each).get(field) != simdjson::SUCCESS || !ReadName(field, &name) ||
          !IsValid(field.value(), depth + 1)) {
        return false;
      }
    }
    return true;
  }

  static bool IsValidArray(ondemand::value value, int depth) {
    ondemand::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS) return false;
    for (auto each : array) {
      ondemand::value element;
      if (each.get(element) != simdjson::SUCCESS || !IsValid(element, depth + 1)) return false;
    }
    return true;
  }

  std::vector<Column> columns_;
  ondemand::parser parser_;
  int64_t line_ = 0;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakeJsonScan(OperatorSpec spec, std::vector<FileSplit> splits,
                                               const TaskContext& context,
                                               std::unique_ptr<FileStore> store,
                                               std::unique_ptr<PieceSource> pieces) {
  ARROW_ASSIGN_OR_RAISE(auto text, TextScanArguments::Of(spec, /*reads_nested=*/true));
  auto format = std::make_unique<JsonLines>(text.columns);
  return MakeTextScan(std::move(spec), std::move(text), std::move(format), std::move(splits),
                      context, std::move(store), std::move(pieces));
}

}  // namespace reprise
