#include "profile/profile_request.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

#include "base/config.h"
#include "base/operator_log.h"
#include "profile/flame_settings.h"
#include "profile/index_page.h"
#include "profile/recording_splitter.h"
#include "profile/slow_tasks.h"
#include "profile/stage_page.h"
#include "profile/wall_clock.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

// The recording of this process, while there is one. Asked of by one thread, ended by another one.
std::mutex mutex;
std::map<std::string, std::unique_ptr<RecordingSplitter>> splitters;

Json ToJson(const SliceFigures& figures) {
  return {{"file", figures.file},
          {"bytes", figures.bytes},
          {"cpuSamples", figures.cpu_samples},
          {"wallSamples", figures.wall_samples},
          {"droppedChunks", figures.dropped_chunks},
          {"lostChunks", figures.lost_chunks},
          {"error", figures.error}};
}

Result<Json> Check(const Json& request) {
  ARROW_ASSIGN_OR_RAISE(const ConfigMap settings, ConfigMapFromJson(request.at("conf")));
  ARROW_ASSIGN_OR_RAISE(const Config config, ParseProfileConfig(settings));
  const std::string_view prefix = config.text("spark.reprise.flameGraph.pathPrefix");
  if (prefix.empty()) return Json::object();
  const std::string_view executors = config.text("spark.reprise.flameGraph.executors");
  RETURN_NOT_OK(ParseExecutorChoice(executors));
  ARROW_ASSIGN_OR_RAISE(
      const ProfilerOptions options,
      CheckProfilerOptions(config.text("spark.reprise.flameGraph.asyncProfiler.options")));
  return Json{{"prefix", prefix},
              {"executors", executors},
              {"maxBytes", config.integer("spark.reprise.flameGraph.maxBytes")},
              {"options", options.all},
              {"wallNs", options.wall_ns},
              {"optionsBesideOwnWall", options.beside_own_wall},
              {"processorNs", options.processor_ns}};
}

Result<Json> TakesExecutor(const Json& request) {
  ARROW_ASSIGN_OR_RAISE(const ExecutorChoice choice,
                        ParseExecutorChoice(request.at("executors").get<std::string>()));
  return Json{{"takes", Takes(choice, request.at("executor").get<std::string>())}};
}

Result<Json> Begin(const Json& request) {
  auto recording = request.at("recording").get<std::string>();
  splitters[recording] = std::make_unique<RecordingSplitter>(
      recording, request.at("folder").get<std::string>(), request.at("maxBytes").get<int64_t>());
  OperatorLog::OfProcess().Switch(true);
  return Json::object();
}

Result<RecordingSplitter*> SplitterOf(const Json& request) {
  const auto recording = request.at("recording").get<std::string>();
  const auto found = splitters.find(recording);
  if (found == splitters.end()) return Status::Invalid(recording, ": no recording has begun there");
  return found->second.get();
}

StageAttemptId StageOf(const Json& request) {
  return {request.at("stage").get<int32_t>(), request.at("attempt").get<int32_t>()};
}

Result<ShownStages> ShownOf(const Json& request) {
  const auto queries = request.at("queries").get<std::vector<std::vector<std::string>>>();
  for (const std::string& tag : std::views::join(queries)) {
    if (!ParseNameTag(tag)) {
      return Status::Invalid("expected the tag of an operator's name, not ", tag);
    }
  }
  ShownStages shown;
  for (const Json& stage : request.at("shown")) {
    const auto query = stage.at("query").get<int64_t>();
    shown[StageOf(stage)] =
        query < 0 ? std::vector<std::string>() : queries.at(static_cast<size_t>(query));
  }
  return shown;
}

Result<Json> Split(const Json& request) {
  ARROW_ASSIGN_OR_RAISE(RecordingSplitter* const splitter, SplitterOf(request));
  std::vector<TaskInterval> tasks;
  for (const Json& task : request.at("tasks")) {
    const auto number = [&task](size_t at) { return task.at(at).get<int64_t>(); };
    const auto small = [&task](size_t at) { return task.at(at).get<int32_t>(); };
    const int64_t end = number(2);
    tasks.push_back({.thread = number(0),
                     .start = number(1),
                     .end = end == 0 ? INT64_MAX : end,
                     .task = {number(3), {small(4), small(5)}, small(6), small(7) != 0}});
  }
  int64_t dropped = 0;
  splitter->Add(OperatorLog::OfProcess().Take(&dropped));
  splitter->AddTicks(WallClock::OfProcess().TakeTicks());
  ARROW_ASSIGN_OR_RAISE(const ShownStages shown, ShownOf(request));
  RETURN_NOT_OK(splitter->Split(tasks, shown));
  Json stages = Json::array();
  for (const auto& [stage, figures] : splitter->stages()) {
    Json one = ToJson(figures);
    one["stage"] = stage.stage;
    one["attempt"] = stage.attempt;
    stages.push_back(std::move(one));
  }
  return Json{{"stages", std::move(stages)},
              {"other", ToJson(splitter->other())},
              {"settings", splitter->settings()},
              {"operatorChangesDropped", dropped},
              {"threadsWithoutClock", WallClock::OfProcess().threads_without()}};
}

FlamePageText PageTextOf(const Json& request) {
  return {request.at("title").get<std::string>(), request.at("subtitle").get<std::string>(),
          "samples"};
}

Result<Json> SlowTasks(const Json& request) {
  ARROW_ASSIGN_OR_RAISE(
      const int64_t tasks,
      WriteSlowTasksPage(request.at("files").get<std::vector<std::string>>(), PageTextOf(request),
                         request.at("html").get<std::string>()));
  return Json{{"tasks", tasks}};
}

