#include "dump/hidden_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "dump/sealed_json.h"
#include "plan/mask_kind.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

// Where plan.meta has the values of literals: the first two in specifications (plan/spec.h), all of
// them in Spark's operator (docs/internals/plan-json.md).
constexpr std::string_view kValueKeys[] = {"value",  "bytes", "utf8", "utf8Bytes",
                                           "long",   "short", "byte", "decimal",
                                           "double", "float", "set"};

bool IsValueKey(std::string_view key) {
  return std::ranges::find(kValueKeys, key) != std::end(kValueKeys);
}

// The values that one kind of runtime value has, without what they are.
Json Emptied(const Json& value) {
  Json emptied = value;
  for (auto& [kind, member] : emptied.items()) {
    if (kind == "value") member = nullptr;
    if (kind == "values") member = Json::array({nullptr});
    if (kind == "fields" && member.is_array()) member = Json(member.size(), nullptr);
    if (kind != "rows") continue;
    for (Json& row : member) row = Json(row.size(), nullptr);
  }
  return emptied;
}

}  // namespace

Result<HiddenValues> HiddenValues::Of(const Json& capture) {
  HiddenValues hidden;
  if (!capture.contains("hidden")) return hidden;
  ARROW_ASSIGN_OR_RAISE(const Json* said, ObjectMember(capture, "hidden", "capture"));
  hidden.is_empty_ = false;
  hidden.masks_ = capture.value("mask", Json::object());
  hidden.key_ = KeyOf(capture.value("secret", ""));
  for (const Json& number : said->value("clearValues", Json::array())) {
    hidden.clear_values_.insert(number.dump());
  }
  for (const Json& literal : said->value("literals", Json::array())) {
    hidden.literals_.insert(literal.get<std::string>());
  }
  hidden.has_rows_ = said->value("rows", false);
  hidden.has_folders_ = said->value("folders", false);
  hidden.has_leaf_folders_ = said->value("leafFolders", false);
  return hidden;
}

void HiddenValues::HideIn(Json* runtime_values) const {
  if (is_empty_ || !runtime_values->is_object()) return;
  for (auto& [number, value] : runtime_values->items()) {
    if (!clear_values_.contains(number)) value = Emptied(value);
  }
}

void HiddenValues::HideIn(PlanMeta* plan) const {
  if (is_empty_) return;
  HideInNames(&plan->spec.output);
  for (std::vector<Field>& input : plan->spec.inputs) HideInNames(&input);
  plan->masked = WithHiddenNames(plan->masked);
  HideLiterals(&plan->spec.arguments, false);
  HideFolders(&plan->spec.arguments);
  if (!plan->spark.is_object()) return;
  if (has_rows_ || has_folders_) {
    plan->spark.erase("root");
    plan->spark.erase("inputs");
    plan->spark["unportable"] = has_rows_
                                    ? "it holds rows of columns that may be masked"
                                    : "it reads folders that bear the values of a masked column";
    return;
  }
  HideLiterals(&plan->spark, false);
  HideFolders(&plan->spark);
}

void HiddenValues::HideInLeaf(Json* leaf) const {
  if (is_empty_) return;
  HideFolders(leaf);
  if (!has_leaf_folders_ || !leaf->is_object() || !leaf->contains("files")) return;
  for (Json& file : leaf->at("files")) {
    if (file.is_object()) file.erase("partitionValues");
  }
}

// A text gives way to its hash, a number to 0.
void HiddenValues::HideLiterals(Json* json, bool is_value) const {
  if (literals_.empty()) return;
  if (json->is_array()) {
    for (Json& item : *json) HideLiterals(&item, is_value);
  } else if (json->is_object()) {
    for (auto& [key, member] : json->items()) {
      HideLiterals(&member, IsValueKey(key));
      if (key == "name" && member.is_string()) member = HiddenName(member.get<std::string>());
    }
  } else if (!is_value) {
    return;
  } else if (json->is_string()) {
    const auto& text = json->get_ref<const std::string&>();
    if (!literals_.contains(text)) return;
    const bool is_number = text.find_first_not_of("-.0123456789") == std::string::npos;
    *json = is_number ? "0" : Hashed(text);
  } else if (json->is_number() && literals_.contains(json->dump())) {
    *json = 0;
  }
}

void HiddenValues::HideInNames(std::vector<Field>* fields) const {
  for (Field& field : *fields) field.name = HiddenName(std::move(field.name));
}

Json HiddenValues::WithHiddenNames(const Json& masks) const {
  Json hidden = Json::object();
  for (const auto& [name, kind] : masks.items()) hidden[HiddenName(name)] = kind;
  return hidden;
}

// Literals stand between blanks, parentheses and commas.
std::string HiddenValues::HiddenName(std::string name) const {
  if (name.find_first_of("( ") == std::string::npos) return name;
  const auto ends_word = [&](size_t at) {
    return at >= name.size() || std::string_view(" ,()[]").find(name[at]) != std::string_view::npos;
  };
  for (const std::string& literal : literals_) {
    for (size_t at = name.find(literal); at != std::string::npos && !literal.empty();
         at = name.find(literal, at + 1)) {
      if (!ends_word(at + literal.size()) || (at > 0 && !ends_word(at - 1))) continue;
      name.replace(at, literal.size(), Hashed(literal));
    }
  }
  return name;
}

void HiddenValues::HideFolders(Json* json) const {
  if (json->is_structured()) {
    for (Json& item : *json) HideFolders(&item);
  } else if (json->is_string()) {
    const auto& text = json->get_ref<const std::string&>();
    if (text.find('=') != std::string::npos) *json = WithoutFolders(text);
  }
}

std::string HiddenValues::Hashed(std::string_view text) const {
  return fmt::format("{:016x}", KeyedHash(text, key_));
}

// "/t/country=C1/part-0": the value gives way to its hash.
std::string HiddenValues::WithoutFolders(std::string_view path) const {
  std::string text;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const std::string_view folder = path.substr(0, end);
    const size_t equals = folder.find('=');
    const bool is_masked = equals != std::string_view::npos &&
                           std::ranges::any_of(masks_.items(), [&](const auto& mask) {
                             return SameColumnName(mask.key(), folder.substr(0, equals));
                           });
    text += is_masked
                ? fmt::format("{}={}", folder.substr(0, equals), Hashed(folder.substr(equals + 1)))
                : std::string(folder);
    if (end < path.size()) text += '/';
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return text;
}

}  // namespace reprise
