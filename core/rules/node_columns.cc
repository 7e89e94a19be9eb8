#include "rules/node_columns.h"

#include "rules/expression_translation.h"

namespace reprise {

std::vector<Field> ColumnsOf(const PlanNode& node) {
  std::vector<Field> columns;
  for (const PlanValue& value : node.output) {
    const auto attribute = AttributeOf(value);
    if (attribute) {
      columns.push_back({std::string(attribute->name), attribute->type, attribute->nullable});
    } else {
      columns.push_back({"", {TypeKind::kOther, 0, 0, "not a plain attribute"}, true});
    }
  }
  return columns;
}

std::string WhyColumnsUnreadable(const std::vector<Field>& columns) {
  for (const Field& column : columns) {
    if (!StoredType(column.type).is(TypeKind::kOther)) continue;
    return fmt::format("column {} has type {}, whose values are objects of the JVM", column.name,
                       TypeText(column.type));
  }
  return "";
}

}  // namespace reprise
