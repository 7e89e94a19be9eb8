#include "ledger/ledger.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/local_path.h"
#include "ledger/ledger_line.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;

constexpr const char* kChecksums = "sums.jsonl";
constexpr const char* kEvents = "events";
constexpr int64_t kFormat = 2;
constexpr size_t kListedRunsMax = 20;

Status ReadChecksums(const std::string& path, Ledger* ledger) {
  std::error_code error;
  const auto bytes = fs::file_size(path, error);
  if (error) return Status::IOError("cannot read ", path, ": ", error.message());
  ledger->bytes = static_cast<int64_t>(bytes);
  EventLogReader reader(EventLogFiles{path, {path}, ledger->bytes});
  LedgerLineDecoder decoder(ledger);
  for (;;) {
    ARROW_ASSIGN_OR_RAISE(const std::optional<LogLine> line, reader.Next());
    if (!line) break;
    const Status status = decoder.Decode(*line);
    if (decoder.format() == 0) {
      return Status::Invalid(path, " is no ledger: its first line is ",
                             status.ok() ? "of another kind" : status.message(),
                             "; expected {\"ledger\":{\"format\":2,…}}");
    }
    if (decoder.format() > kFormat) {
      return Status::Invalid(path, " has format ", decoder.format(),
                             "; this version of Reprise reads formats up to ", kFormat);
    }
    if (!status.ok()) reader.Damaged(status.message());
  }
  if (decoder.format() == 0) {
    return Status::Invalid(path, " is empty; expected {\"ledger\":{\"format\":2,…}} as first line");
  }
  ledger->format = decoder.format();
  ledger->damages = reader.damages();
  return Status::OK();
}

void ReadEvents(const std::string& path, Ledger* ledger) {
  Result<LoadedLog> log = LoadLog(path, {.tasks = false});
  if (!log.ok()) {
    ledger->damages.Add({kEvents, 0, log.status().message()});
    return;
  }
  for (const LogDamage& damage : log->damages.kept()) ledger->damages.Add(damage);
  ledger->lineage = std::move(log->model);
  if (ledger->application.empty()) ledger->application = ledger->lineage.application();
}

}  // namespace

const LedgerChecksums* CompleteChecksumsIn(const LedgerSubject& subject, uint32_t task) {
  const auto found = std::lower_bound(
      subject.checksums.begin(), subject.checksums.end(), task,
      [](const LedgerChecksums& checksums, uint32_t wanted) { return checksums.task < wanted; });
  if (found == subject.checksums.end() || found->task != task || !found->complete) return nullptr;
  return &*found;
}

const Rdd* Ledger::LastRddOf(int32_t stage) const {
  const auto known = lineage.stages().find(stage);
  if (known == lineage.stages().end() || known->second.rdds.empty()) return nullptr;
  const auto rdd = lineage.rdds().find(known->second.rdds.front());
  return rdd == lineage.rdds().end() ? nullptr : &rdd->second;
}

int64_t Ledger::PartitionsOf(int32_t stage) const {
  const Rdd* rdd = LastRddOf(stage);
  return rdd == nullptr ? -1 : rdd->partitions;
}

std::vector<Ledger::Gap> Ledger::Gaps() const {
  std::map<int64_t, std::set<int32_t>> ended;
  for (const LedgerTask& task : tasks) {
    if (task.success) ended[task.stage].insert(task.partition);
  }
  std::vector<Gap> gaps;
  for (const auto& [id, stage] : lineage.stages()) {
    if (lineage.StateOf(stage) != StageState::kComplete) continue;
    const auto told = ended.find(id);
    const int64_t partitions = told == ended.end() ? 0 : static_cast<int64_t>(told->second.size());
    if (partitions < stage.tasks) gaps.push_back({id, stage.tasks - partitions, stage.tasks});
  }
  return gaps;
}

Result<std::string> FindLedger(const std::string& uri) {
  std::string path = uri;
  if (uri.starts_with("file:")) {
    ARROW_ASSIGN_OR_RAISE(path, LocalPath("ledger", uri));
  }
  std::error_code error;
  if (!fs::exists(path, error)) return Status::IOError("there is no ", path);
  if (fs::exists(fs::path(path) / kChecksums, error)) return path;
  std::vector<std::string> runs;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (fs::exists(at->path() / kChecksums, ignored)) runs.push_back(at->path().string());
  }
  if (runs.empty()) {
    return Status::Invalid(path, " holds no ledger; expected the folder of a run with a file ",
                           kChecksums, ", as spark.reprise.ledger.path makes them");
  }
  if (runs.size() == 1) return runs.front();
  std::sort(runs.begin(), runs.end());
  std::string listed;
  for (size_t i = 0; i < std::min(runs.size(), kListedRunsMax); ++i) listed += "\n  " + runs[i];
  if (runs.size() > kListedRunsMax)
    listed += fmt::format("\n  and {} more", runs.size() - kListedRunsMax);
  return Status::Invalid(path, " holds the ledgers of ", runs.size(),
                         " runs; name one of them:", listed);
}

Result<Ledger> LoadLedger(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const std::string folder, FindLedger(path));
  Ledger ledger;
  ledger.path = folder;
  RETURN_NOT_OK(ReadChecksums((fs::path(folder) / kChecksums).string(), &ledger));
  ReadEvents((fs::path(folder) / kEvents).string(), &ledger);
  return ledger;
}

}  // namespace reprise
