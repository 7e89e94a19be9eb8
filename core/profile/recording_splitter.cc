#include "profile/recording_splitter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "dump/file.h"
#include "profile/jfr_chunk.h"
#include "profile/jfr_file.h"
#include "profile/jfr_slice.h"
#include "profile/tick_samples.h"

namespace reprise {

namespace {

// Gives a part of a file that has been read back to the file system; where that cannot do it, the
// recording keeps its size until it ends.
void PunchHole(const std::string& file, int64_t begin, int64_t end) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  static_cast<void>(
      fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin, end - begin));
  close(descriptor);
}

const TaskInterval* TaskAt(const std::vector<TaskInterval>& tasks, int64_t ns) {
  const auto after = std::ranges::upper_bound(tasks, ns, {}, &TaskInterval::start);
  if (after == tasks.begin()) return nullptr;
  const TaskInterval& last = *std::prev(after);
  return ns <= last.end ? &last : nullptr;
}

// The number behind "TID " in a thread's name, by which Spark says which task it works for.
std::optional<int64_t> TaskInName(std::string_view name) {
  constexpr std::string_view kTid = "TID ";
  const size_t at = name.find(kTid);
  int64_t task = 0;
  if (at == std::string_view::npos) return std::nullopt;
  const char* const begin = name.data() + at + kTid.size();
  if (std::from_chars(begin, name.data() + name.size(), task).ec != std::errc()) {
    return std::nullopt;
  }
  return task;
}

// Of names that the recording does not have.
std::set<std::string> MissingTags(const SliceFigures& figures,
                                  const std::vector<std::string>& tags) {
  std::set<std::string> missing;
  for (const std::string& tag : tags) {
    if (!figures.names.contains(tag)) missing.insert(tag);
  }
  return missing;
}

void AddTags(const std::set<std::string>& tags, int64_t ns, std::vector<JfrSpan>* spans) {
  for (const std::string& tag : tags) {
    spans->push_back({.start = ns, .end = ns, .thread = 0, .tag = tag});
  }
}

}  // namespace

// What goes into one slice of a chunk.
struct RecordingSplitter::Part : JfrPart {
  std::set<std::pair<int64_t, int64_t>> operator_spans;  // thread and start of those in `spans`
};

void RecordingSplitter::Add(const std::vector<OperatorChange>& changes) {
  for (const OperatorChange& change : changes) operators_[change.thread].push_back(change);
}

void RecordingSplitter::AddTicks(const std::vector<WallTick>& ticks) {
  ticks_.insert(ticks_.end(), ticks.begin(), ticks.end());
}

// Those up to then, as samples.
std::vector<JfrSample> RecordingSplitter::TakeTicks(const JfrChunk& chunk, int64_t end,
                                                    const Threads& threads) {
  const auto later = std::ranges::upper_bound(ticks_, end, {}, &WallTick::ns);
  const auto task_of = [&threads](int64_t thread, int64_t ns) -> const void* {
    const auto found = threads.find(thread);
    return found == threads.end() ? nullptr : TaskAt(found->second, ns);
  };
  std::vector<JfrSample> samples = SamplesOf(chunk, {ticks_.begin(), later}, task_of);
  ticks_.erase(ticks_.begin(), later);
  return samples;
}

Status RecordingSplitter::Split(const std::vector<TaskInterval>& tasks, const ShownStages& shown) {
  kept_.reset();
  Threads threads;
  for (const TaskInterval& task : tasks) threads[task.thread].push_back(task);
  for (auto& [thread, intervals] : threads) {
    std::ranges::sort(intervals, {}, &TaskInterval::start);
  }
  const int64_t begin = offset_;
  const auto split = [&](JfrChunk& chunk) { return SplitChunk(std::move(chunk), threads, shown); };
  // The profiler itself leaves gaps where the disk is full.
  const auto leave_out = [this](const Status& reason) {
    ++other_.lost_chunks;
    other_.error = reason.message();
  };
  ARROW_ASSIGN_OR_RAISE(const JfrExtent extent,
                        ReadJfrFile(recording_, offset_, split, leave_out, settings_["event"]));
  offset_ = extent.end;
  if (offset_ > begin) PunchHole(recording_, begin, offset_);
  for (const auto& [stage, tags] : shown) {
    const Status named = Name(stage, tags);
    if (!named.ok()) stages_.at(stage).error = named.message();
  }
  return Status::OK();
}

