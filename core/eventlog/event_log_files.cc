#include "eventlog/event_log_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "base/local_path.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

// Of a recording: docs/internals/recording-format.md.
constexpr const char* kRecordingLines = "lineage.jsonl";
constexpr const char* kRecordingEvents = "events";
constexpr std::string_view kRolledFolder = "eventlog_v2_";
constexpr std::string_view kRolledFile = "events_";
constexpr std::string_view kStatusFile = "appstatus_";
constexpr std::string_view kInProgress = ".inprogress";
constexpr std::string_view kCompacted = ".compact";
constexpr size_t kListedMax = 20;

struct RolledFile {
  int64_t index;
  bool compacted;
  fs::path path;
};

// "events_12_app-1.zstd" → 12
std::optional<int64_t> RolledIndex(std::string_view name) {
  if (!name.starts_with(kRolledFile)) return std::nullopt;
  name.remove_prefix(kRolledFile.size());
  int64_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || end == name.data() + name.size() || *end != '_') return std::nullopt;
  return index;
}

Result<std::vector<fs::path>> EntriesOf(const std::string& folder) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    if (!name.starts_with('.') && !name.ends_with(".crc")) entries.push_back(at->path());
  }
  if (error) return Status::IOError("cannot list ", folder, ": ", error.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

EventLogFiles SingleFile(const std::string& path) {
  std::error_code error;
  const auto bytes = fs::file_size(path, error);
  return {path, {path}, error ? 0 : static_cast<int64_t>(bytes), path.ends_with(kInProgress), {}};
}

// A compacted file stands for all files up to its own number.
EventLogFiles RolledLog(const std::string& path, std::vector<RolledFile> rolled) {
  std::sort(rolled.begin(), rolled.end(), [](const RolledFile& a, const RolledFile& b) {
    return std::tie(a.index, a.compacted) < std::tie(b.index, b.compacted);
  });
  const auto last_compacted = std::find_if(rolled.rbegin(), rolled.rend(),
                                           [](const RolledFile& file) { return file.compacted; });
  if (last_compacted != rolled.rend()) {
    rolled.erase(rolled.begin(), std::prev(last_compacted.base()));
  }
  EventLogFiles log{path};
  int64_t expected = rolled.front().compacted ? rolled.front().index : 1;
  for (const RolledFile& file : rolled) {
    if (file.index > expected) {
      log.gaps.push_back(
          file.index == expected + 1
              ? fmt::format("events_{} is missing", expected)
              : fmt::format("events_{} to events_{} are missing", expected, file.index - 1));
    }
    expected = file.index + 1;
    const EventLogFiles single = SingleFile(file.path);
    log.files.push_back(file.path);
    log.bytes += single.bytes;
  }
  return log;
}

Result<EventLogFiles> OnlyLogOf(const std::string& folder, const std::vector<fs::path>& entries) {
  std::vector<fs::path> logs;
  std::error_code error;
  for (const fs::path& entry : entries) {
    const bool rolled = entry.filename().string().starts_with(kRolledFolder);
    if (rolled || fs::is_regular_file(entry, error)) logs.push_back(entry);
  }
  if (logs.empty()) {
    return Status::Invalid(folder,
                           " holds no event log; expected a file that Spark wrote with "
                           "spark.eventLog.enabled=true, or a folder eventlog_v2_*");
  }
  if (logs.size() == 1) return FindEventLog(logs.front());
  std::string listed;
  for (size_t i = 0; i < std::min(logs.size(), kListedMax); ++i) {
    listed += "\n  " + logs[i].string();
  }
  if (logs.size() > kListedMax) listed += fmt::format("\n  and {} more", logs.size() - kListedMax);
  return Status::Invalid(folder, " holds ", logs.size(), " event logs; name one of them:", listed);
}

}  // namespace

Result<EventLogFiles> FindEventLog(const std::string& uri) {
  std::string path = uri;
  if (uri.starts_with("file:")) {
    ARROW_ASSIGN_OR_RAISE(path, LocalPath("event log", uri));
  }
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return Status::IOError("there is no ", path);
  if (!fs::is_directory(status)) return SingleFile(path);
  if (fs::exists(fs::path(path) / kRecordingLines, error)) {
    return SingleFile(fs::path(path) / kRecordingEvents);
  }
  ARROW_ASSIGN_OR_RAISE(const std::vector<fs::path> entries, EntriesOf(path));
  std::vector<RolledFile> rolled;
  bool in_progress = false;
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename();
    if (const auto index = RolledIndex(name)) {
      rolled.push_back({*index, name.ends_with(kCompacted), entry});
    }
    in_progress |= name.starts_with(kStatusFile) && name.ends_with(kInProgress);
  }
  if (rolled.empty()) return OnlyLogOf(path, entries);
  EventLogFiles log = RolledLog(path, std::move(rolled));
  log.in_progress = in_progress;
  return log;
}

}  // namespace reprise
