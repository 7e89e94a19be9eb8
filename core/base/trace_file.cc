#include "base/trace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "base/check.h"
#include "base/denied_access.h"
#include "base/json_text.h"

namespace reprise {

namespace {

constexpr std::string_view kFileEnd = "\n]\n";

// What MonotonicNs must be added to for nanoseconds since 1970; the same for all of a process.
int64_t WallOffsetNs() {
  static const int64_t offset = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                    std::chrono::system_clock::now().time_since_epoch())
                                    .count() -
                                MonotonicNs();
  return offset;
}

// Readers know processes by numbers. Those of Spark's executors start at 0, which Perfetto takes
// for no process at all.
int ProcessNumber(const std::string& executor) {
  int number = 0;
  const auto [end, error] =
      std::from_chars(executor.data(), executor.data() + executor.size(), number);
  if (error == std::errc() && end == executor.data() + executor.size() && number >= 0) {
    return number + 1;
  }
  if (executor == "driver") return 1;
  return static_cast<int>(std::hash<std::string>()(executor) % 1'000'000'000) + 1'000'000;
}

std::string FileNamePart(std::string_view id) {
  std::string part(id);
  for (char& c : part) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '.') c = '_';
  }
  return part;
}

Status SystemError(std::string_view what, const std::string& path, int error) {
  return Status::IOError(path, " ", what, ": ", std::strerror(error), DenialText(path, error));
}

// A file that is open for one append.
class Appending {
 public:
  explicit Appending(const std::string& path) : path_(path) {}
  ~Appending() {
    if (file_ >= 0) close(file_);
  }
  Appending(const Appending&) = delete;
  Appending& operator=(const Appending&) = delete;

  Status Open(bool anew) {
    // The names of traces can be guessed: what they hold is for their owner, and no link is
    // followed.
    constexpr int kHow = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
    file_ = open(path_.c_str(), kHow | (anew ? O_TRUNC : 0), 0600);
    if (file_ < 0) return SystemError("cannot be opened", path_, errno);
    struct stat facts = {};
    if (fstat(file_, &facts) != 0) return SystemError("cannot be looked at", path_, errno);
    size_ = facts.st_size;
    return Status::OK();
  }

  int64_t size() const { return size_; }

  /// Puts `text` and the end of the array in the place of the present end. Where that fails the
  /// file is as it was.
  Status Write(const std::string& text) {
    const int64_t start = std::max<int64_t>(0, size_ - static_cast<int64_t>(kFileEnd.size()));
    const Status status = WriteAt(start, text + std::string(kFileEnd));
    if (status.ok() || ftruncate(file_, size_) != 0) return status;
    if (size_ > 0) (void)WriteAt(start, std::string(kFileEnd));
    return status;
  }

 private:
  Status WriteAt(int64_t position, std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = pwrite(file_, text.data(), text.size(), position);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return SystemError("cannot be written to", path_, errno);
      text.remove_prefix(static_cast<size_t>(written));
      position += written;
    }
    return Status::OK();
  }

  const std::string& path_;
  int file_ = -1;
  int64_t size_ = 0;
};

void AppendFigures(const TraceEvent& event, std::string* text) {
  bool is_first = event.range->arguments.empty();
  text->append(event.range->arguments);
  for (size_t i = 0; i < kTraceFigures; ++i) {
    if (event.range->figures[i].empty() || event.figures[i] == kNoTraceFigure) continue;
    fmt::format_to(std::back_inserter(*text), "{}\"{}\":{}", is_first ? "" : ",",
                   event.range->figures[i], event.figures[i]);
    is_first = false;
  }
}

}  // namespace

Status PrepareTraceDirectory(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  std::error_code unknown;
  if (std::filesystem::exists(directory, unknown) &&
      !std::filesystem::is_directory(directory, unknown)) {
    return Status::IOError(directory, " is not a directory");
  }
  if (error) return Status::IOError(directory, " cannot be made: ", error.message());
  if (access(directory.c_str(), W_OK | X_OK) != 0) {
    return SystemError("cannot be written to", directory, errno);
  }
  return Status::OK();
}

