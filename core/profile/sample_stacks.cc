#include "profile/sample_stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>

#include "profile/chunk_frames.h"
#include "profile/jfr_chunk.h"
#include "profile/jfr_file.h"
#include "profile/thread_groups.h"

namespace reprise {

namespace {

constexpr int64_t kKeptBytesMax = 32 << 20;

using ThreadKey = std::pair<int, int64_t>;  // the process's recording, the kernel's number

// The spans of one sort on a thread; they do not overlap.
template <typename Tag>
class Spans {
 public:
  void Add(ThreadKey thread, const JfrSpan& span, Tag tag) {
    by_thread_[thread].push_back({span.start, span.end, std::move(tag)});
  }
  void Sort() {
    for (auto& [thread, spans] : by_thread_) std::ranges::sort(spans, {}, &One::start);
  }
  const Tag* At(ThreadKey thread, int64_t ticks) const {
    const auto spans = by_thread_.find(thread);
    if (spans == by_thread_.end()) return nullptr;
    const auto after = std::ranges::upper_bound(spans->second, ticks, {}, &One::start);
    if (after == spans->second.begin()) return nullptr;
    const One& last = *std::prev(after);
    return ticks <= last.end ? &last.tag : nullptr;
  }

 private:
  struct One {
    int64_t start;
    int64_t end;
    Tag tag;
  };
  std::map<ThreadKey, std::vector<One>> by_thread_;
};

std::string KindFrame(const JfrChunk& chunk, const JfrSample& sample) {
  switch (sample.kind) {
    case SampleKind::kCpu:
      return "CPU";
    case SampleKind::kWall:
      return chunk.State(sample.state) == "STATE_SLEEPING" ? "wall clock, waiting"
                                                           : "wall clock, running";
    case SampleKind::kOther:
      break;
  }
  return chunk.EventNameOf(sample);
}

class StackReader {
 public:
  StackReader(const SampleFilter& filter, std::shared_ptr<FrameNames> names) : filter_(filter) {
    sampled_.names = std::move(names);
  }

  // What a chunk tells of others as well: a span stands in the chunk in which it ended, and names
  // in the last one. `process` keeps the threads of several recordings apart.
  void TakeSpans(const JfrChunk& chunk, std::span<const JfrSpan> spans, int process) {
    for (const JfrSpan& span : spans) {
      const ThreadKey thread{process, chunk.Thread(span.thread).os_id};
      if (const auto tag = ParseTaskTag(span.tag)) {
        tasks_.Add(thread, span, *tag);
        Note(*tag, span);
      } else if (const auto lore_id = ParseOperatorTag(span.tag)) {
        operators_.Add(thread, span, *lore_id);
      } else if (const auto name = ParseNameTag(span.tag)) {
        (name->is_codegen ? codegen_ : sampled_.operator_names)[name->number] = name->text;
      }
    }
  }

  void EndSpans() {
    tasks_.Sort();
    operators_.Sort();
  }

  // `frames` are of the chunk whose samples are taken next, and have the names that are read.
  void BeginSamples(ChunkFrames* frames, int process) {
    known_.clear();
    other_counts_.clear();
    frames_ = frames;
    process_ = process;
  }

  void Take(const JfrSample& sample) {
    const ThreadKey thread{process_, frames_->chunk().Thread(sample.thread).os_id};
    Take(sample, tasks_.At(thread, sample.ticks), operators_.At(thread, sample.ticks));
  }

  void AddChunk() { ++sampled_.chunks; }
  void AddTornBytes(int64_t bytes) { sampled_.torn_bytes += bytes; }
  SampledStacks End() && { return std::move(sampled_); }

 private:
  void Note(const TaskTag& tag, const JfrSpan& span) {
    const auto [found, is_new] =
        sampled_.tasks.emplace(tag.task, RecordedTask{tag, span.start, span.end});
    found->second.start_ns = std::min(found->second.start_ns, span.start);
    found->second.end_ns = std::max(found->second.end_ns, span.end);
  }

