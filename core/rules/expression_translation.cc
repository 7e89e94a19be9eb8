#include "rules/expression_translation.h"

#include <algorithm>
#include <set>
#include <utility>

#include "plan/nested_type.h"
#include "plan/plan_text.h"
#include "rules/expression_table.h"
#include "rules/guest_expressions.h"
#include "vocabulary/casts.h"

namespace reprise {

namespace {

constexpr size_t kRefusalTextMax = 200;

std::string ShortText(const PlanObject& expression) {
  std::string text = ExpressionText(expression);
  if (text.size() <= kRefusalTextMax) return text;
  size_t end = kRefusalTextMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

bool CountFits(const Signature& signature, size_t count) {
  return count >= signature.least() && count <= signature.most();
}

bool TypesFit(const Signature& signature, std::span<const ExpressionSpec> operands,
              const DataType& result) {
  std::vector<DataType> types;
  for (const ExpressionSpec& operand : operands) types.push_back(operand.type);
  return signature.Takes(types, result);
}

/// "int and bigint", "boolean, int and string".
std::string TypesText(std::span<const ExpressionSpec> operands) {
  std::string text;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) text += i + 1 == operands.size() ? " and " : ", ";
    text += TypeText(operands[i].type);
  }
  return text;
}

/// What gives most values of a guest, of several conditions their conjunction.
std::optional<ExpressionSpec> TrialOf(std::span<const PlanObject* const> conditions,
                                      ExpressionTranslator translator) {
  std::optional<ExpressionSpec> all;
  for (const PlanObject* condition : conditions) {
    auto one = translator.Translate(*condition);
    if (!one) return std::nullopt;
    all = all ? Both(*std::move(all), *std::move(one)) : *std::move(one);
  }
  return all;
}

}  // namespace

void Binding::Add(int64_t expr_id, Field field) {
  index_by_expr_id_.emplace(expr_id, static_cast<int>(fields_.size()));
  fields_.push_back(std::move(field));
}

void Binding::Append(const Binding& other) {
  const int first = static_cast<int>(fields_.size());
  fields_.insert(fields_.end(), other.fields_.begin(), other.fields_.end());
  for (const auto& [expr_id, index] : other.index_by_expr_id_) {
    index_by_expr_id_.emplace(expr_id, first + index);
  }
}

int Binding::IndexOf(int64_t expr_id) const {
  const auto found = index_by_expr_id_.find(expr_id);
  return found == index_by_expr_id_.end() ? -1 : found->second;
}

bool IsNativeType(const DataType& type) {
  return !type.is(TypeKind::kOther) && !type.is(TypeKind::kNull);
}

bool CanTravel(const DataType& type) { return !StoredType(type).is(TypeKind::kOther); }

bool IsKeyType(const DataType& type) {
  return CanTravel(type) && !type.is(TypeKind::kNull) &&
         type.text.find("collate ") == std::string::npos;
}

bool IsHashable(const DataType& type) {
  if (IsNativeType(type)) return true;
  // Of calendar intervals Spark's generated code hashes other parts than its interpreter.
  const bool has_calendar_interval =
      IsCalendarInterval(type) || type.text.find("\"interval\"") != std::string::npos;
  return IsKeyType(type) && !has_calendar_interval && ParseNestedType(type).has_value();
}

std::string TypeText(const DataType& type) {
  if (!type.is(TypeKind::kOther) || !type.text.starts_with('{')) return type.ToString();
  const auto json = nlohmann::json::parse(type.text, nullptr, false);
  if (!json.is_object() || !json.contains("type") || !json["type"].is_string()) return "unknown";
  const auto& name = json["type"].get_ref<const std::string&>();
  return name == "udt" ? "a user-defined type" : name;
}

Result<Binding> BindingOf(std::span<const PlanValue> attributes) {
  Binding binding;
  for (const PlanValue& value : attributes) {
    const auto attribute = AttributeOf(value);
    if (!attribute) {
      return Status::NotImplemented("a column is not a plain attribute: ", ValueText(value));
    }
    if (!CanTravel(attribute->type)) {
      return Status::NotImplemented("column ", attribute->name, " has type ",
                                    TypeText(attribute->type), ", which has no native form");
    }
    binding.Add(attribute->expr_id,
                {std::string(attribute->name), attribute->type, attribute->nullable});
  }
  return binding;
}

std::nullopt_t ExpressionTranslator::Refuse(const PlanObject& expression, std::string reason) {
  Refusal refusal{std::string(ShortClassName(expression.class_name)), ShortText(expression),
                  std::move(reason)};
  if (std::ranges::find(refusals_, refusal) == refusals_.end()) {
    refusals_.push_back(std::move(refusal));
  }
  return std::nullopt;
}

std::optional<ExpressionSpec> ExpressionTranslator::Translate(const PlanValue& value) {
  if (value.object != nullptr) return Translate(*value.object);
  refusals_.push_back({"argument", ValueText(value), "it is not an expression"});
  return std::nullopt;
}

