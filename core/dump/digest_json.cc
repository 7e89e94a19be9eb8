#include "dump/digest_json.h"

#include <string>
#include <utility>

#include "dump/sealed_json.h"

namespace reprise {

nlohmann::json ToJson(const StreamDigest& digest) {
  nlohmann::json columns = nlohmann::json::array();
  for (const uint64_t column : digest.columns) columns.push_back(Hex(column));
  return {{"rows", digest.rows},
          {"ordered", Hex(digest.ordered)},
          {"unordered", Hex(digest.unordered)},
          {"columns", std::move(columns)}};
}

Result<StreamDigest> StreamDigestFromJson(const nlohmann::json& json) {
  const std::string place = "digest";
  if (!json.is_object()) return Status::Invalid(place, " must be an object");
  StreamDigest digest;
  ARROW_ASSIGN_OR_RAISE(digest.rows, IntegerMember(json, "rows", place));
  ARROW_ASSIGN_OR_RAISE(digest.ordered, HexMember(json, "ordered", place));
  ARROW_ASSIGN_OR_RAISE(digest.unordered, HexMember(json, "unordered", place));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* columns, ArrayMember(json, "columns", place));
  for (const auto& column : *columns) {
    uint64_t value = 0;
    if (!column.is_string() || !ParseHex(column.get_ref<const std::string&>(), &value)) {
      return Status::Invalid(place, ": columns must be texts of 16 hexadecimal digits");
    }
    digest.columns.push_back(value);
  }
  return digest;
}

}  // namespace reprise