  void Take(const JfrSample& sample, const TaskTag* task, const int64_t* lore_id) {
    if (filter_.tasks && (task == nullptr || !filter_.tasks->contains(task->task))) return;
    if (filter_.lore_id && (lore_id == nullptr || *filter_.lore_id != *lore_id)) return;
    const bool is_helper = task != nullptr && task->is_helper;
    const bool needs_thread = task == nullptr || is_helper || !filter_.thread.empty();
    const JfrThread& of_thread = frames_->chunk().Thread(sample.thread);
    if (!filter_.thread.empty() && !FitsPattern(filter_.thread, of_thread.name)) return;
    RecordedTask* const recorded = Count(sample, task, lore_id);
    // Samples of a chunk that are alike in these have the same stack.
    const uint64_t thread = needs_thread ? sample.thread : 0;
    const int of = task == nullptr ? 0 : is_helper ? 1 : 2;
    const Key key{sample.event_type,
                  sample.state,
                  sample.stack,
                  thread,
                  of,
                  lore_id == nullptr ? -1 : *lore_id};
    auto known = known_.find(key);
    if (known == known_.end()) {
      known = known_.emplace(key, StackOf(sample, task, lore_id, of_thread.name)).first;
    }
    known->second->second += sample.count;
    if (filter_.by_task && recorded != nullptr) {
      recorded->stacks[&known->second->first] += sample.count;
    }
  }

  // The entry of the sample's stack.
  NumberedStacks::iterator StackOf(const JfrSample& sample, const TaskTag* task,
                                   const int64_t* lore_id, const std::string& thread) {
    FrameNames& names = *sampled_.names;
    const std::string kind = KindFrame(frames_->chunk(), sample);
    std::vector<uint32_t> frames = {names.NumberOf(kind)};
    if (task == nullptr) {
      frames.push_back(names.NumberOf(ThreadGroup(thread, kind == "wall clock, waiting")));
      frames.push_back(names.NumberOf(ThreadPool(thread)));
    } else if (task->is_helper) {
      frames.push_back(names.NumberOf("thread " + ThreadPool(thread)));
    }
    size_t operator_at = frames.size();  // behind the call of the core, else before all
    const std::vector<ChunkFrames::Frame>& sampled = frames_->Stack(sample.stack);
    if (sampled.empty()) frames.push_back(names.NumberOf("[no stack]"));
    for (const ChunkFrames::Frame& frame : sampled) {
      frames.push_back(WithOperators(frame));
      if (frame.is_native_call) operator_at = frames.size();
    }
    if (lore_id != nullptr) {
      frames.insert(frames.begin() + static_cast<ptrdiff_t>(operator_at),
                    names.NumberOf(OperatorName(*lore_id)));
    }
    return sampled_.stacks.emplace(std::move(frames), 0).first;
  }

  // Returns the sample's task, or null.
  RecordedTask* Count(const JfrSample& sample, const TaskTag* task, const int64_t* lore_id) {
    const bool is_cpu = sample.kind == SampleKind::kCpu;
    const bool is_wall = sample.kind == SampleKind::kWall;
    if (is_cpu) sampled_.cpu_samples += sample.count;
    if (is_wall) sampled_.wall_samples += sample.count;
    if (!is_cpu && !is_wall) CountOther(sample);
    if (lore_id != nullptr) sampled_.operator_samples[*lore_id] += sample.count;
    if (task == nullptr) return nullptr;
    RecordedTask& recorded = sampled_.tasks.at(task->task);
    if (is_cpu) recorded.cpu_samples += sample.count;
    if (is_wall) recorded.wall_samples += sample.count;
    return &recorded;
  }

  // A recording has millions of them, of a few types.
  void CountOther(const JfrSample& sample) {
    auto known = other_counts_.find(sample.event_type);
    if (known == other_counts_.end()) {
      int64_t* const count = &sampled_.other_samples[frames_->chunk().EventNameOf(sample)];
      known = other_counts_.emplace(sample.event_type, count).first;
    }
    *known->second += sample.count;
  }