// A thread that is named after a task belongs to it while it runs.
void RecordingSplitter::AddNamed(const JfrThread& thread, Threads* threads) {
  const std::optional<int64_t> number = TaskInName(thread.name);
  if (!number) return;
  for (const auto& [of, intervals] : *threads) {
    for (TaskInterval task : intervals) {
      if (task.task.task != *number || task.task.is_helper) continue;
      task.thread = thread.os_id;
      task.task.is_helper = true;
      (*threads)[thread.os_id] = {task};
      return;
    }
  }
}

// The chunk's numbers of the kernel's threads. Those that are named after a task are added to its.
std::map<int64_t, uint64_t> RecordingSplitter::NumberThreads(const JfrChunk& chunk,
                                                             Threads* threads) {
  std::map<int64_t, uint64_t> numbers;
  const JfrType* type = chunk.types().Find("java.lang.Thread");
  const JfrPool* const pool = type == nullptr ? nullptr : chunk.Pool(type->id);
  if (pool == nullptr) return numbers;
  for (const auto& [number, range] : pool->entries()) {
    const JfrThread thread = chunk.Thread(number);
    numbers[thread.os_id] = number;
    if (!threads->contains(thread.os_id)) AddNamed(thread, threads);
  }
  return numbers;
}

Status RecordingSplitter::SplitChunk(JfrChunk chunk, Threads threads, const ShownStages& shown) {
  kept_.reset();
  if (chunk.header().ticks_per_second != 1'000'000'000) {
    return Status::Invalid(recording_, ": its clock is not the monotonic one (clock=monotonic)");
  }
  // A start that failed may have told of another event before.
  for (const auto& [name, value] : chunk.settings()) settings_[name] = value;
  const int64_t chunk_start = chunk.header().start_ticks;
  int64_t chunk_end = chunk_start + chunk.header().duration_ns;
  for (const JfrSample& sample : chunk.samples()) chunk_end = std::max(chunk_end, sample.ticks);

  const std::map<int64_t, uint64_t> numbers = NumberThreads(chunk, &threads);
  std::map<uint64_t, int64_t> os_ids;
  for (const auto& [os_id, number] : numbers) os_ids[number] = os_id;

  std::map<StageAttemptId, Part> parts;
  Part other;
  for (const auto& [thread, intervals] : threads) {
    const auto number = numbers.find(thread);
    for (const TaskInterval& task : intervals) {
      if (task.start > chunk_end || task.end < chunk_start) continue;
      parts[task.task.stage].spans.push_back(
          {.start = task.start,
           .end = std::min(task.end, chunk_end),
           .thread = number == numbers.end() ? static_cast<uint64_t>(thread) : number->second,
           .tag = TagOf(task.task)});
    }
  }
  std::vector<JfrSample> ticked = TakeTicks(chunk, chunk_end, threads);
  const auto take = [&](const JfrSample& sample) {
    const auto os_id = os_ids.find(sample.thread);
    const int64_t thread =
        os_id == os_ids.end() ? static_cast<int64_t>(sample.thread) : os_id->second;
    const auto intervals = threads.find(thread);
    const TaskInterval* task =
        intervals == threads.end() ? nullptr : TaskAt(intervals->second, sample.ticks);
    Part& part = task == nullptr ? other : parts[task->task.stage];
    part.samples.push_back(&sample);
    const OperatorChange* inside = task == nullptr ? nullptr : OperatorAt(thread, sample.ticks);
    if (inside == nullptr || inside->lore_id == 0) return;
    if (!part.operator_spans.emplace(thread, inside->ns).second) return;
    const OperatorChange* last = &operators_.at(thread).back();
    part.spans.push_back({.start = inside->ns,
                          .end = inside == last ? chunk_end : (inside + 1)->ns,
                          .thread = sample.thread,
                          .tag = OperatorTag(inside->lore_id)});
  };
  std::ranges::for_each(chunk.samples(), take);
  std::ranges::for_each(ticked, take);

  JfrSlicer slicer(chunk);
  std::map<StageAttemptId, JfrPart> kept = WriteParts(&parts, shown, chunk_end, &slicer);
  if (!other.samples.empty()) static_cast<void>(WriteSlice(other, "other.jfr", &slicer, &other_));
  ARROW_ASSIGN_OR_RAISE(empty_chunk_, slicer.SliceOf({}));
  ForgetOperatorsBefore(chunk_end);
  if (!kept.empty()) {
    kept_ = std::make_unique<KeptChunk>(std::move(chunk), std::move(ticked), std::move(kept));
  }
  return Status::OK();
}

