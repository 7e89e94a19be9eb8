#include "plan/json_tree.h"

#include <algorithm>
#include <set>

namespace reprise {

namespace {

using Form = NestedType::Form;
using IsLeaf = bool (*)(const DataType&);

bool HasPlainNames(const NestedType& tree) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < tree.parts.size(); ++i) {
    const std::string& name = FieldName(tree, i);
    if (!IsPlainInJson(name) || !names.insert(name).second) return false;
  }
  return true;
}

bool IsJson(const NestedType& tree, IsLeaf is_leaf) {
  switch (tree.form) {
    case Form::kPlain:
      return is_leaf(tree.type);
    case Form::kStruct:
      if (!HasPlainNames(tree)) return false;
      break;
    case Form::kMap:
      if (!tree.parts[0].type.is(TypeKind::kString)) return false;
      break;
    case Form::kArray:
      break;
    case Form::kText:
    case Form::kCalendarInterval:
      return false;
  }
  return std::ranges::all_of(tree.parts,
                             [&](const NestedType& part) { return IsJson(part, is_leaf); });
}

}  // namespace

bool IsPlainInJson(std::string_view text) {
  return std::ranges::none_of(
      text, [](char c) { return static_cast<uint8_t>(c) < 0x20 || c == '"' || c == '\\'; });
}

std::optional<NestedType> ParseJsonTree(const DataType& type, IsLeaf is_leaf) {
  if (type.text.find("\"EXISTS_DEFAULT\"") != std::string::npos) return std::nullopt;
  auto tree = ParseNestedType(type);
  if (!tree || tree->parts.empty() || !IsJson(*tree, is_leaf)) return std::nullopt;
  return tree;
}

}  // namespace reprise
