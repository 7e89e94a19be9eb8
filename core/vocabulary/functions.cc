#include "vocabulary/functions.h"

#include <algorithm>
#include <map>

#include "vocabulary/casts.h"
#include "vocabulary/signature.h"

namespace reprise {

namespace {

struct Row {
  std::string_view function;
  std::string_view signature;
};

constexpr Row kRows[] = {
#define EXPRESSION(spark_class, function, maker, signature, writer, limits) {function, signature},
#define EXPRESSION_AT EXPRESSION
#include "vocabulary/expressions.def"
};

using Signatures = std::vector<Signature>;

const std::map<std::string_view, Signatures>& Functions() {
  static const auto* const functions = [] {
    auto* map = new std::map<std::string_view, Signatures>();
    for (const Row& row : kRows) (*map)[row.function].push_back(Signature::Parse(row.signature));
    return map;
  }();
  return *functions;
}

Status CheckCount(const ExpressionSpec& spec, const Signatures& signatures, size_t count) {
  const size_t least = std::ranges::min(signatures, {}, &Signature::least).least();
  const size_t most = std::ranges::max(signatures, {}, &Signature::most).most();
  if (count >= least && count <= most) return Status::OK();
  const std::string expected = most == Signature::kAnyNumber ? fmt::format("at least {}", least)
                               : most == least               ? fmt::format("{}", least)
                                                             : fmt::format("{} to {}", least, most);
  return Status::Invalid(spec.function, " has ", count, " arguments; it takes ", expected);
}

std::string TypesText(const std::vector<DataType>& types) {
  std::string text;
  for (const DataType& type : types) text += (text.empty() ? "" : ", ") + type.ToString();
  return text;
}

}  // namespace

Status CheckSignature(const ExpressionSpec& spec, const std::vector<DataType>& arguments) {
  const auto found = Functions().find(spec.function);
  if (found == Functions().end()) {
    return Status::NotImplemented("there is no function \"", spec.function, "\"");
  }
  RETURN_NOT_OK(CheckCount(spec, found->second, arguments.size()));
  const bool fits = std::ranges::any_of(found->second, [&](const Signature& signature) {
    return signature.Takes(arguments, spec.type);
  });
  if (fits && (spec.function != "cast" || CanCast(arguments[0], spec.type))) return Status::OK();
  return Status::NotImplemented(spec.function, "(", TypesText(arguments), ") of type ",
                                spec.type.ToString(), " is not supported");
}

std::vector<std::string> FunctionNames() {
  std::vector<std::string> names;
  for (const auto& [name, signatures] : Functions()) names.emplace_back(name);
  return names;
}

}  // namespace reprise
