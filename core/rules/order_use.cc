#include "rules/order_use.h"

#include <algorithm>
#include <unordered_set>

#include "rules/class_names.h"
#include "rules/expression_table.h"
#include "rules/guest_expressions.h"

namespace reprise {

namespace {

constexpr TypeSet kSmallIntegers = TypesOf({TypeKind::kByte, TypeKind::kShort});
/// Equal values are the same value: not so 0.0 and -0.0, of which a minimum is the first.
constexpr TypeSet kOneFaced = {kAllTypes.bits & ~kFloatingTypes.bits};

struct OrderFreeFunction {
  std::string_view name;
  TypeSet types;  ///< of its argument
};

/// Aggregate functions whose result does not depend on the order in which rows come. Additions of
/// floating-point numbers do, and an average of integers adds doubles: exact, whatever the order,
/// only below 2^53. Sums of integers and decimals are exact; in ANSI mode a sum that overflows on
/// the way and comes back fails in one order and not in another, as it does between Spark's tasks.
constexpr OrderFreeFunction kOrderFree[] = {
    {"Min", kOneFaced},
    {"Max", kOneFaced},
    {"Sum", kIntegralTypes | kDecimalTypes},
    {"Average", kSmallIntegers | kDecimalTypes},
};

bool IsOrderFree(const PlanObject& function) {
  const std::string_view name = ShortClassName(function.class_name);
  if (name == "Count") return true;
  const auto known = std::ranges::find(kOrderFree, name, &OrderFreeFunction::name);
  const PlanObject* argument = function.child(0);
  return known != std::end(kOrderFree) && argument != nullptr && argument->type &&
         known->types.has(*argument->type);
}

/// The table of native expressions has none that knows more than its row.
class RowwiseWalk {
 public:
  bool Visit(const PlanValue& value) {
    if (value.is(PlanValue::Kind::kList)) {
      return std::ranges::all_of(value.items, [&](const auto& item) { return Visit(item); });
    }
    return value.object != nullptr && Visit(*value.object);
  }

  bool VisitChildren(const PlanObject& object) {
    return std::ranges::all_of(object.children, [&](const auto& child) { return Visit(child); });
  }

 private:
  bool Visit(const PlanObject& object) {
    if (!seen_.insert(&object).second) return true;
    const bool is_known =
        FindExpressionRule(object.class_name) != nullptr || IsRowwiseCodeOfSparks(object);
    return is_known && VisitChildren(object);
  }

  std::unordered_set<const PlanObject*> seen_;
};

/// An aggregate's functions, what they compute on, and what is made of their results.
bool AggregatesInAnyOrder(const PlanNode& node) {
  const PlanValue* list = node.argument("aggregateExpressions");
  if (list == nullptr) return false;
  RowwiseWalk walk;
  for (const PlanValue& item : list->items) {
    const PlanObject* function = item.object != nullptr ? item.object->child(0) : nullptr;
    if (function == nullptr || !IsOrderFree(*function) || !walk.VisitChildren(*function)) {
      return false;
    }
    // Behind the function stands its filter.
    for (const PlanValue& filter : item.object->children.subspan(1)) {
      if (!walk.Visit(filter)) return false;
    }
  }
  return IsOfItsRowAlone(node.argument("resultExpressions"));
}

bool Always(const PlanNode&) { return true; }

template <const char* kArgument>
bool IsOfRows(const PlanNode& node) {
  return IsOfItsRowAlone(node.argument(kArgument));
}

constexpr char kCondition[] = "condition";
constexpr char kProjectList[] = "projectList";
constexpr char kProjections[] = "projections";

struct KnownUse {
  std::string_view name;
  OrderUse use;
  bool (*proved)(const PlanNode& node);  ///< else it needs the order
};

constexpr KnownUse kUses[] = {
    {"ShuffleExchangeExec", OrderUse::kForgets, Always},
    {"BroadcastExchangeExec", OrderUse::kForgets, Always},
    // Rows that it finds equal stay in their order.
    {"SortExec", OrderUse::kHandsOn, Always},
    {"HashAggregateExec", OrderUse::kForgets, AggregatesInAnyOrder},
    {"ObjectHashAggregateExec", OrderUse::kForgets, AggregatesInAnyOrder},
    {"FilterExec", OrderUse::kHandsOn, IsOfRows<kCondition>},
    {"ProjectExec", OrderUse::kHandsOn, IsOfRows<kProjectList>},
    {"ExpandExec", OrderUse::kHandsOn, IsOfRows<kProjections>},
    {"CartesianProductExec", OrderUse::kHandsOn, IsOfRows<kCondition>},
    // Run by hashing it groups rows that are not sorted, too; Spark's own has them sorted.
    {"SortAggregateExec", OrderUse::kHandsOn, AggregatesInAnyOrder},
};

}  // namespace

bool IsOfItsRowAlone(const PlanValue* argument) {
  return argument == nullptr || argument->is_null() || RowwiseWalk().Visit(*argument);
}

OrderUse OrderUseOf(const PlanNode& node) {
  const auto known = std::ranges::find(kUses, ShortClassName(node.class_name), &KnownUse::name);
  return known != std::end(kUses) && known->proved(node) ? known->use : OrderUse::kNeeds;
}

}  // namespace reprise