std::shared_ptr<TraceFile> TraceFile::OfProcess(const TraceProcess& process) {
  // Never destroyed: tasks may still run when the process ends.
  static auto* const files = new std::map<std::string, std::shared_ptr<TraceFile>>();
  static std::mutex mutex;
  const std::string path =
      fmt::format("{}/trace-{}-{}.json", process.directory, FileNamePart(process.application),
                  FileNamePart(process.executor));
  const std::lock_guard lock(mutex);
  std::shared_ptr<TraceFile>& file = (*files)[path];
  if (file == nullptr) {
    (void)PrepareTraceDirectory(process.directory);
    const bool is_driver = process.executor == "driver";
    const std::string name = is_driver ? "driver" : "executor " + process.executor;
    file = std::make_shared<TraceFile>(path, fmt::format("{}, {}", name, process.application),
                                       ProcessNumber(process.executor), process.start_ms);
  }
  return file;
}

TraceFile::TraceFile(std::string path, std::string name, int pid, int64_t start_ms)
    : path_(std::move(path)), name_(std::move(name)), pid_(pid), start_ms_(start_ms) {
  WallOffsetNs();
}

std::unique_ptr<TraceRecorder> TraceFile::Begin(const TraceTask& task) {
  const std::lock_guard lock(tasks_mutex_);
  OpenTask& open = tasks_[task.attempt];
  if (open.fragments++ == 0) open.left = std::make_shared<std::atomic<int64_t>>(task.events_max);
  auto recorder = std::make_unique<TraceRecorder>(open.left);
  recorder->set_lane(LaneOfThread(&open).number);
  return recorder;
}

int TraceFile::LaneHere(const TraceTask& task) {
  const std::lock_guard lock(tasks_mutex_);
  const auto found = tasks_.find(task.attempt);
  REPRISE_CHECK(found != tasks_.end(), "attempt {} is not being traced", task.attempt);
  return LaneOfThread(&found->second).number;
}

const TraceFile::Lane& TraceFile::LaneOfThread(OpenTask* task) {
  const auto [found, is_new] = task->lanes.try_emplace(std::this_thread::get_id());
  if (is_new) {
    int number = 1;
    while (!lanes_in_use_.insert(number).second) ++number;
    found->second = {number, MonotonicNs()};
  }
  return found->second;
}

Status TraceFile::End(const TraceTask& task, std::unique_ptr<TraceRecorder> recorder) {
  OpenTask ended;
  int64_t end_ns = 0;
  {
    const std::lock_guard lock(tasks_mutex_);
    const auto found = tasks_.find(task.attempt);
    REPRISE_CHECK(found != tasks_.end(), "attempt {} is not being traced", task.attempt);
    found->second.ended.push_back(std::move(recorder));
    if (--found->second.fragments > 0) return Status::OK();
    ended = std::move(found->second);
    tasks_.erase(found);
    for (const auto& [thread, lane] : ended.lanes) lanes_in_use_.erase(lane.number);
    end_ns = MonotonicNs();
  }
  return Append(ended, TextOf(task, ended, end_ns));
}

std::string TraceFile::Microseconds(int64_t ns) const {
  const int64_t since_start = ns + WallOffsetNs() - start_ms_ * 1'000'000;
  const int64_t magnitude = std::abs(since_start);
  return fmt::format("{}{}.{:03}", since_start < 0 ? "-" : "", magnitude / 1000, magnitude % 1000);
}

