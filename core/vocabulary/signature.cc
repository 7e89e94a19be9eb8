#include "vocabulary/signature.h"

#include <algorithm>

#include "base/check.h"

namespace reprise {

namespace {

struct NamedTypes {
  std::string_view name;
  TypeSet types;
};

constexpr NamedTypes kNamedTypes[] = {
    {"any", kAllTypes},
    {"opaque", kOpaqueTypes},
    {"void", TypesOf({TypeKind::kNull})},
    {"boolean", kBooleanTypes},
    {"tinyint", TypesOf({TypeKind::kByte})},
    {"smallint", TypesOf({TypeKind::kShort})},
    {"int", TypesOf({TypeKind::kInteger})},
    {"bigint", TypesOf({TypeKind::kLong})},
    {"float", TypesOf({TypeKind::kFloat})},
    {"double", TypesOf({TypeKind::kDouble})},
    {"decimal", kDecimalTypes},
    {"string", TypesOf({TypeKind::kString})},
    {"binary", TypesOf({TypeKind::kBinary})},
    {"date", TypesOf({TypeKind::kDate})},
    {"timestamp", TypesOf({TypeKind::kTimestamp})},
    {"timestamp_ntz", TypesOf({TypeKind::kTimestampNtz})},
    {"integral", kIntegralTypes},
    {"floating", kFloatingTypes},
    {"numeric", kNumericTypes},
    {"time", kTimeTypes},
};

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// The parts between separators that stand outside of brackets.
std::vector<std::string_view> Parts(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']') --depth;
    if (text[i] != separator || depth != 0) continue;
    parts.push_back(Trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(Trimmed(text.substr(begin)));
  return parts;
}

TypeSet SetOf(std::string_view text) {
  TypeSet set;
  for (const std::string_view name : Parts(text, '|')) {
    const auto* found = std::ranges::find(kNamedTypes, name, &NamedTypes::name);
    REPRISE_CHECK(found != std::end(kNamedTypes), "\"{}\" is a type of a signature", name);
    set = set | found->types;
  }
  return set;
}

}  // namespace

Signature::Type Signature::ParseType(std::string_view text, std::optional<TypeSet>* shared) {
  if (text == "T") {
    if (!*shared) *shared = SetOf("any");
    return {**shared, true};
  }
  if (text.starts_with("T:")) {
    *shared = SetOf(text.substr(2));
    return {**shared, true};
  }
  return {SetOf(text), false};
}

Signature::Form Signature::ParseForm(std::string_view text) {
  const size_t arrow = text.find("->");
  REPRISE_CHECK(arrow != std::string_view::npos, "\"{}\" says what it gives", text);
  Form form;
  std::optional<TypeSet> shared;
  const std::string_view operands = Trimmed(text.substr(0, arrow));
  for (std::string_view part :
       operands.empty() ? std::vector<std::string_view>() : Parts(operands, ',')) {
    Item item;
    if (part.starts_with("literal ") || part == "subquery") {
      item.aside = part;
      item.least = item.most = 0;
      form.items.push_back(std::move(item));
      continue;
    }
    if (part.ends_with("...")) {
      part.remove_suffix(3);
      item.least = 0;
      item.most = kAnyNumber;
    } else if (part.ends_with('?')) {
      part.remove_suffix(1);
      item.least = 0;
    }
    if (part.starts_with('[') && part.ends_with(']')) part = part.substr(1, part.size() - 2);
    for (const std::string_view type : Parts(part, ',')) {
      item.group.push_back(ParseType(type, &shared));
    }
    form.items.push_back(std::move(item));
  }
  form.result = ParseType(Trimmed(text.substr(arrow + 2)), &shared);
  return form;
}

Signature Signature::Parse(std::string_view text) {
  Signature signature;
  for (const std::string_view form : Parts(text, ';')) {
    signature.forms_.push_back(ParseForm(form));
  }
  return signature;
}

bool Signature::Matches(const Form& form, size_t item, const Types& arguments, size_t next,
                        std::optional<DataType> shared, const DataType& result) {
  if (item == form.items.size()) {
    return next == arguments.size() && form.result.set.has(result) &&
           (!form.result.shared || !shared || *shared == result);
  }
  const Item& wanted = form.items[item];
  for (size_t count = 0;; ++count) {
    if (count >= wanted.least && Matches(form, item + 1, arguments, next, shared, result)) {
      return true;
    }
    if (count == wanted.most || next + wanted.group.size() > arguments.size()) return false;
    for (const Type& type : wanted.group) {
      const DataType& given = arguments[next++];
      if (!type.set.has(given) || (type.shared && shared && *shared != given)) return false;
      if (type.shared) shared = given;
    }
  }
}

bool Signature::Takes(const Types& arguments, const DataType& result) const {
  return std::ranges::any_of(forms_, [&](const Form& form) {
    return Matches(form, 0, arguments, 0, std::nullopt, result);
  });
}

TypeSet Signature::TypesAt(size_t operand) const {
  TypeSet types;
  for (const Form& form : forms_) {
    size_t first = 0;    // the least place at which an item's operands can stand
    bool moves = false;  // further on, where there is more of those before it than the least
    for (const Item& item : form.items) {
      const size_t size = item.aside.empty() ? item.group.size() : 1;
      if (operand >= first && item.aside.empty()) {
        const size_t offset = operand - first;
        for (size_t i = 0; i < size; ++i) {
          const bool stands =
              moves || offset == i || (item.most == kAnyNumber && offset % size == i);
          if (stands) types = types | item.group[i].set;
        }
      }
      moves = moves || item.least != item.most;
      first += item.aside.empty() ? item.least * size : size;
    }
  }
  return types;
}

std::string_view Signature::AsideAt(size_t operand) const {
  for (const Form& form : forms_) {
    if (operand < form.items.size() && !form.items[operand].aside.empty()) {
      return form.items[operand].aside;
    }
  }
  return {};
}

std::optional<std::pair<size_t, std::string_view>> Signature::literal() const {
  constexpr std::string_view kLiteral = "literal ";
  for (size_t operand = 0; operand < forms_[0].items.size(); ++operand) {
    const std::string_view aside = AsideAt(operand);
    if (aside.starts_with(kLiteral)) return std::pair(operand, aside.substr(kLiteral.size()));
  }
  return std::nullopt;
}

size_t Signature::least() const {
  size_t least = kAnyNumber;
  for (const Form& form : forms_) {
    size_t count = 0;
    for (const Item& item : form.items) count += item.least * item.group.size();
    least = std::min(least, count);
  }
  return least;
}

size_t Signature::most() const {
  size_t most = 0;
  for (const Form& form : forms_) {
    size_t count = 0;
    for (const Item& item : form.items) {
      if (item.most == kAnyNumber) return kAnyNumber;
      count += item.most * item.group.size();
    }
    most = std::max(most, count);
  }
  return most;
}

}  // namespace reprise