std::optional<ExpressionSpec> ExpressionTranslator::Translate(const PlanObject& expression) {
  if (guests_ == nullptr) return TranslateNatively(expression);
  const size_t guests = guests_->size();
  std::vector<Refusal> before = std::exchange(refusals_, {});
  auto spec = TranslateNatively(expression);
  std::vector<Refusal> refused = std::exchange(refusals_, std::move(before));
  if (spec) return spec;
  // What stands in it goes along, with its reasons.
  for (size_t i = guests; i < guests_->size(); ++i) {
    const auto& reasons = (*guests_)[i].refusals;
    refused.insert(refused.end(), reasons.begin(), reasons.end());
  }
  guests_->resize(guests);
  const PlanObject* const alone[] = {&expression};
  if (auto guest = TranslateAsGuest(alone, refused)) return guest;
  for (Refusal& refusal : refused) {
    if (std::ranges::find(refusals_, refusal) == refusals_.end()) {
      refusals_.push_back(std::move(refusal));
    }
  }
  return std::nullopt;
}

std::optional<ExpressionSpec> ExpressionTranslator::TranslateAsGuest(
    std::span<const PlanObject* const> conditions, std::vector<Refusal> refusals) {
  if (guests_ == nullptr) return std::nullopt;
  Guest guest;
  guest.expression =
      conditions.size() > 1 ? "And" : std::string(ShortClassName(conditions[0]->class_name));
  guest.column.name = fmt::format("guest{}", guests_->size() + 1);
  guest.column.nullable = false;
  std::set<int> reads;
  std::vector<std::string> texts;
  for (const PlanObject* condition : conditions) {
    const auto columns = ColumnsOfGuest(*condition, binding_);
    if (!columns) return std::nullopt;
    reads.insert(columns->begin(), columns->end());
    guest.ids.push_back(*condition->id);
    guest.column.type = *condition->type;
    guest.column.nullable |= condition->nullable;
    texts.push_back(ShortText(*condition));
  }
  guest.text = fmt::format("{}", fmt::join(texts, " AND "));
  guest.trial = TrialOf(conditions, ForTrials());
  guest.reads.assign(reads.begin(), reads.end());
  guest.refusals = std::move(refusals);
  const auto index = static_cast<int>(binding_.fields().size() + guests_->size());
  guests_->push_back(std::move(guest));
  return ColumnSpec(index, guests_->back().column);
}

/// Of a call of a method, the method: "Class#method". An object whose method is called is a literal
/// where Spark has put the call in the place of a function.
std::string NameOfRule(const PlanObject& expression) {
  const PlanValue* method = expression.argument("functionName");
  if (method == nullptr) return std::string(expression.class_name);
  if (const PlanValue* called = expression.argument("calledClass")) {
    return fmt::format("{}#{}", called->text, method->text);
  }
  const PlanObject* target = expression.child(0);
  const PlanValue* object = target != nullptr ? target->argument("value") : nullptr;
  if (object == nullptr || object->object == nullptr) return std::string(expression.class_name);
  return fmt::format("{}#{}", object->object->class_name, method->text);
}

const ExpressionRule* ExpressionTranslator::RuleOf(const PlanObject& expression) const {
  const std::string name = NameOfRule(expression);
  const ExpressionRule* native = FindExpressionRule(name);
  const ExpressionRule* tried = is_for_trials_ ? FindTriedRule(name) : nullptr;
  if (native == nullptr || tried == nullptr) return native != nullptr ? native : tried;
  // A cast.
  const PlanObject* child = expression.child(0);
  if (child == nullptr || !child->type || !expression.type) return native;
  return CanCast(*child->type, *expression.type) ? native : tried;
}

std::optional<ExpressionSpec> ExpressionTranslator::TranslateNatively(
    const PlanObject& expression) {
  if (expression.depth > kDepthMax) {
    return Refuse(expression, fmt::format("it is nested deeper than {} levels", kDepthMax));
  }
  const ExpressionRule* rule = RuleOf(expression);
  if (rule == nullptr) return Refuse(expression, ReasonWithoutRule(expression.class_name));
  // Every operand is looked at, so that explain names all that stands in the way.
  std::vector<ExpressionSpec> operands;
  std::vector<TypeSet> allowed;
  bool complete = true;
  for (size_t i = 0; i < expression.children.size(); ++i) {
    if (rule->signature.IsAside(i)) continue;
    std::vector<Guest>* const guests = guests_;
    if (!IsAlwaysEvaluated(expression, i)) guests_ = nullptr;
    auto operand = Translate(expression.children[i]);
    guests_ = guests;
    complete &= operand.has_value();
    if (!operand) continue;
    operands.push_back(std::move(*operand));
    allowed.push_back(rule->signature.TypesAt(i));
  }
  if (!complete) return std::nullopt;
  if (!expression.type || !CanTravel(*expression.type)) {
    return Refuse(expression, expression.type
                                  ? "type " + TypeText(*expression.type) + " has no native form"
                                  : "its type is not known");
  }
  if (!CountFits(rule->signature, operands.size())) {
    return Refuse(expression, "it has a wrong number of operands");
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (allowed[i].has(operands[i].type)) continue;
    return Refuse(expression, TypeText(operands[i].type) + " operands are not supported natively");
  }
  if (!TypesFit(rule->signature, operands, *expression.type)) {
    return Refuse(expression,
                  fmt::format("operands of {} are not supported natively", TypesText(operands)));
  }
  return rule->write(*rule, expression, std::move(operands), *this);
}

}  // namespace reprise