Result<Json> Index(const Json& request) {
  RETURN_NOT_OK(WriteFile(request.at("html").get<std::string>(), IndexPage(request)));
  return Json::object();
}

Result<Json> PageOf(const SampledStacks& sampled, const Json& request, const std::string& html) {
  FlamePageText text = PageTextOf(request);
  text.about = std::exchange(text.subtitle, "");
  RETURN_NOT_OK(WriteStagePage(sampled, std::move(text), html));
  Json operators = Json::array();
  for (const auto& [lore_id, samples] : sampled.operator_samples) {
    const auto name = sampled.operator_names.find(lore_id);
    operators.push_back({{"loreId", lore_id},
                         {"name", name == sampled.operator_names.end() ? "" : name->second},
                         {"samples", samples}});
  }
  return Json{{"cpuSamples", sampled.cpu_samples},
              {"wallSamples", sampled.wall_samples},
              {"otherSamples", sampled.other_samples},
              {"operators", std::move(operators)}};
}

Result<Json> Page(const Json& request) {
  ARROW_ASSIGN_OR_RAISE(const SampledStacks sampled,
                        ReadStacks(request.at("files").get<std::vector<std::string>>(), {}));
  return PageOf(sampled, request, request.at("html").get<std::string>());
}

// One of `stages`.
Result<Json> StageOutput(RecordingSplitter* splitter, const Json& request) {
  const StageAttemptId stage = StageOf(request);
  const bool is_last = request.at("isLast").get<bool>();
  const auto found = splitter->stages().find(stage);
  if (found == splitter->stages().end()) {
    return Status::Invalid("stage ", stage.stage, ", attempt ", stage.attempt,
                           " has no recording: it is finished, or no chunk has been split since");
  }
  const SliceFigures figures = found->second;
  const Result<SampledStacks> sampled = figures.bytes == 0
                                            ? Result<SampledStacks>(Status::Invalid(figures.error))
                                            : splitter->StacksOf(stage);
  if (!sampled.ok()) {
    if (is_last) splitter->Finish(stage);  // no page of it can ever be made
    return sampled.status();
  }
  const auto html = request.at("html").get<std::string>();
  const std::string part = PartOf(html);
  std::error_code error;
  Result<Json> shown = PageOf(*sampled, request, part);
  if (!shown.ok()) {
    std::filesystem::remove(part, error);
    return shown;
  }
  (*shown)["bytes"] = figures.bytes;
  (*shown)["pageBytes"] = std::filesystem::file_size(part, error);
  // A page that is there has its recording beside it.
  if (request.contains("jfr")) {
    const Status put = PutRecording(figures.file, !is_last, request.at("jfr").get<std::string>());
    if (!put.ok()) std::filesystem::remove(part, error);
    RETURN_NOT_OK(put);
  }
  const Status put = PutInPlace(part, html);
  if (is_last && request.contains("jfr")) {
    if (put.ok()) {
      splitter->Finish(stage);
    } else {
      RETURN_NOT_OK(PutRecording(request.at("jfr").get<std::string>(), false, figures.file));
    }
  }
  RETURN_NOT_OK(put);
  return shown;
}

// What one stage lacks does not keep the others from theirs.
Result<Json> Stages(const Json& request) {
  ARROW_ASSIGN_OR_RAISE(RecordingSplitter* const splitter, SplitterOf(request));
  Json stages = Json::array();
  for (const Json& stage : request.at("stages")) {
    Result<Json> shown = StageOutput(splitter, stage);
    Json one = shown.ok() ? *std::move(shown) : Json{{"error", shown.status().message()}};
    one["isKept"] = splitter->stages().contains(StageOf(stage));
    stages.push_back(std::move(one));
  }
  return Json{{"stages", std::move(stages)}};
}

Result<Json> Finish(const Json& request) {
  ARROW_ASSIGN_OR_RAISE(RecordingSplitter* const splitter, SplitterOf(request));
  const auto found = splitter->stages().find(StageOf(request));
  if (found != splitter->stages().end()) {
    std::error_code ignored;
    std::filesystem::remove(found->second.file, ignored);
    splitter->Finish(found->first);
  }
  return Json::object();
}

Result<Json> End(const Json& request) {
  OperatorLog::OfProcess().Switch(false);
  splitters.erase(request.at("recording").get<std::string>());
  return Json::object();
}

// In the order of the header.
struct Action {
  std::string_view name;
  Result<Json> (*run)(const Json& request);
};

constexpr Action kActions[] = {
    {"check", Check}, {"takes", TakesExecutor}, {"begin", Begin},
    {"split", Split}, {"stages", Stages},       {"finish", Finish},
    {"page", Page},   {"slow", SlowTasks},      {"index", Index},
    {"end", End},
};

Result<Json> Run(const Json& request) {
  const auto name = request.at("do").get<std::string>();
  for (const Action& action : kActions) {
    if (action.name == name) return action.run(request);
  }
  return Status::Invalid("unknown request ", name);
}

}  // namespace

Result<std::string> RunProfileRequest(std::string_view request_json) {
  const std::scoped_lock lock(mutex);
  try {
    ARROW_ASSIGN_OR_RAISE(const Json answer, Run(Json::parse(request_json)));
    return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
  } catch (const Json::exception& error) {
    return Status::Invalid("malformed request of a profile: ", error.what());
  }
}

}  // namespace reprise
