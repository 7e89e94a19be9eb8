#include "plan/string_literal.h"

#include <arrow/util/base64.h>

#include <nlohmann/json.hpp>

namespace reprise {

std::optional<std::string> StringLiteralBytes(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  const auto bytes = value.is_object() ? value.find("bytes") : value.end();
  if (bytes == value.end() || !bytes->is_string()) return std::nullopt;
  auto decoded = arrow::util::base64_decode(bytes->get_ref<const std::string&>());
  if (!decoded.ok()) return std::nullopt;
  return *std::move(decoded);
}

}  // namespace reprise
