#include "cli/beside_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/local_path.h"
#include "cli/ledger_text.h"
#include "ledger/ledger_check.h"
#include "ledger/ledger_graph.h"
#include "profile/slow_methods.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

// Of a setting that names a folder of any file system; "": it is none that lies here.
std::string LocalFolder(const Report& report, const std::string& setting) {
  const Result<std::string> folder = LocalPath(setting, report.Setting(setting, nullptr));
  std::error_code error;
  return folder.ok() && fs::is_directory(*folder, error) ? *folder : "";
}

// What the plug-in calls the files of a stage attempt, of all executors (FlameNames).
struct FlameFiles {
  std::vector<std::string> recordings;
  std::string slow_page;  ///< "": there is none
};

using AttemptKey = std::pair<int64_t, int64_t>;  // stage, attempt

std::map<AttemptKey, FlameFiles> FlameFilesIn(const std::string& folder, std::string application) {
  constexpr std::string_view kPrefix = "app-";
  if (application.starts_with(kPrefix)) application.erase(0, kPrefix.size());
  const std::string prefix = fmt::format("{}{}-", kPrefix, application);
  std::map<AttemptKey, FlameFiles> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const size_t stage_at =
        name.find("stage-", name.starts_with(prefix) ? prefix.size() : name.size());
    AttemptKey key;
    char rest[16] = "";
    if (stage_at == std::string::npos ||
        std::sscanf(name.c_str() + stage_at, "stage-%ld-attempt-%ld%15s", &key.first, &key.second,
                    rest) != 3) {
      continue;
    }
    if (std::string_view(rest) == ".jfr") files[key].recordings.push_back(entry.path().string());
    if (std::string_view(rest) == "-slow.html") files[key].slow_page = entry.path().string();
  }
  return files;
}

int64_t BytesOf(const std::vector<std::string>& files) {
  int64_t bytes = 0;
  std::error_code error;
  for (const std::string& file : files) bytes += static_cast<int64_t>(fs::file_size(file, error));
  return bytes;
}

// Empty where there are none, or no recordings that can be read: then there is the page.
nlohmann::json MethodsJson(const std::vector<std::string>& recordings) {
  constexpr size_t kMethodsMax = 8;
  constexpr int64_t kBytesMax = 64'000'000;
  if (BytesOf(recordings) > kBytesMax) return nlohmann::json::object();
  const Result<SlowMethods> found = WhatSlowTasksDo(recordings, kMethodsMax);
  if (!found.ok() || found->tasks == 0) return nlohmann::json::object();
  nlohmann::json more = nlohmann::json::array();
  for (const SlowMethod& each : found->more) {
    more.push_back({{"name", each.name},
                    {"within", each.within},
                    {"slow", each.slow_samples},
                    {"median", each.median_samples}});
  }
  return {{"event", found->event},   {"tasks", found->tasks},    {"slow", found->slow},
          {"median", found->median}, {"slowMs", found->slow_ms}, {"medianMs", found->median_ms},
          {"more", std::move(more)}};
}

}  // namespace

Result<std::optional<Ledger>> LedgerOf(const Report& report) {
  std::string folder = LocalFolder(report, "spark.reprise.ledger.path");
  if (folder.empty()) return std::nullopt;
  folder += "/" + report.model.application_id();
  if (!fs::is_directory(folder)) return std::nullopt;
  ARROW_ASSIGN_OR_RAISE(Ledger ledger, LoadLedger(folder));
  return ledger;
}

nlohmann::json LedgerJson(const Report& report) {
  const Result<std::optional<Ledger>> read = LedgerOf(report);
  if (!read.ok()) return {{"text", read.status().message()}, {"differs", false}};
  if (!*read) return nullptr;
  const Ledger& ledger = **read;
  const LedgerGraph graph(ledger);
  const LedgerCheck check = CheckLedger(graph);
  return {{"text", fmt::format("{}\n\n{}", LedgerText(ledger), CheckText(graph, check, false))},
          {"differs", check.Differs()}};
}

void AddSlowTasks(const Report& report, nlohmann::json* stages) {
  constexpr size_t kStagesMax = 20;
  const std::string folder = LocalFolder(report, "spark.reprise.flameGraph.pathPrefix");
  if (folder.empty()) return;
  const auto files = FlameFilesIn(folder, report.model.application_id());
  struct SlowAttempt {
    int64_t took_ms = 0;
    nlohmann::json* attempt = nullptr;
    const FlameFiles* files = nullptr;
  };
  std::vector<SlowAttempt> by_time;
  for (nlohmann::json& stage : *stages) {
    for (nlohmann::json& attempt : stage["attempts"]) {
      const auto found = files.find({stage["id"], attempt["attempt"]});
      if (found == files.end() || found->second.slow_page.empty()) continue;
      const int64_t took_ms =
          attempt["completed"].get<int64_t>() - attempt["submitted"].get<int64_t>();
      by_time.push_back({took_ms, &attempt, &found->second});
    }
  }
  std::ranges::sort(by_time, std::greater(), &SlowAttempt::took_ms);
  for (size_t i = 0; i < by_time.size(); ++i) {
    nlohmann::json& slow = (*by_time[i].attempt)["slowTasks"];
    slow = {{"page", by_time[i].files->slow_page}};
    if (i < kStagesMax) slow.update(MethodsJson(by_time[i].files->recordings));
  }
}

}  // namespace reprise
