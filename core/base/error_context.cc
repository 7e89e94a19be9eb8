#include "base/error_context.h"

#include <memory>
#include <utility>

namespace reprise {

Status SparkErrorInContext(std::string condition, SparkErrorDetail::Parameters parameters,
                           std::string message) {
  return Status(arrow::StatusCode::Invalid, std::move(message),
                std::make_shared<ErrorInContext>(std::move(condition), std::move(parameters)));
}

Status WithContext(const Status& status, std::string_view context) {
  const auto* detail = dynamic_cast<const ErrorInContext*>(status.detail().get());
  if (detail == nullptr || detail->context().has_value()) return status;
  auto placed = std::make_shared<ErrorInContext>(*detail);
  placed->set_context(std::string(context));
  return status.WithDetail(std::move(placed));
}

std::string ContextOf(const Status& status) {
  const auto* detail = dynamic_cast<const ErrorInContext*>(status.detail().get());
  return detail == nullptr ? "" : detail->context().value_or("");
}

}  // namespace reprise
