#include "plan/plan_text.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "plan/date_text.h"

namespace reprise {

namespace {

struct Infix {
  std::string_view class_name;
  std::string_view symbol;
};

constexpr Infix kInfix[] = {
    {"And", "AND"},
    {"Or", "OR"},
    {"EqualTo", "="},
    {"EqualNullSafe", "<=>"},
    {"LessThan", "<"},
    {"GreaterThan", ">"},
    {"LessThanOrEqual", "<="},
    {"GreaterThanOrEqual", ">="},
    {"Add", "+"},
    {"Subtract", "-"},
    {"Multiply", "*"},
    {"Divide", "/"},
    {"Remainder", "%"},
    {"IntegralDivide", "div"},
};

/// Appends texts until they are as long as is wanted.
class Writer {
 public:
  void Expression(const PlanObject& object);
  void Value(const PlanValue& value);
  void List(std::span<const PlanValue> items, size_t first = 0);
  std::string Take();

 private:
  bool full() const { return text_.size() > kExpressionTextMax; }
  /// A column, value or call begins; false where there is no room for it.
  bool Begin() {
    if (full()) return false;
    whole_ = text_.size();
    return true;
  }
  bool Special(const PlanObject& object, std::string_view name);
  void Aggregate(const PlanObject& object);
  void Call(const PlanObject& object, std::string_view name);
  void Number(const PlanObject& object);

