#include "expressions/json_values.h"

#include <algorithm>
#include <cstring>

#include "expressions/json_scanner.h"
#include "expressions/plain_text.h"
#include "plan/json_tree.h"
#include "plan/unsafe_row.h"

namespace reprise {

namespace {

using Form = NestedType::Form;

bool HasBytes(const NestedType& type) {
  return type.form != Form::kPlain || type.type.is(TypeKind::kString) || type.is_long_decimal;
}

/// Where items stand in what is written.
struct Place {
  int64_t start;      // offsets count from here
  int64_t null_bits;  // their first byte
  int64_t first;      // of item 0
  int64_t width;      // of an item
};

/// Lets item `i` point to bytes that are appended, with zeros up to `room` bytes.
void AppendBytes(std::string_view bytes, int64_t room, const Place& place, int64_t i,
                 std::string* out) {
  const size_t end = out->size();
  const auto offset = static_cast<uint64_t>(static_cast<int64_t>(end) - place.start);
  StoreAs<uint64_t>(reinterpret_cast<uint8_t*>(out->data()) + place.first + i * place.width,
                    offset << 32 | bytes.size());
  out->append(bytes);
  out->resize(end + static_cast<size_t>(room), '\0');
}

}  // namespace

std::optional<float> ReadJsonFloat(std::string_view text) {
  const auto once = ReadPlainFloat(text);
  const auto nearest = ReadPlainDouble(text);
  return once && nearest && *once == static_cast<float>(*nearest) ? once : std::nullopt;
}

class JsonValueReader::Walk : public JsonScanner {
 public:
  Walk(std::string_view text, JsonValueReader* reader) : JsonScanner(text), reader_(reader) {}

  /// Whether the text is a value of the type, and nothing else.
  bool ReadAll(const NestedType& type, std::string* out) {
    SkipSpaces();
    ReadNested(type, 0, out);
    SkipSpaces();
    return !in_doubt() && is_at_end();
  }

 private:
  /// The object or array here.
  void ReadNested(const NestedType& type, int depth, std::string* out) {
    if (depth > kLevelsMax || !Peeks(type.form == Form::kArray ? '[' : '{')) {
      return static_cast<void>(Doubt());
    }
    Level& level = LevelAt(depth);
    if (type.form == Form::kStruct) return ReadStruct(type, depth, &level, out);
    if (type.form == Form::kMap) return ReadMap(type, depth, &level, out);
    ForEachElement([&] { Read(type.parts[0], depth, &level, &level.items.emplace_back()); });
    AppendArray(type.parts[0], level.items, level.bytes, out);
  }

  Level& LevelAt(int depth) {
    auto& levels = reader_->levels_;
    while (std::ssize(levels) <= depth) levels.emplace_back();
    Level& level = levels[static_cast<size_t>(depth)];
    level.keys.clear();
    level.items.clear();
    level.bytes.clear();
    return level;
  }

  void ReadStruct(const NestedType& type, int depth, Level* level, std::string* out) {
    level->items.resize(type.parts.size());
    size_t expected = 0;  // documents mostly have the fields in the same order
    ForEachField([&](std::string_view name, bool has_escapes) {
      const auto unescaped = has_escapes ? Unescaped(name) : std::nullopt;
      if (has_escapes && !unescaped) return static_cast<void>(Doubt());
      const size_t field = Find(type, unescaped ? *unescaped : name, expected);
      if (field == type.parts.size()) return Skip(depth + 1);
      expected = field + 1;
      Item& item = level->items[field];
      if (std::exchange(item.is_met, true)) return static_cast<void>(Doubt());
      Read(type.parts[field], depth, level, &item);
    });
    if (!in_doubt()) AppendRow(type, *level, out);
  }

  static size_t Find(const NestedType& type, std::string_view name, size_t expected) {
    const size_t count = type.parts.size();
    if (expected < count && FieldName(type, expected) == name) return expected;
    size_t field = 0;
    while (field < count && FieldName(type, field) != name) ++field;
    return field;
  }

  /// As Spark does, whatever keys there are twice.
  void ReadMap(const NestedType& type, int depth, Level* level, std::string* out) {
    ForEachField([&](std::string_view name, bool has_escapes) {
      PutText(name, has_escapes, level, &level->keys.emplace_back());
      Read(type.parts[1], depth, level, &level->items.emplace_back());
    });
    const size_t start = out->size();
    out->resize(start + kRowWordBytes, '\0');
    AppendArray(type.parts[0], level->keys, level->bytes, out);
    StoreAs<int64_t>(reinterpret_cast<uint8_t*>(out->data()) + start,
                     static_cast<int64_t>(out->size() - start) - kRowWordBytes);
    AppendArray(type.parts[1], level->items, level->bytes, out);
  }

  /// The value here, an item of the value that is `depth` deep.
  void Read(const NestedType& type, int depth, Level* level, Item* item) {
    if (TakesWord("null")) return;
    item->is_null = false;
    if (type.form == Form::kPlain) return ReadPlain(type, level, item);
    item->begin = level->bytes.size();
    ReadNested(type, depth + 1, &level->bytes);
    item->size = level->bytes.size() - item->begin;
  }

