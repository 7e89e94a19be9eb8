#include "base/status.h"

namespace reprise {

Status SparkError(std::string condition, SparkErrorDetail::Parameters parameters,
                  std::string message) {
  return Status(arrow::StatusCode::Invalid, std::move(message),
                std::make_shared<SparkErrorDetail>(std::move(condition), std::move(parameters)));
}

const SparkErrorDetail* SparkErrorOf(const Status& status) {
  return dynamic_cast<const SparkErrorDetail*>(status.detail().get());
}

Status WithPrefix(const Status& status, std::string_view prefix) {
  if (status.ok()) return status;
  return status.WithMessage(prefix, status.message());
}

}  // namespace reprise
