// Writes Spark's expressions as specs of the native ones, bound to an operator's input, or says why
// not.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/config.h"
#include "plan/plan.h"
#include "plan/spec.h"

namespace reprise {

/// Whether what Spark 4 made otherwise is still as in 3.5. `spark_version`: "4.1.3".
inline bool IsBeforeSpark4(std::string_view spark_version) {
  return spark_version.starts_with("3.");
}

/// The same of Spark 4.1 and what is as in 4.0.
inline bool IsBeforeSpark41(std::string_view spark_version) {
  return IsBeforeSpark4(spark_version) || spark_version.starts_with("4.0.");
}

/// The same of Spark 4.2 and what is as in 4.1.
inline bool IsBeforeSpark42(std::string_view spark_version) {
  return IsBeforeSpark41(spark_version) || spark_version.starts_with("4.1.");
}

/// An expression that cannot run natively.
struct Refusal {
  std::string expression;  ///< short class name: "Cast"
  std::string text;        ///< as Spark prints it, cut where it is long
  std::string reason;      ///< "string to double is not supported natively"

  bool operator==(const Refusal&) const = default;
};

/// Attributes by exprId, and the columns of the input that they name.
class Binding {
 public:
  /// Adds the next column. Of two columns with one exprId the first is meant, as in Spark's
  /// BindReferences.
  void Add(int64_t expr_id, Field field);
  /// Adds a column that no attribute names.
  void AddUnnamed(Field field) { fields_.push_back(std::move(field)); }
  /// Adds the columns of another one.
  void Append(const Binding& other);
  const std::vector<Field>& fields() const { return fields_; }
  /// The column's index, or -1.
  int IndexOf(int64_t expr_id) const;

 private:
  std::vector<Field> fields_;
  std::unordered_map<int64_t, int> index_by_expr_id_;
};

/// Types that native expressions compute with: all but void and nested, interval, variant, user and
/// collated ones.
bool IsNativeType(const DataType& type);

/// Types whose columns pass through native operators, as the bytes of Spark's rows where they are
/// not native ones: all but those whose values are objects of the JVM.
bool CanTravel(const DataType& type);

/// Whether equal values of a type that can travel are the same bytes: not where strings in it
/// compare by a collation.
bool IsKeyType(const DataType& type);

/// Whether values of the type have a hash that is made of their bytes, as Spark's.
bool IsHashable(const DataType& type);

/// The type for messages: as ToString, but "struct", "array" and the like for nested ones.
std::string TypeText(const DataType& type);

/// The columns of an operator's input or output. Status::NotImplemented names a column whose type
/// cannot travel.
Result<Binding> BindingOf(std::span<const PlanValue> attributes);

/// An expression without a native form that Spark evaluates for a native operator: a column more in
/// the operator's input.
struct Guest {
  /// The expression's number in the plan's document; those of several: their conjunction.
  std::vector<int64_t> ids;
  std::string expression;  ///< as in Refusal
  std::string text;        ///< as in Refusal
  Field column;
  std::vector<int> reads;         ///< columns of the input, ascending
  std::vector<Refusal> refusals;  ///< of what stands in it, or of itself: why it is one
  /// What gives most of its values without Spark, over the same input; nothing where there is none.
  std::optional<ExpressionSpec> trial;
  bool is_tried() const { return trial.has_value(); }
};

struct ExpressionRule;

/// Translates expressions over one input, by the table in expression_table.h.
class ExpressionTranslator {
 public:
  /// Expressions with more levels are refused, so that nothing that walks them can exhaust a task's
  /// stack.
  static constexpr int kDepthMax = 200;

  /// `guests`: where expressions without a native form go that Spark can evaluate; null: they are
  /// refused. `spark_version`: of the plan.
  explicit ExpressionTranslator(const Binding& binding, const Config* config = nullptr,
                                std::vector<Guest>* guests = nullptr,
                                std::string_view spark_version = {})
      : binding_(binding), config_(config), guests_(guests), spark_version_(spark_version) {}

  /// One that translates guests, too, as far as the core is sure of their values.
  ExpressionTranslator ForTrials() const {
    ExpressionTranslator trials(binding_, config_, nullptr, spark_version_);
    trials.is_for_trials_ = true;
    return trials;
  }

  /// The expression as a spec, or nothing; then refusals() has grown.
  std::optional<ExpressionSpec> Translate(const PlanObject& expression);
  /// The same for an argument, which must hold an expression.
  std::optional<ExpressionSpec> Translate(const PlanValue& value);

  /// Conditions, all of which a row must fulfil, as one guest; nothing where one cannot be a guest,
  /// or guests are not wanted. `refusals`: why they are not native.
  std::optional<ExpressionSpec> TranslateAsGuest(std::span<const PlanObject* const> conditions,
                                                 std::vector<Refusal> refusals);

  /// Everything that was refused, each refusal once.
  const std::vector<Refusal>& refusals() const { return refusals_; }

  /// For the rules: notes why `expression` is refused; returns nothing.
  std::nullopt_t Refuse(const PlanObject& expression, std::string reason);

  const Binding& binding() const { return binding_; }

  bool is_before_spark_4() const { return IsBeforeSpark4(spark_version_); }

  /// The field in which from_json keeps what it cannot read.
  std::string name_of_corrupt_records() const {
    constexpr const char* kDefault = "_corrupt_record";
    return config_ == nullptr
               ? kDefault
               : std::string(config_->spark("spark.sql.columnNameOfCorruptRecord", kDefault));
  }

  /// Dates become text by java.text, on the hybrid calendar.
  bool has_legacy_dates() const {
    return config_ != nullptr &&
           config_->spark("spark.sql.legacy.timeParserPolicy", "CORRECTED") == "LEGACY";
  }

 private:
  std::optional<ExpressionSpec> TranslateNatively(const PlanObject& expression);
  const ExpressionRule* RuleOf(const PlanObject& expression) const;

  const Binding& binding_;
  const Config* config_;
  std::vector<Guest>* guests_;
  std::string_view spark_version_;
  bool is_for_trials_ = false;
  std::vector<Refusal> refusals_;
};

}  // namespace reprise