// Each stage's part into its recording. What is given back are those that are shown next, and that
// have nothing in their recordings but this.
std::map<StageAttemptId, JfrPart> RecordingSplitter::WriteParts(
    std::map<StageAttemptId, Part>* parts, const ShownStages& shown, int64_t end,
    JfrSlicer* slicer) {
  std::map<StageAttemptId, JfrPart> kept;
  for (auto& [stage, part] : *parts) {
    SliceFigures& figures = stages_[stage];
    const bool is_whole = figures.bytes == 0;
    std::set<std::string> tags;
    const auto found = shown.find(stage);
    if (found != shown.end()) {
      tags = MissingTags(figures, found->second);
      AddTags(tags, end, &part.spans);
    }
    const std::string name = fmt::format("stage-{}-attempt-{}.jfr", stage.stage, stage.attempt);
    if (!WriteSlice(part, name, slicer, &figures).ok()) continue;
    figures.names.merge(tags);
    if (found != shown.end() && is_whole) kept.emplace(stage, std::move(part));
  }
  return kept;
}

// Notes what became of it; whoever ignores the status has that.
Status RecordingSplitter::WriteSlice(const JfrPart& part, const std::string& name,
                                     JfrSlicer* slicer, SliceFigures* figures) {
  figures->file = folder_ + "/" + name;
  const Result<std::string> bytes = slicer->SliceOf(part);
  const Status written = bytes.ok() ? Append(*bytes, figures) : bytes.status();
  if (!written.ok()) {
    ++figures->lost_chunks;
    figures->error = written.message();
    return written;
  }
  for (const JfrSample* sample : part.samples) {
    if (sample->kind == SampleKind::kCpu) figures->cpu_samples += sample->count;
    if (sample->kind == SampleKind::kWall) figures->wall_samples += sample->count;
  }
  return Status::OK();
}

Result<SampledStacks> RecordingSplitter::StacksOf(StageAttemptId stage) {
  if (kept_ == nullptr || !kept_->parts.contains(stage)) {
    return ReadStacks({stages_.at(stage).file}, {});
  }
  SampledStacks sampled = reprise::StacksOf(kept_->parts.at(stage), &kept_->frames);
  kept_->parts.erase(stage);
  if (kept_->parts.empty()) kept_.reset();
  return sampled;
}

