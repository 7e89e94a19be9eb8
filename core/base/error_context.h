// Where in the query's text a failing expression stands: what some of Spark's errors show.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

/// An error of Spark's that shows its expression's place in the query (Spark gives its exception a
/// QueryContext). The place is known by the key that the plan gives it.
class ErrorInContext : public SparkErrorDetail {
 public:
  using SparkErrorDetail::SparkErrorDetail;

  /// Nothing until an expression has said where it stands; "" where that is nowhere.
  const std::optional<std::string>& context() const { return context_; }
  void set_context(std::string context) { context_ = std::move(context); }

 private:
  std::optional<std::string> context_;
};

/// As SparkError, of an error that shows the place.
Status SparkErrorInContext(std::string condition, SparkErrorDetail::Parameters parameters,
                           std::string message);

/// The same Status, with the place of the expression that has raised it where its error shows one
/// and no expression further inside has said it.
Status WithContext(const Status& status, std::string_view context);

/// The key of the place that the error shows; "" where it shows none.
std::string ContextOf(const Status& status);

}  // namespace reprise
