#include "scan/column_names.h"

#include <arrow/compute/exec.h>
#include <arrow/compute/initialize.h>
#include <arrow/scalar.h>

#include <algorithm>

namespace reprise {

namespace {

/// String.toLowerCase(Locale.ROOT).
Result<std::string> LowerCase(const std::string& text) {
  const bool ascii = std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; });
  if (ascii) {
    std::string lower = text;
    for (char& c : lower) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
  }
  RETURN_NOT_OK(arrow::compute::Initialize());
  ARROW_ASSIGN_OR_RAISE(const arrow::Datum lower,
                        arrow::compute::CallFunction("utf8_lower", {arrow::MakeScalar(text)}));
  return std::string(lower.scalar_as<arrow::StringScalar>().view());
}

}  // namespace

Result<std::vector<size_t>> PlacesOfName(const std::vector<std::string>& names,
                                         const std::string& name, bool case_sensitive) {
  std::string wanted = name;
  if (!case_sensitive) {
    ARROW_ASSIGN_OR_RAISE(wanted, LowerCase(name));
  }
  std::vector<size_t> places;
  for (size_t i = 0; i < names.size(); ++i) {
    std::string candidate = names[i];
    if (!case_sensitive) {
      ARROW_ASSIGN_OR_RAISE(candidate, LowerCase(candidate));
    }
    if (candidate == wanted) places.push_back(i);
  }
  return places;
}

}  // namespace reprise
