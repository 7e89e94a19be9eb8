// Reads the plug-in's request:
// {"conf":{key:value},"pass":"tag"|"replace","known":STRING?,"query":STRING?,
// "execution":INTEGER?,"ledger":BOOLEAN?,"foretell":BOOLEAN?}.
#include "rules/planning.h"

namespace reprise {

namespace {

Result<std::string> OptionalString(const nlohmann::json& request, const char* member) {
  const auto found = request.find(member);
  if (found == request.end() || found->is_null()) return std::string();
  if (found->is_string()) return found->get<std::string>();
  return Status::SerializationError("plan request: member \"", member,
                                    "\" must be a string, found ", found->type_name());
}

Result<bool> OptionalBoolean(const nlohmann::json& request, const char* member) {
  const auto found = request.find(member);
  if (found == request.end()) return false;
  if (found->is_boolean()) return found->get<bool>();
  return Status::SerializationError("plan request: member \"", member,
                                    "\" must be a boolean, found ", found->type_name());
}

}  // namespace

Result<PlanRequest> PlanRequestFromJson(std::string_view request_json) {
  const auto json = nlohmann::json::parse(request_json, nullptr, false);
  if (!json.is_object()) return Status::SerializationError("plan request: not a JSON object");
  PlanRequest request;
  ARROW_ASSIGN_OR_RAISE(const std::string pass, OptionalString(json, "pass"));
  if (pass != "tag" && pass != "replace") {
    return Status::SerializationError(
        "plan request: member \"pass\" must be \"tag\" or \"replace\", found \"", pass, "\"");
  }
  request.pass = pass == "tag" ? PlanRequest::Pass::kTag : PlanRequest::Pass::kReplace;
  ConfigMap settings;
  if (json.contains("conf")) {
    ARROW_ASSIGN_OR_RAISE(settings, ConfigMapFromJson(json["conf"]));
  }
  ARROW_ASSIGN_OR_RAISE(request.config, ParseConfig(settings));
  if (json.contains("known") && !json["known"].is_null()) {
    ARROW_ASSIGN_OR_RAISE(request.known, OptionalString(json, "known"));
  }
  ARROW_ASSIGN_OR_RAISE(request.query, OptionalString(json, "query"));
  if (const auto execution = json.find("execution"); execution != json.end()) {
    if (!execution->is_number_integer()) {
      return Status::SerializationError(
          "plan request: member \"execution\" must be an integer, found ", execution->type_name());
    }
    request.execution = execution->get<int64_t>();
  }
  ARROW_ASSIGN_OR_RAISE(request.secret, OptionalString(json, "secret"));
  ARROW_ASSIGN_OR_RAISE(const bool ledger, OptionalBoolean(json, "ledger"));
  request.has_ledger = ledger && request.config.boolean("spark.reprise.ledger.enabled");
  ARROW_ASSIGN_OR_RAISE(request.foretells, OptionalBoolean(json, "foretell"));
  return request;
}

}  // namespace reprise
