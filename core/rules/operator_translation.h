// What the rules of operators share: the binding of the input, the output's fields, and the
// judgement being made.
#pragma once

#include <optional>

#include "rules/expression_translation.h"
#include "rules/operator_table.h"

namespace reprise {

/// Whether Spark evaluates first what stands in a list of expressions more than once, behind AND
/// and OR too. Where it passes over these, nothing is: only the choice among errors may differ
/// then. `can_be_off`: the generated code of aggregates does not ask whether it is enabled.
bool HasCommonSubexpressions(const Config& config, bool can_be_off = true);

/// Whether Spark generates code for the node together with its neighbours: with no more columns in
/// or out than that is done for (CollapseCodegenStages).
bool IsGenerated(const OperatorQuestion& question);

/// The translation of an operator, of one child for most.
class OperatorTranslation {
 public:
  /// Reads the columns of the children and of the operator itself; where they have no native form,
  /// or there are not `child_count` children, ok() is false and the judgement says so.
  explicit OperatorTranslation(const OperatorQuestion& question, size_t child_count = 1);

  bool ok() const { return judgement_.reasons.empty(); }
  NativeOperator& native() { return *judgement_.native; }
  Judgement& judgement() { return judgement_; }
  /// The columns of all children, one child's after the other's.
  const Binding& input() const { return input_; }
  const Binding& input_of(size_t child) const { return inputs_[child]; }
  bool is_before_spark_4() const { return IsBeforeSpark4(spark_version_); }
  bool is_before_spark_4_1() const { return IsBeforeSpark41(spark_version_); }
  bool is_before_spark_4_2() const { return IsBeforeSpark42(spark_version_); }
  /// Of the plan: "2.13.17".
  std::string_view scala_version() const { return scala_version_; }

  /// From now on what Translate(expression) and TranslateKeysOf find no native form for may be a
  /// guest, which Spark evaluates below: of an operator that evaluates its expressions for every
  /// row of its one child, or its keys for every row of either.
  void AllowGuests();
  bool may_have_guests() const { return may_have_guests_; }

  /// Translates an expression over the children's output and notes it as accepted or refused.
  std::optional<ExpressionSpec> Translate(const PlanValue& expression) {
    return Translate(expression, input_, GuestsBelow());
  }
  /// The same over other columns, such as an aggregate's results.
  std::optional<ExpressionSpec> Translate(const PlanValue& expression, const Binding& binding) {
    return Translate(expression, binding, nullptr);
  }
  /// An expression by which rows are grouped or matched.
  std::optional<ExpressionSpec> TranslateKey(const PlanValue& expression) {
    return TranslateKey(expression, input_);
  }
  std::optional<ExpressionSpec> TranslateKey(const PlanValue& expression, const Binding& binding);
  /// Those of `keys` that have a native form, as a JSON list.
  nlohmann::json TranslateKeys(std::span<const PlanValue> keys, const Binding& binding);
  /// The same over the columns of one child, and what Spark evaluates on them.
  nlohmann::json TranslateKeysOf(size_t child, std::span<const PlanValue> keys);
  /// The columns of all children, each child's with its guests behind them.
  Binding InputWithGuests() const;
  /// The same as TranslateAll over what the operator computes, its columns `binding`. Where Spark
  /// evaluates some of it, the operator gives those columns, and `native().results` stands above.
  nlohmann::json TranslateResults(const PlanValue& list, const Binding& binding);
  /// Those of `expressions` that have a native form, as a JSON list.
  nlohmann::json TranslateAll(std::span<const PlanValue> expressions) {
    return TranslateAll(expressions, input_, GuestsBelow());
  }
  nlohmann::json TranslateAll(std::span<const PlanValue> expressions, const Binding& binding) {
    return TranslateAll(expressions, binding, nullptr);
  }
  /// The expression where it has a native form; notes nothing.
  std::optional<ExpressionSpec> TryNatively(const PlanObject& expression) const {
    return TryNatively(expression, input_);
  }
  std::optional<ExpressionSpec> TryNatively(const PlanObject& expression,
                                            const Binding& binding) const {
    return TranslatorOf(binding).Translate(expression);
  }
  /// Conditions, all of which a row must fulfil, as one guest; noted as refused where they cannot
  /// be one.
  std::optional<ExpressionSpec> TranslateAsGuest(std::span<const PlanObject* const> conditions);
  /// A condition that Spark evaluates for pairs of rows of the children, whose columns `binding`
  /// is; nothing where it cannot, or guests are not allowed.
  std::optional<Guest> GuestOfPairs(const PlanObject& condition, const Binding& binding) const;

  /// The judgement: native unless something was refused.
  Judgement Take();

 private:
  ExpressionTranslator TranslatorOf(const Binding& binding,
                                    std::vector<Guest>* guests = nullptr) const {
    return ExpressionTranslator(binding, &config_, guests, spark_version_);
  }
  void Note(const ExpressionTranslator& translator);
  /// Where what is evaluated over all columns of the input may have guests; or null.
  std::vector<Guest>* GuestsBelow() {
    return may_have_guests_ && inputs_.size() == 1 ? &native().guests[0] : nullptr;
  }
  std::optional<ExpressionSpec> KeyOf(const PlanValue& expression,
                                      std::optional<ExpressionSpec> spec);
  std::optional<ExpressionSpec> Translate(const PlanValue& expression, const Binding& binding,
                                          std::vector<Guest>* guests);
  nlohmann::json TranslateAll(std::span<const PlanValue> expressions, const Binding& binding,
                              std::vector<Guest>* guests);

  Judgement judgement_;
  const Config& config_;
  std::string_view spark_version_;
  std::string_view scala_version_;
  Binding input_;
  std::vector<Binding> inputs_;  // by child
  bool may_have_guests_ = false;
};

}  // namespace reprise
