#include "statements/sql_input.h"

#include <fmt/format.h>

#include <set>

#include "sql/sql_literal_text.h"
#include "statements/sql_value.h"

namespace reprise {

std::vector<std::string> DistinctNames(const std::vector<Field>& fields) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Field& field : fields) taken.insert(LowerCase(field.name));
  std::set<std::string> seen;
  for (const Field& field : fields) {
    std::string name = field.name;
    if (!seen.insert(LowerCase(name)).second) {
      size_t number = names.size();
      do {
        name = fmt::format("{}_{}", field.name, number++);
      } while (!taken.insert(LowerCase(name)).second);
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::string SqlItems(const std::vector<std::string>& columns, const std::vector<Field>& fields) {
  if (columns.empty()) return "1 AS no_column";
  std::string items;
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string name = SqlName(i < fields.size() ? fields[i].name : columns[i]);
    items += fmt::format("{}{}", i > 0 ? ", " : "", columns[i]);
    if (columns[i] != name) items += " AS " + name;
  }
  return items;
}

}  // namespace reprise