  void ReadPlain(const NestedType& type, Level* level, Item* item) {
    switch (type.type.kind) {
      case TypeKind::kString: {
        bool has_escapes = false;
        const std::string_view inside = String(&has_escapes);
        return PutText(inside, has_escapes, level, item);
      }
      case TypeKind::kBoolean:
        item->word = Peeks('t') ? 1 : 0;
        if (!TakesWord("true") && !TakesWord("false")) Doubt();
        return;
      case TypeKind::kFloat:
        return PutWord(ReadJsonFloat(Number()), item);
      case TypeKind::kDouble:
        return PutWord(ReadPlainDouble(Number()), item);
      case TypeKind::kDecimal:
        return PutDecimal(type, level, item);
      case TypeKind::kDate:
        return PutWord(ReadPlainDate(PlainString()), item);
      case TypeKind::kTimestamp:
        return PutWord(ReadPlainTimestamp(PlainString(), &reader_->zone_), item);
      case TypeKind::kTimestampNtz:
        return PutWord(ReadPlainTimestamp(PlainString(), nullptr), item);
      default:
        return PutInteger(type.element_bytes, item);
    }
  }

  template <typename Value>
  void PutWord(std::optional<Value> value, Item* item) {
    if (!value) return static_cast<void>(Doubt());
    std::memcpy(&item->word, &*value, sizeof(Value));
  }

  void PutInteger(int64_t width, Item* item) {
    const auto value = ReadPlainInteger(Number());
    const int64_t above = value && width < kRowWordBytes ? *value >> (8 * width - 1) : 0;
    if (above != 0 && above != -1) return static_cast<void>(Doubt());
    PutWord(value, item);
  }

  void PutDecimal(const NestedType& type, Level* level, Item* item) {
    const auto value = ReadPlainDecimal(Number(), type.type.precision, type.type.scale);
    if (!value) return static_cast<void>(Doubt());
    if (!type.is_long_decimal) return PutWord(std::optional(static_cast<int64_t>(*value)), item);
    uint8_t digits[kLongDecimalBytes];
    item->begin = level->bytes.size();
    item->size = StoreBigEndian(*value, digits);
    level->bytes.append(reinterpret_cast<const char*>(digits), item->size);
  }

  void PutText(std::string_view inside, bool has_escapes, Level* level, Item* item) {
    item->is_null = false;
    item->begin = level->bytes.size();
    if (!has_escapes) {
      level->bytes += inside;
    } else if (const auto text = Unescaped(inside)) {
      level->bytes += *text;
    } else {
      Doubt();
    }
    item->size = level->bytes.size() - item->begin;
  }

  /// The string here; empty where it has escapes.
  std::string_view PlainString() {
    bool has_escapes = false;
    const std::string_view inside = String(&has_escapes);
    return has_escapes ? "" : inside;
  }

  /// The number here; empty where there is none. Of "-0" Jackson makes an integer, without a sign.
  std::string_view Number() {
    if (is_at_end() || (!Peeks('-') && std::isdigit(static_cast<uint8_t>(text_[at_])) == 0)) {
      return "";
    }
    const size_t begin = at_;
    SkipScalar();
    const std::string_view number = text_.substr(begin, at_ - begin);
    return in_doubt() || number == "-0" ? "" : number;
  }

  static void AppendRow(const NestedType& type, const Level& level, std::string* out) {
    const auto start = static_cast<int64_t>(out->size());
    const auto count = std::ssize(level.items);
    out->resize(static_cast<size_t>(start + FixedRowBytes(count)), '\0');
    const Place place = {start, start, start + NullBitsBytes(count), kRowWordBytes};
    for (int64_t i = 0; i < count; ++i) {
      const NestedType& part = type.parts[static_cast<size_t>(i)];
      const Item& item = level.items[static_cast<size_t>(i)];
      Put(part, item, level.bytes, place, i, out);
      // It has its room always.
      if (!part.is_long_decimal) continue;
      if (item.is_null) AppendBytes("", 0, place, i, out);
      const int64_t written = item.is_null ? 0 : RoundUpToWord(static_cast<int64_t>(item.size));
      out->resize(out->size() + static_cast<size_t>(kLongDecimalBytes - written), '\0');
    }
  }

  static void AppendArray(const NestedType& element, const std::vector<Item>& items,
                          const std::string& bytes, std::string* out) {
    const auto start = static_cast<int64_t>(out->size());
    const auto count = std::ssize(items);
    const int64_t null_bits = start + kRowWordBytes;
    const int64_t first = null_bits + NullBitsBytes(count);
    out->resize(static_cast<size_t>(first + RoundUpToWord(count * element.element_bytes)), '\0');
    StoreAs<int64_t>(reinterpret_cast<uint8_t*>(out->data()) + start, count);
    const Place place = {start, null_bits, first, element.element_bytes};
    for (int64_t i = 0; i < count; ++i) {
      Put(element, items[static_cast<size_t>(i)], bytes, place, i, out);
    }
  }

  static void Put(const NestedType& type, const Item& item, const std::string& bytes,
                  const Place& place, int64_t i, std::string* out) {
    auto* const to = reinterpret_cast<uint8_t*>(out->data());
    if (item.is_null) {
      to[place.null_bits + i / 8] |= static_cast<uint8_t>(1 << (i % 8));
    } else if (HasBytes(type)) {
      AppendBytes(std::string_view(bytes).substr(item.begin, item.size),
                  RoundUpToWord(static_cast<int64_t>(item.size)), place, i, out);
    } else {
      std::memcpy(to + place.first + i * place.width, &item.word,
                  static_cast<size_t>(type.element_bytes));
    }
  }

  JsonValueReader* const reader_;
};

bool JsonValueReader::Read(std::string_view text, std::string* out) {
  return Walk(text, this).ReadAll(type_, out);
}

}  // namespace reprise