  std::string OperatorName(int64_t lore_id) const {
    const auto name = sampled_.operator_names.find(lore_id);
    return name == sampled_.operator_names.end() ? fmt::format("[loreId={}]", lore_id)
                                                 : name->second;
  }

  // The number of the frame's name; of a generated class with the operators that it computes.
  uint32_t WithOperators(const ChunkFrames::Frame& frame) {
    const auto computed = frame.codegen < 0 ? codegen_.end() : codegen_.find(frame.codegen);
    if (computed == codegen_.end()) return frame.name;
    FrameNames& names = *sampled_.names;
    return names.NumberOf(fmt::format("{} [{}]", names[frame.name], computed->second));
  }

  // Type of event, state, stack; the thread where it is shown; of what task; LORE id.
  using Key = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t, int, int64_t>;

  const SampleFilter& filter_;
  // Of the chunk that is being read.
  std::map<Key, NumberedStacks::iterator> known_;
  std::map<uint64_t, int64_t*> other_counts_;  // by type, in `sampled_`
  ChunkFrames* frames_ = nullptr;
  int process_ = 0;
  Spans<TaskTag> tasks_;
  Spans<int64_t> operators_;
  SampledStacks sampled_;
  std::map<int64_t, std::string> codegen_;
};

}  // namespace

Result<SampledStacks> ReadStacks(const std::vector<std::string>& files,
                                 const SampleFilter& filter) {
  const auto names = std::make_shared<FrameNames>();
  StackReader reader(filter, names);
  const auto take_samples = [&](const JfrChunk& chunk, int process) {
    ChunkFrames frames(chunk, names);
    reader.BeginSamples(&frames, process);
    for (const JfrSample& sample : chunk.samples()) reader.Take(sample);
  };
  // Spans come before samples, which may be of earlier chunks: files are read once where their
  // chunks can be kept meanwhile, else twice.
  int64_t bytes = 0;
  std::vector<std::pair<int, JfrChunk>> kept;
  for (const bool is_span_round : {true, false}) {
    if (!is_span_round) {
      reader.EndSpans();
      for (const auto& [process, chunk] : kept) take_samples(chunk, process);
      if (bytes <= kKeptBytesMax) break;
      kept.clear();
    }
    for (size_t i = 0; i < files.size(); ++i) {
      const int process = static_cast<int>(i);
      ARROW_ASSIGN_OR_RAISE(const JfrExtent extent, ReadJfrFile(files[i], 0, [&](JfrChunk& chunk) {
                              if (!is_span_round) {
                                take_samples(chunk, process);
                                return Status::OK();
                              }
                              reader.TakeSpans(chunk, chunk.spans(), process);
                              reader.AddChunk();
                              bytes += chunk.header().size;
                              if (bytes <= kKeptBytesMax) {
                                kept.emplace_back(process, std::move(chunk));
                              } else {
                                kept.clear();
                              }
                              return Status::OK();
                            }));
      if (is_span_round) reader.AddTornBytes(extent.torn_bytes);
    }
  }
  return std::move(reader).End();
}

SampledStacks StacksOf(const JfrPart& part, ChunkFrames* frames) {
  const SampleFilter all;
  StackReader reader(all, frames->names());
  reader.TakeSpans(frames->chunk(), part.spans, 0);
  reader.EndSpans();
  reader.BeginSamples(frames, 0);
  for (const JfrSample* sample : part.samples) reader.Take(*sample);
  return std::move(reader).End();
}

bool FitsPattern(std::string_view pattern, std::string_view text) {
  // Where the last * stands, and the text that it is taken to cover up to.
  size_t star = std::string_view::npos;
  size_t covered = 0;
  size_t at = 0;
  for (size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      covered = i;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[i])) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++covered;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

}  // namespace reprise
