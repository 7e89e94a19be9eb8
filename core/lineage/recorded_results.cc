#include "lineage/recorded_results.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace reprise {

namespace {

// A line is a checksum of eight digits, a blank, and JSON of one member, which says its kind.
constexpr size_t kSumBytes = 9;
constexpr std::string_view kResult = "{\"result\":";

RecordedResult ResultOf(const nlohmann::json& json) {
  return {.task = json.value("task", int64_t{-1}),
          .stage = json.value("stage", int64_t{-1}),
          .partition = json.value("partition", int64_t{-1}),
          .class_name = json.value("class", ""),
          .text = json.value("text", ""),
          .reason = json.value("reason", "")};
}

}  // namespace

Result<std::vector<RecordedResult>> ReadRecordedResults(const std::string& folder) {
  const std::string file = (std::filesystem::path(folder) / "lineage.jsonl").string();
  std::ifstream lines(file, std::ios::binary);
  if (!lines) {
    return Status::Invalid(folder, " is no recording of a lineage: it has no file lineage.jsonl");
  }
  std::vector<RecordedResult> results;
  for (std::string line; std::getline(lines, line);) {
    if (!std::string_view(line).substr(std::min(kSumBytes, line.size())).starts_with(kResult)) {
      continue;
    }
    const auto json = nlohmann::json::parse(line.begin() + kSumBytes, line.end(), nullptr, false);
    if (json.is_discarded() || !json["result"].is_object()) break;
    try {
      results.push_back(ResultOf(json["result"]));
    } catch (const nlohmann::json::exception& wrong) {
      return Status::Invalid(file, ": a result has a member of another type: ", wrong.what());
    }
  }
  return results;
}

}  // namespace reprise
