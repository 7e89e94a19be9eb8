#include "qualify/native_functions.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "plan/plan.h"
#include "rules/expression_table.h"
#include "vocabulary/aggregates.h"
#include "vocabulary/window_functions.h"

namespace reprise {

namespace {

// What plans call classes whose names are other words. Those that differ by '_' alone need no row.
struct OtherName {
  std::string_view class_name;
  std::string_view function;
};
constexpr OtherName kOtherNames[] = {
    {"StringTrim", "trim"},
    {"StringTrimLeft", "ltrim"},
    {"StringTrimRight", "rtrim"},
    {"StringRepeat", "repeat"},
    {"StringReplace", "replace"},
    {"StringLPad", "lpad"},
    {"StringRPad", "rpad"},
    {"StringInstr", "instr"},
    {"StringLocate", "locate"},
    {"Length", "char_length"},
    {"Length", "character_length"},
    {"Length", "len"},
    {"Murmur3Hash", "hash"},
    {"BloomFilterMightContain", "might_contain"},
    {"TruncTimestamp", "date_trunc"},
    {"TruncDate", "trunc"},
    {"DateAdd", "dateadd"},
    {"DateDiff", "date_diff"},
    {"DayOfMonth", "day"},
    {"Signum", "sign"},
    {"Ceil", "ceiling"},
    {"Average", "avg"},
    {"Average", "mean"},
    {"VarianceSamp", "variance"},
    {"VarianceSamp", "var_samp"},
    {"VariancePop", "var_pop"},
    {"StddevSamp", "stddev"},
    {"StddevSamp", "std"},
    {"CollectList", "array_agg"},
    {"First", "first_value"},
    {"First", "any_value"},
    {"Last", "last_value"},
    {"CreateNamedStruct", "struct"},
    {"CreateArray", "array"},
    {"Size", "cardinality"},
};

// Words before a parenthesis that call nothing which is computed by itself.
constexpr std::string_view kNoFunctions[] = {
    "hashpartitioning",
    "rangepartitioning",
    "roundrobinpartitioning",
    "hashedrelationbroadcastmode",
    "list",
    "windowspecdefinition",
    "specifiedwindowframe",
    "currentrow",
    "unboundedpreceding",
    "unboundedfollowing",
    "knownnotnull",
    "input",
    "subquery",
    "dynamicpruning",
    "dynamicpruningexpression",
    "wholestagecodegen",
    "in",
    "and",
    "or",
    "not",
    "inset",
    "explode",
    "posexplode",
    "inline",
    "outer",
    "distinct",
    "promote_precision",
    "lambdafunction",
    "decimal",
    "char",
    "varchar",
};

std::string Plain(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

std::set<std::string, std::less<>> NativeNames() {
  std::set<std::string, std::less<>> names;
  std::set<std::string, std::less<>> classes;
  const auto add = [&](std::string_view class_name) {
    const std::string_view name = ShortClassName(class_name);
    classes.emplace(name);
    names.insert(Plain(name));
  };
  for (const ExpressionRule& rule : ExpressionTable()) {
    if (!rule.is_tried) add(rule.class_name);
  }
  for (const AggregateRow& row : AggregateTable()) add(row.class_name);
  for (const WindowFunctionRow& row : WindowFunctionTable()) add(row.class_name);
  for (const OtherName& other : kOtherNames) {
    if (classes.contains(other.class_name)) names.insert(Plain(other.function));
  }
  return names;
}

bool IsOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where the parenthesis at `open` is closed; npos: cut off.
size_t ClosingOf(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

// "sum(x)#12" is a column; "sum(x)#12L" too.
bool IsColumn(std::string_view text, size_t open) {
  const size_t close = ClosingOf(text, open);
  return close != std::string_view::npos && close + 1 < text.size() && text[close + 1] == '#';
}

}  // namespace

bool IsNativeFunction(std::string_view name) {
  static const auto* const kNames = new std::set<std::string, std::less<>>(NativeNames());
  for (const std::string_view phase : {"partial_", "merge_", "finalmerge_"}) {
    if (name.starts_with(phase)) name.remove_prefix(phase.size());
  }
  return kNames->contains(Plain(name));
}

std::vector<std::string> FunctionsIn(std::string_view text) {
  std::vector<std::string> functions;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '(' || at == 0 || !IsOfName(text[at - 1])) continue;
    size_t begin = at;
    while (begin > 0 && IsOfName(text[begin - 1])) --begin;
    if (begin == 0) continue;  // the operator itself
    if (IsColumn(text, at)) {
      at = ClosingOf(text, at);
      continue;
    }
    const std::string name(text.substr(begin, at - begin));
    const std::string plain = Plain(name);
    if (std::ranges::any_of(kNoFunctions, [&](auto each) { return Plain(each) == plain; }))
      continue;
    if (std::ranges::find(functions, name) == functions.end()) functions.push_back(name);
  }
  return functions;
}

}  // namespace reprise
