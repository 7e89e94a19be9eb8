// reprise explain: what of a plan would run natively, from the plan JSON that the plug-in writes
// (reprise.Explain.planJson in Spark); or what did run natively, from an application's event log.
#include "cli/cmd_explain.h"

#include <fstream>
#include <iostream>
#include <iterator>

#include "cli/explain_log.h"
#include "cli/not_negative.h"
#include "plan/plan.h"
#include "plan/plan_text.h"
#include "rules/planner.h"

namespace reprise {

namespace {

struct ExplainOptions {
  std::string file;
  std::vector<std::string> conf;
  int64_t sql = -1;
  bool not_native = false;
  bool json = false;
  bool tree = false;
};

Result<std::string> ReadAll(const std::string& file) {
  if (file == "-") {
    return std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return Status::IOError("cannot read ", file, ": ", std::strerror(errno));
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (stream.bad()) return Status::IOError("cannot read ", file, ": ", std::strerror(errno));
  return text;
}

Result<nlohmann::json> RequestOf(const ExplainOptions& options) {
  nlohmann::json conf = nlohmann::json::object();
  for (const std::string& setting : options.conf) {
    const size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      return Status::Invalid("--conf ", setting, ": expected KEY=VALUE");
    }
    conf[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  conf["spark.reprise.sql.explain"] = options.not_native ? "NOT_NATIVE" : "ALL";
  conf.erase("spark.rapids.sql.explain");
  return nlohmann::json{{"conf", conf}, {"pass", options.json ? "replace" : "tag"}};
}

// The options that belong to one of the two inputs alone are refused with the other.
Result<int> ExplainEventLog(const ExplainOptions& options) {
  if (options.tree || !options.conf.empty()) {
    return Status::Invalid("--tree and --conf need plan JSON; ", options.file,
                           " is an event log, whose plans are decided");
  }
  return ExplainLog({options.file,
                     options.sql < 0 ? std::nullopt : std::optional<int64_t>(options.sql),
                     options.not_native, options.json});
}

Result<int> ExplainFile(const ExplainOptions& options) {
  if (options.file != "-" && IsEventLog(options.file)) return ExplainEventLog(options);
  if (options.sql >= 0) {
    return Status::Invalid("--sql needs an event log; ", options.file, " is none");
  }
  ARROW_ASSIGN_OR_RAISE(const std::string document, ReadAll(options.file));
  if (options.tree) {
    auto plan = PlanDocument::Decode(document);
    if (!plan.ok()) return WithPrefix(plan.status(), options.file + ": ");
    std::cout << TreeText(**plan);
    return kExitDone;
  }
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json request, RequestOf(options));
  const auto answer = Plan(document, request.dump());
  if (!answer.ok()) return WithPrefix(answer.status(), options.file + ": ");
  if (options.json) {
    std::cout << *answer << "\n";
  } else {
    std::cout << nlohmann::json::parse(*answer)["explain"].get<std::string>();
  }
  return kExitDone;
}

Run DeclareExplain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  app.add_option("plan", options->file,
                 "plan JSON as reprise.Explain.planJson writes it, - for stdin; or an event log")
      ->required();
  app.add_option("--conf", options->conf, "a setting of the session, KEY=VALUE; may be repeated");
  auto* json = app.add_flag("--json", options->json, "the whole answer to the plug-in, as JSON");
  auto* tree = app.add_flag("--tree", options->tree, "the plan alone, as a tree");
  app.add_option("--sql", options->sql, "of an event log, only this query")->check(NotNegative());
  app.add_flag("--not-native", options->not_native, "only what does not run natively")
      ->excludes(json)
      ->excludes(tree);
  json->excludes(tree);
  return [options] { return ExplainFile(*options); };
}

}  // namespace

const Subcommand kExplain = {"explain", "Say what of a plan runs natively, and why not the rest",
                             "reprise explain plan.json --not-native", DeclareExplain};

}  // namespace reprise
