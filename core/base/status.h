// Errors. A user's or data's error is a Status (or Result); a programmer's error is a check
// (check.h).
#pragma once

#include <arrow/result.h>
#include <arrow/status.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace reprise {

using arrow::Result;
using arrow::Status;

/// An error that Spark has a name for, so that the plug-in can raise Spark's own exception:
/// `condition` is the error class ("DIVIDE_BY_ZERO"), `parameters` its message parameters in any
/// order. Names and parameters come from Spark's error-conditions.json.
class SparkErrorDetail : public arrow::StatusDetail {
 public:
  using Parameters = std::vector<std::pair<std::string, std::string>>;
  SparkErrorDetail(std::string condition, Parameters parameters)
      : condition_(std::move(condition)), parameters_(std::move(parameters)) {}

  const char* type_id() const override { return "reprise::SparkErrorDetail"; }
  std::string ToString() const override { return condition_; }
  const std::string& condition() const { return condition_; }
  const Parameters& parameters() const { return parameters_; }

 private:
  std::string condition_;
  Parameters parameters_;
};

/// A failing Status that carries Spark's error condition; `message` is what the core itself would
/// say.
Status SparkError(std::string condition, SparkErrorDetail::Parameters parameters,
                  std::string message);

/// The Spark condition that a Status carries, or nullptr.
const SparkErrorDetail* SparkErrorOf(const Status& status);

/// The same Status with `prefix` before its message; code and detail are kept.
Status WithPrefix(const Status& status, std::string_view prefix);

}  // namespace reprise
