#include "dump/raised_error.h"

#include <algorithm>
#include <regex>

#include "base/python_error.h"
#include "dump/sealed_json.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

std::string_view Trimmed(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Python tells the frames first, which are of the interpreter too, and the error in the last line.
bool IsPythons(std::string_view text) {
  return text.find(kTracebackHeading) != std::string_view::npos;
}

std::string_view ErrorLine(std::string_view text) {
  return IsPythons(text) ? PythonErrorLine(text) : Trimmed(text);
}

// Without what differs from one process to the next, and without the operator's name.
std::string Comparable(std::string_view text) {
  static const auto* const operator_name = new std::regex(R"(^\w+ \(LORE id \d+\): )");
  static const auto* const addresses = new std::regex(R"((0x|@|\$\$Lambda[$/]*)[0-9a-fx/]+)");
  const std::string line =
      std::regex_replace(std::string(ErrorLine(text)), *operator_name, std::string());
  return std::regex_replace(line, *addresses, "$1");
}

class RaisedErrorDetail : public arrow::StatusDetail {
 public:
  explicit RaisedErrorDetail(RaisedError error) : error_(std::move(error)) {}
  const char* type_id() const override { return "reprise::RaisedErrorDetail"; }
  std::string ToString() const override { return error_.Summary(); }
  const RaisedError& error() const { return error_; }

 private:
  RaisedError error_;
};

bool TellsAll(const std::string& text, const std::map<std::string, std::string>& parameters) {
  return std::ranges::all_of(parameters, [&](const auto& parameter) {
    return text.find(parameter.second) != std::string::npos;
  });
}

}  // namespace

bool RaisedError::IsAs(const RaisedError& other) const {
  if (condition != other.condition) return false;
  const bool is_hidden = text.empty() || other.text.empty();
  if (is_hidden) return !condition.empty();
  if (condition.empty() || (IsPythons(text) && IsPythons(other.text))) {
    return Comparable(text) == Comparable(other.text);
  }
  if (parameters == other.parameters) return true;
  return TellsAll(text, other.parameters) && TellsAll(other.text, parameters);
}

std::string RaisedError::Kind() const {
  if (!condition.empty()) return "[" + condition + "]";
  std::string kind;
  bool is_quoted = false;
  for (const char c : Comparable(text)) {
    if (c == '\'' || c == '"') is_quoted = !is_quoted;
    if (!is_quoted && (c < '0' || c > '9')) kind += c;
  }
  return kind;
}

std::string RaisedError::Summary() const {
  if (text.empty()) return condition.empty() ? "an error that is not told" : "[" + condition + "]";
  const std::string_view line = ErrorLine(text);
  return std::string(line.substr(0, line.find('\n')));
}

Status RaisedStatus(RaisedError error, std::string message) {
  return Status(arrow::StatusCode::ExecutionError, std::move(message),
                std::make_shared<RaisedErrorDetail>(std::move(error)));
}

RaisedError RaisedErrorOf(const Status& status) {
  if (auto* raised = dynamic_cast<const RaisedErrorDetail*>(status.detail().get())) {
    return raised->error();
  }
  RaisedError error;
  error.text = status.message();
  if (const SparkErrorDetail* detail = SparkErrorOf(status)) {
    error.condition = detail->condition();
    error.parameters.insert(detail->parameters().begin(), detail->parameters().end());
  }
  return error;
}

RaisedError WithoutValues(RaisedError error) {
  error.text.clear();
  error.parameters.clear();
  return error;
}

Json ToJson(const RaisedError& error) {
  Json json = Json::object();
  if (!error.condition.empty()) json["condition"] = error.condition;
  if (!error.parameters.empty()) json["parameters"] = error.parameters;
  if (!error.text.empty()) json["text"] = error.text;
  if (error.here) json["here"] = *error.here;
  return json;
}

Result<RaisedError> RaisedErrorFromJson(const Json& json, const std::string& place) {
  RaisedError error;
  if (!json.is_object()) return Status::Invalid(place, ": member \"error\" must be an object");
  for (const auto& [name, text] :
       {std::pair{"condition", &error.condition}, std::pair{"text", &error.text}}) {
    if (!json.contains(name)) continue;
    ARROW_ASSIGN_OR_RAISE(*text, StringMember(json, name, place));
  }
  if (json.contains("here")) {
    ARROW_ASSIGN_OR_RAISE(error.here, BooleanMember(json, "here", place));
  }
  if (!json.contains("parameters")) return error;
  ARROW_ASSIGN_OR_RAISE(const Json* parameters, ObjectMember(json, "parameters", place));
  for (const auto& [name, value] : parameters->items()) {
    ARROW_ASSIGN_OR_RAISE(error.parameters[name], StringMember(*parameters, name.c_str(), place));
  }
  return error;
}

RaisedError RaisedErrorFromText(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  return RaisedErrorFromJson(parsed, "error").ValueOr({});
}

}  // namespace reprise
