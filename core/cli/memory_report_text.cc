#include "cli/memory_report_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <vector>

#include "base/figure_text.h"
#include "cli/figures.h"
#include "dump/file.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kEnding = ".memory.json";
constexpr std::string_view kFormat = "reprise-memory";
constexpr int64_t kReportVersion = 1;

int64_t Number(const Json& json, const char* member) {
  const auto found = json.find(member);
  return found != json.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

std::string Text(const Json& json, const char* member) {
  const auto found = json.find(member);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

/// A member that may be missing: then nothing is in it.
const Json& Within(const Json& json, const char* member) {
  static const Json nothing;
  const auto found = json.find(member);
  return found == json.end() ? nothing : *found;
}

std::string Bytes(const Json& json, const char* member) { return ByteText(Number(json, member)); }

/// The elements of a list, those with the most bytes first.
std::vector<Json> ByBytes(const Json& list, const char* bytes) {
  std::vector<Json> sorted(list.begin(), list.end());
  std::ranges::stable_sort(sorted, std::greater(),
                           [&](const Json& one) { return Number(one, bytes); });
  return sorted;
}

std::string_view ShortName(std::string_view class_name) {
  return class_name.substr(class_name.rfind('.') + 1);
}

std::string HeadText(const Json& report) {
  const auto time = std::chrono::sys_seconds(std::chrono::seconds(Number(report, "time") / 1000));
  std::string text = fmt::format("Executor {} of {} on {}, as it was at {:%Y-%m-%d %H:%M:%S} UTC\n",
                                 Text(report, "executor"), Text(report, "application"),
                                 Text(report, "host"), time);
  if (const std::string error = Text(report, "error"); !error.empty()) {
    text += fmt::format("It ended with {}\n", error);
  }
  return text;
}

std::string RegionText(const Json& spark, const char* execution, const char* storage,
                       const char* most) {
  return fmt::format("{} by tasks, {} by blocks, of {}", Bytes(spark, execution),
                     Bytes(spark, storage), Bytes(spark, most));
}

std::string ProcessText(const Json& report) {
  const Json& process = Within(report, "process");
  const Json& jvm = Within(report, "jvm");
  const Json& spark = Within(report, "spark");
  const Json& native = Within(report, "native");
  std::string resident = Bytes(process, "resident") + " resident";
  if (process.contains("limit")) {
    resident += fmt::format(" of {} that its container may have", Bytes(process, "limit"));
  }
  int64_t allocated = 0;
  for (const Json& fragment : Within(native, "fragments")) {
    allocated += Number(fragment, "allocated");
  }
  TextTable table({{"memory"}, {"held"}});
  table.Add({"process", resident});
  table.Add(
      {"JVM", fmt::format("{} of {} heap; {} of its own, {} in direct buffers, {} mapped",
                          Bytes(jvm, "heapUsed"), Bytes(jvm, "heapMax"), Bytes(jvm, "nonHeap"),
                          Bytes(jvm, "direct"), Bytes(jvm, "mapped"))});
  table.Add({"Spark, heap", RegionText(spark, "executionOnHeap", "storageOnHeap", "maxOnHeap")});
  table.Add(
      {"Spark, off-heap", RegionText(spark, "executionOffHeap", "storageOffHeap", "maxOffHeap")});
  table.Add({"native", fmt::format("{} by tasks, {} shared by them", ByteText(allocated),
                                   Bytes(native, "shared"))});
  return table.ToString();
}

std::string TasksText(const Json& report) {
  const std::vector<Json> tasks = ByBytes(Within(report, "tasks"), "held");
  if (tasks.empty()) return "No task ran.\n";
  TextTable table(
      {{"task", true}, {"stage", true}, {"partition", true}, {"granted", true}, {"to"}});
  for (const Json& task : tasks) {
    std::string to;
    for (const Json& consumer : ByBytes(Within(task, "consumers"), "bytes")) {
      to += fmt::format("{}{} {}", to.empty() ? "" : ", ", ShortName(Text(consumer, "name")),
                        Bytes(consumer, "bytes"));
    }
    table.Add({Thousands(Number(task, "attempt")), Thousands(Number(task, "stage")),
               Thousands(Number(task, "partition")), Bytes(task, "held"), to});
  }
  return table.ToString();
}

std::string LastBatchText(const Json& op) {
  if (!op.contains("lastRows")) return "none";
  return fmt::format("{} rows, {}, {} ms before", Thousands(Number(op, "lastRows")),
                     Bytes(op, "lastBytes"), Thousands(Number(op, "lastAgoMs")));
}

std::string OperatorsText(const Json& report) {
  TextTable table({{"task", true},
                   {"native operator"},
                   {"holds", true},
                   {"at most", true},
                   {"rows given", true},
                   {"last batch"}});
  bool is_empty = true;
  for (const Json& fragment : ByBytes(Within(Within(report, "native"), "fragments"), "allocated")) {
    for (const Json& op : ByBytes(Within(fragment, "operators"), "held")) {
      table.Add({Thousands(Number(fragment, "attempt")), Text(op, "name"), Bytes(op, "held"),
                 Bytes(op, "peak"), Thousands(Number(op, "rows")), LastBatchText(op)});
      is_empty = false;
    }
  }
  return is_empty ? "" : "\n" + table.ToString();
}

}  // namespace

bool IsMemoryReport(const std::string& path) {
  return path.ends_with(kEnding) && std::filesystem::is_regular_file(path);
}

Result<Json> ReadMemoryReport(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, ReadWholeFile(path));
  Json report = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!report.is_object() || Text(report, "format") != kFormat) {
    return Status::Invalid(path, " is no report of an executor's memory");
  }
  if (const int64_t version = Number(report, "version"); version != kReportVersion) {
    return Status::Invalid(path, ": version ", version, " of the format; this program reads ",
                           kReportVersion);
  }
  return report;
}

std::string MemoryReportText(const Json& report) {
  return HeadText(report) + "\n" + ProcessText(report) + "\n" + TasksText(report) +
         OperatorsText(report);
}

}  // namespace reprise
