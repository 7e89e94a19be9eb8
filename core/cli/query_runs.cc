#include "cli/query_runs.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/jvm.h"
#include "dump/file.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kMainClass = "reprise.replay.QueryRuns";

}  // namespace

Result<std::map<std::string, std::optional<std::string>>> RunQuery(
    const SparkEngine& engine, const QueryToRun& query, const std::vector<QueryRun>& runs,
    const std::string& work) {
  const fs::path request = fs::path(work) / "request.json";
  const fs::path answer = fs::path(work) / "answer.json";
  Json of_runs = Json::array();
  for (const QueryRun& run : runs) of_runs.push_back({{"name", run.name}, {"conf", run.conf}});
  std::error_code error;
  fs::remove(answer, error);
  std::ofstream file(request, std::ios::trunc);
  file << Json{{"statements", query.statements},
               {"tables", query.tables},
               {"conf", query.conf},
               {"runs", of_runs},
               {"answer", answer.string()}};
  file.close();
  if (!file) return Status::IOError(request.string(), ": cannot be written");

  ARROW_ASSIGN_OR_RAISE(JvmCommand command, SparkJvm(engine, kMainClass));
  command.arguments = {request.string()};
  ARROW_ASSIGN_OR_RAISE(const int status, RunJvm(command));
  if (status != 0) return Status::Invalid("the query could not be run; see above");
  ARROW_ASSIGN_OR_RAISE(const std::string text, ReadWholeFile(answer.string()));
  const Json outcomes = Json::parse(text, nullptr, false);
  if (!outcomes.is_object()) return Status::Invalid(answer.string(), " is not what the JVM writes");
  std::map<std::string, std::optional<std::string>> errors;
  for (const auto& [name, message] : outcomes.items()) {
    errors[name] = message.is_string() ? std::optional(message.get<std::string>()) : std::nullopt;
  }
  return errors;
}

}  // namespace reprise
