// Spark's windows as specs have them (operators/window/window.h): keys and frames.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "rules/operator_translation.h"

namespace reprise {

/// The integer that a function's argument is.
std::optional<int64_t> LiteralInteger(const PlanObject* literal);

/// "partition" and "ordering" of a node's arguments, or nothing where the node has no such. What
/// has no native form is refused, and is missing here.
std::optional<nlohmann::json> WindowKeysJson(OperatorTranslation* translation,
                                             const PlanNode& node);

/// The parts of one of "windowExpression", an Alias of a WindowExpression(function,
/// WindowSpecDefinition(…, frame)); or nothing after it has been refused.
struct WindowedFunction {
  const PlanValue* function = nullptr;
  const PlanObject* frame = nullptr;  ///< or null
};
std::optional<WindowedFunction> FindWindowedFunction(OperatorTranslation* translation,
                                                     const PlanValue& item);

/// Translates the frames of functions over a window.
class FrameTranslation {
 public:
  /// `ordering`: as WindowKeysJson has it.
  FrameTranslation(const Config& config, nlohmann::json ordering, OperatorTranslation* translation)
      : ansi_(config.spark_boolean("spark.sql.ansi.enabled", true)),
        ordering_(std::move(ordering)),
        translation_(*translation) {}

  /// The frame of a function, or nothing after the function has been refused.
  std::optional<nlohmann::json> FrameJson(const PlanObject& function, const PlanObject* frame);

 private:
  void Refuse(const PlanObject& function, std::string reason);
  std::optional<nlohmann::json> BoundJson(const PlanObject& function, const PlanObject& bound,
                                          bool range);
  std::optional<ExpressionSpec> ValueBound(const PlanObject& function, const PlanObject& literal);

  const bool ansi_;
  const nlohmann::json ordering_;
  OperatorTranslation& translation_;
};

}  // namespace reprise