  std::string text_;
  size_t whole_ = 0;  // where what is to be cut off begins
};

/// No value is cut in two: half a secret would not be known for one when the text is redacted.
std::string Writer::Take() {
  if (!full()) return std::move(text_);
  text_.resize(whole_);
  return text_ + "...";
}

void Writer::List(std::span<const PlanValue> items, size_t first) {
  for (size_t i = first; i < items.size() && !full(); ++i) {
    if (i > first) text_ += ", ";
    Value(items[i]);
  }
}

void Writer::Value(const PlanValue& value) {
  using Kind = PlanValue::Kind;
  if (!Begin()) return;
  switch (value.kind) {
    case Kind::kNull:
      text_ += "null";
      return;
    case Kind::kBoolean:
      text_ += value.boolean ? "true" : "false";
      return;
    case Kind::kInteger:
      text_ += std::to_string(value.integer);
      return;
    case Kind::kList:
    case Kind::kMap:
      text_ += '[';
      List(value.items);
      text_ += ']';
      return;
    case Kind::kType:
      text_ += value.data_type->is_struct ? "struct" : value.data_type->type.ToString();
      return;
    case Kind::kObject:
      Expression(*value.object);
      return;
    case Kind::kPlan:
      text_ += "plan ";
      text_ += value.node->name;
      return;
    case Kind::kChild:
      text_ += fmt::format("child {}", value.integer);
      return;
    case Kind::kOpaque:
      text_ += ShortClassName(value.text);
      return;
    default:
      text_ += value.text;
  }
}

void Writer::Number(const PlanObject& object) {
  const int64_t expr_id = ExprIdOf(object.argument("exprId"));
  if (expr_id >= 0) text_ += fmt::format("#{}", expr_id);
}

void Writer::Aggregate(const PlanObject& object) {
  const PlanValue* mode = object.argument("mode");
  if (mode != nullptr && mode->text == "Partial") text_ += "partial_";
  if (mode != nullptr && mode->text == "PartialMerge") text_ += "merge_";
  if (object.child(0) != nullptr) Expression(*object.child(0));
  if (object.children.size() > 1) {
    text_ += " FILTER (WHERE ";
    Value(object.children[1]);
    text_ += ')';
  }
}

bool Writer::Special(const PlanObject& object, std::string_view name) {
  const auto children = object.children;
  const auto infix = std::ranges::find(kInfix, name, &Infix::class_name);
  if (infix != std::end(kInfix) && children.size() == 2) {
    text_ += '(';
    Value(children[0]);
    text_ += fmt::format(" {} ", infix->symbol);
    Value(children[1]);
    text_ += ')';
  } else if (name == "AttributeReference") {
    if (const PlanValue* column = object.argument("name")) text_ += column->text;
    Number(object);
  } else if (name == "Literal") {
    const PlanValue* value = object.argument("value");
    if (value == nullptr) return false;
    if (object.type && object.type->is(TypeKind::kDate) && value->is(PlanValue::Kind::kInteger)) {
      text_ += DateText(value->integer);
    } else {
      Value(*value);
    }
  } else if (name == "NamedLambdaVariable") {
    if (const PlanValue* variable = object.argument("name")) text_ += variable->text;
  } else if (name == "LambdaFunction" && !children.empty()) {
    text_ += '(';
    List(children, 1);
    text_ += ") -> ";
    Value(children[0]);
  } else if (name == "Alias" && children.size() == 1) {
    Value(children[0]);
    text_ += " AS ";
    if (const PlanValue* column = object.argument("name")) text_ += column->text;
    Number(object);
  } else if (name == "Cast" && children.size() == 1 && object.type) {
    text_ += "cast(";
    Value(children[0]);
    text_ += " as " + object.type->ToString() + ")";
  } else if (name == "Not" && children.size() == 1) {
    text_ += "NOT ";
    Value(children[0]);
  } else if (name == "In" && !children.empty()) {
    Value(children[0]);
    text_ += " IN (";
    List(children, 1);
    text_ += ')';
  } else if (name == "InSet" && !children.empty()) {
    Value(children[0]);
    text_ += " INSET ";
    if (const PlanValue* set = object.argument("hset")) Value(*set);
  } else if (name == "AggregateExpression") {
    Aggregate(object);
  } else {
    return false;
  }
  return true;
}

void Writer::Call(const PlanObject& object, std::string_view name) {
  for (const char c : name) {
    text_ += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  text_ += '(';
  if (!object.children.empty()) {
    List(object.children);
  } else {
    bool first = true;
    for (const auto& [argument_name, value] : object.arguments) {
      if (full()) break;
      if (!first) text_ += ", ";
      Value(value);
      first = false;
    }
  }
  text_ += ')';
}

void Writer::Expression(const PlanObject& object) {
  if (!Begin()) return;
  const std::string_view name = ShortClassName(object.class_name);
  if (!Special(object, name)) Call(object, name);
}

/// Prints each node once: a second visit says only where it stands.
class TreeWriter {
 public:
  void Node(const PlanNode& node, int level, std::string_view lead) {
    text_.append(static_cast<size_t>(level) * 2, ' ');
    text_ += lead;
    text_ += node.name;
    if (node.lore_id != 0) text_ += fmt::format(" [loreId={}]", node.lore_id);
    if (!seen_.insert(&node).second) {
      text_ += fmt::format(" (node {}, as above)\n", node.id);
      return;
    }
    for (const auto& [name, value] : node.arguments) {
      if (value.is(PlanValue::Kind::kObject) || value.is(PlanValue::Kind::kList)) {
        text_ += fmt::format(" {}={}", name, ValueText(value));
      }
    }
    text_ += '\n';
    for (const auto& [name, value] : node.arguments) Plans(value, level + 1);
    for (const PlanNode* child : node.children) Node(*child, level + 1, "+- ");
  }
  std::string Take() { return std::move(text_); }

 private:
  void Plans(const PlanValue& value, int level) {
    if (value.is(PlanValue::Kind::kPlan)) Node(*value.node, level, "plan: ");
    for (const PlanValue& item : value.items) Plans(item, level);
    if (value.object == nullptr || !objects_.insert(value.object).second) return;
    for (const auto& [name, argument] : value.object->arguments) Plans(argument, level);
    for (const PlanValue& child : value.object->children) Plans(child, level);
  }

  std::string text_;
  std::set<const PlanNode*> seen_;
  std::set<const PlanObject*> objects_;
};

}  // namespace

std::string ExpressionText(const PlanObject& expression) {
  Writer writer;
  writer.Expression(expression);
  return writer.Take();
}

std::string ValueText(const PlanValue& value) {
  Writer writer;
  writer.Value(value);
  return writer.Take();
}

std::string TreeText(const PlanDocument& plan) {
  TreeWriter writer;
  writer.Node(plan.root(), 0, "");
  return writer.Take();
}

}  // namespace reprise