// The task's own range in each of its lanes, then what lies in it. Of ranges that begin at the same
// time the outer one comes first, by which readers know that it is the outer one.
std::string TraceFile::TextOf(const TraceTask& task, const OpenTask& open, int64_t end_ns) const {
  std::vector<const TraceEvent*> events;
  int64_t dropped = 0;
  for (const auto& recorder : open.ended) {
    for (const TraceEvent& event : recorder->events()) events.push_back(&event);
    dropped += recorder->dropped();
  }
  std::ranges::sort(events, [](const TraceEvent* a, const TraceEvent* b) {
    return a->start_ns != b->start_ns ? a->start_ns < b->start_ns : a->end_ns > b->end_ns;
  });
  const std::string arguments = fmt::format(R"("stage":{},"partition":{},"attempt":{})", task.stage,
                                            task.partition, task.attempt) +
                                (dropped > 0 ? fmt::format(R"(,"droppedRanges":{})", dropped) : "");
  const std::string name = fmt::format("task {}.{} attempt {}{}", task.stage, task.partition,
                                       task.attempt, dropped > 0 ? ", incomplete" : "");
  std::string text;
  const auto add = [&](const TraceEvent& event) {
    fmt::format_to(std::back_inserter(text),
                   ",\n{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{}.{:03},"
                   "\"cat\":{},\"name\":{},\"args\":{{",
                   pid_, event.lane, Microseconds(event.start_ns),
                   (event.end_ns - event.start_ns) / 1000, (event.end_ns - event.start_ns) % 1000,
                   JsonString(event.range->category), JsonString(event.range->name));
    AppendFigures(event, &text);
    text += "}}";
  };
  const TraceRange whole = {name, "task", {}, arguments};
  for (const auto& [thread, lane] : open.lanes) {
    add({&whole, lane.start_ns, end_ns, {}, lane.number});
  }
  for (const TraceEvent* event : events) add(*event);
  return text;
}

// Names the process; without the comma that stands before every other event.
std::string TraceFile::ProcessText() const {
  char host[256] = "";
  (void)gethostname(host, sizeof(host) - 1);
  const std::string labels =
      fmt::format("host {}, process {}, time 0 is {} ms after 1970", host, getpid(), start_ms_);
  return fmt::format(
      "[\n{{\"ph\":\"M\",\"pid\":{0},\"name\":\"process_name\",\"args\":{{\"name\":{1}}}}},\n"
      "{{\"ph\":\"M\",\"pid\":{0},\"name\":\"process_labels\",\"args\":{{\"labels\":{2}}}}},\n"
      "{{\"ph\":\"M\",\"pid\":{0},\"name\":\"process_sort_index\",\"args\":{{\"sort_index\":{0}}}}"
      "}",
      pid_, JsonString(name_), JsonString(labels));
}

std::string TraceFile::LaneText(int lane) const {
  return fmt::format(
      ",\n{{\"ph\":\"M\",\"pid\":{0},\"tid\":{1},\"name\":\"thread_name\",\"args\":{{\"name\":"
      "\"task slot {1}\"}}}},\n"
      "{{\"ph\":\"M\",\"pid\":{0},\"tid\":{1},\"name\":\"thread_sort_index\",\"args\":"
      "{{\"sort_index\":{1}}}}}",
      pid_, lane);
}

Status TraceFile::Append(const OpenTask& open, const std::string& text) {
  const std::lock_guard lock(file_mutex_);
  Appending file(path_);
  RETURN_NOT_OK(file.Open(/*anew=*/!is_begun_));
  // It is empty the first time, and where somebody has removed it.
  const bool is_empty = file.size() == 0;
  if (is_empty) lanes_described_.clear();
  std::set<int> described = lanes_described_;
  std::string lanes;
  for (const auto& [thread, lane] : open.lanes) {
    if (described.insert(lane.number).second) lanes += LaneText(lane.number);
  }
  RETURN_NOT_OK(file.Write((is_empty ? ProcessText() : "") + lanes + text));
  is_begun_ = true;
  lanes_described_ = std::move(described);
  return Status::OK();
}

}  // namespace reprise
