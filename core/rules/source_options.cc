#include "rules/source_options.h"

#include <algorithm>
#include <cctype>

namespace reprise {

bool EqualIgnoringCase(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  });
}

const PlanValue* FindOption(const PlanValue* options, std::string_view name) {
  const PlanValue* found = nullptr;
  if (options == nullptr) return found;
  const auto& items = options->items;
  for (size_t i = 0; i + 1 < items.size(); i += 2) {
    if (EqualIgnoringCase(items[i].text, name)) found = &items[i + 1];
  }
  return found;
}

}  // namespace reprise