// The stage's recording gets the names that it does not have yet. A stage that has no recording is
// left alone.
Status RecordingSplitter::Name(StageAttemptId stage, const std::vector<std::string>& tags) {
  const auto found = stages_.find(stage);
  if (found == stages_.end()) return Status::OK();
  SliceFigures& figures = found->second;
  std::set<std::string> missing = MissingTags(figures, tags);
  if (missing.empty()) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const JfrChunk chunk,
                        JfrChunk::Read({empty_chunk_.begin(), empty_chunk_.end()}, 0, recording_));
  const int64_t end = chunk.header().start_ticks + chunk.header().duration_ns;
  JfrPart part;
  AddTags(missing, end, &part.spans);
  ARROW_ASSIGN_OR_RAISE(const std::string bytes, JfrSlicer(chunk).SliceOf(part));
  RETURN_NOT_OK(Append(bytes, &figures));
  figures.names.merge(missing);
  return Status::OK();
}

const OperatorChange* RecordingSplitter::OperatorAt(int64_t thread, int64_t ns) const {
  const auto found = operators_.find(thread);
  if (found == operators_.end()) return nullptr;
  const std::vector<OperatorChange>& changes = found->second;
  const auto after = std::ranges::upper_bound(changes, ns, {}, &OperatorChange::ns);
  return after == changes.begin() ? nullptr : &*std::prev(after);
}

// All but what was current then.
void RecordingSplitter::ForgetOperatorsBefore(int64_t ns) {
  for (auto thread = operators_.begin(); thread != operators_.end();) {
    std::vector<OperatorChange>& changes = thread->second;
    const auto after = std::ranges::upper_bound(changes, ns, {}, &OperatorChange::ns);
    if (after != changes.begin()) changes.erase(changes.begin(), std::prev(after));
    const bool is_over = changes.size() == 1 && changes.front().lore_id == 0;
    thread = is_over ? operators_.erase(thread) : std::next(thread);
  }
}

// Wholly or not at all: what stands behind a part of a chunk could not be read.
Status RecordingSplitter::Append(const std::string& bytes, SliceFigures* figures) {
  std::ofstream file(figures->file, std::ios::binary | std::ios::app);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    const Status failed = SystemError(figures->file, "write", errno);
    std::error_code ignored;  // there may be no file
    std::filesystem::resize_file(figures->file, static_cast<uintmax_t>(figures->bytes), ignored);
    return failed;
  }
  figures->bytes += static_cast<int64_t>(bytes.size());
  if (figures->bytes > bytes_max_) {
    const Status dropped = DropOldest(figures);
    if (!dropped.ok()) figures->error = dropped.message();  // nothing is lost
  }
  return Status::OK();
}

// Down to three quarters of what is allowed, so that it is not done at every chunk. The newest
// chunk stays, whatever it has.
Status RecordingSplitter::DropOldest(SliceFigures* figures) {
  std::vector<int64_t> sizes;
  ARROW_ASSIGN_OR_RAISE(const JfrExtent extent, ReadJfrFile(figures->file, 0, [&](JfrChunk& chunk) {
                          sizes.push_back(chunk.header().size);
                          return Status::OK();
                        }));
  int64_t begin = 0;
  size_t dropped = 0;
  while (dropped + 1 < sizes.size() && extent.end - begin > bytes_max_ / 4 * 3) {
    begin += sizes[dropped++];
  }
  if (begin == 0) return Status::OK();
  const std::string shorter = figures->file + ".new";
  std::error_code error;
  {
    std::ifstream from(figures->file, std::ios::binary);
    std::ofstream to(shorter, std::ios::binary | std::ios::trunc);
    from.seekg(begin);
    to << from.rdbuf();
    to.close();
    if (!from || !to) {
      const Status failed = SystemError(shorter, "write", errno);
      std::filesystem::remove(shorter, error);
      return failed;
    }
  }
  std::filesystem::rename(shorter, figures->file, error);
  if (error) return SystemError(figures->file, "replace", error.value());
  figures->bytes = extent.end - begin;
  figures->dropped_chunks += static_cast<int64_t>(dropped);
  figures->names.clear();  // they may have been in what went
  return Status::OK();
}

}  // namespace reprise
