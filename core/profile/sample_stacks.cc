#include "profile/sample_stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "profile/jfr_file.h"
#include "profile/thread_groups.h"

namespace reprise {

namespace {

constexpr std::string_view kNativeCalls = "reprise.bridge.Native.";
constexpr int64_t kKeptBytesMax = 32 << 20;
constexpr std::string_view kGenerated = "GeneratedIteratorForCodegenStage";

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
  return chunk.types().Find(sample.event_type)->name;
}

class StackReader {
 public:
  explicit StackReader(const SampleFilter& filter) : filter_(filter) {}

  // What a chunk tells of others as well: a span stands in the chunk in which it ended, and names
  // in the last one. `process` keeps the threads of several recordings apart.
  void TakeSpans(const JfrChunk& chunk, int process) {
    for (const JfrSpan& span : chunk.spans()) {
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

  void TakeSamples(const JfrChunk& chunk, int process) {
    known_.clear();
    frames_.clear();
    for (const JfrSample& sample : chunk.samples()) {
      const ThreadKey thread{process, chunk.Thread(sample.thread).os_id};
      Take(chunk, sample, tasks_.At(thread, sample.ticks), operators_.At(thread, sample.ticks));
    }
  }

  void AddTornBytes(int64_t bytes) { sampled_.torn_bytes += bytes; }
  SampledStacks End() && { return std::move(sampled_); }

 private:
  struct Frame {
    uint32_t number;  // of its name
    bool is_native_call;
  };

  void Note(const TaskTag& tag, const JfrSpan& span) {
    const auto [found, is_new] =
        sampled_.tasks.emplace(tag.task, RecordedTask{tag, span.start, span.end});
    found->second.start_ns = std::min(found->second.start_ns, span.start);
    found->second.end_ns = std::max(found->second.end_ns, span.end);
  }

  void Take(const JfrChunk& chunk, const JfrSample& sample, const TaskTag* task,
            const int64_t* lore_id) {
    if (filter_.tasks && (task == nullptr || !filter_.tasks->contains(task->task))) return;
    if (filter_.lore_id && (lore_id == nullptr || *filter_.lore_id != *lore_id)) return;
    const bool is_helper = task != nullptr && task->is_helper;
    const bool needs_thread = task == nullptr || is_helper || !filter_.thread.empty();
    if (!filter_.thread.empty() && !FitsPattern(filter_.thread, chunk.Thread(sample.thread).name)) {
      return;
    }
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
      const std::string& name = chunk.Thread(sample.thread).name;
      known = known_.emplace(key, StackOf(chunk, sample, task, lore_id, name)).first;
    }
    known->second->second += sample.count;
    if (filter_.by_task && recorded != nullptr) {
      recorded->stacks[&known->second->first] += sample.count;
    }
  }

  // The entry of the sample's stack.
  NumberedStacks::iterator StackOf(const JfrChunk& chunk, const JfrSample& sample,
                                   const TaskTag* task, const int64_t* lore_id,
                                   const std::string& thread) {
    FrameNames& names = sampled_.names;
    const std::string kind = KindFrame(chunk, sample);
    std::vector<uint32_t> frames = {names.NumberOf(kind)};
    if (task == nullptr) {
      frames.push_back(names.NumberOf(ThreadGroup(thread, kind == "wall clock, waiting")));
      frames.push_back(names.NumberOf(ThreadPool(thread)));
    } else if (task->is_helper) {
      frames.push_back(names.NumberOf("thread " + ThreadPool(thread)));
    }
    size_t operator_at = frames.size();  // behind the call of the core, else before all
    const std::vector<uint64_t> methods = chunk.Stack(sample.stack);
    if (methods.empty()) frames.push_back(names.NumberOf("[no stack]"));
    for (const uint64_t method : methods) {
      const Frame frame = FrameOf(chunk, method);
      frames.push_back(frame.number);
      if (frame.is_native_call) operator_at = frames.size();
    }
    if (lore_id != nullptr) {
      frames.insert(frames.begin() + static_cast<ptrdiff_t>(operator_at),
                    names.NumberOf(OperatorName(*lore_id)));
    }
    return sampled_.stacks.emplace(std::move(frames), 0).first;
  }

  Frame FrameOf(const JfrChunk& chunk, uint64_t method) {
    const auto known = frames_.find(method);
    if (known != frames_.end()) return known->second;
    const uint32_t number = sampled_.names.NumberOf(WithOperators(chunk.FrameName(method)));
    const Frame frame{number, sampled_.names[number].starts_with(kNativeCalls)};
    return frames_.emplace(method, frame).first->second;
  }

  // Returns the sample's task, or null.
  RecordedTask* Count(const JfrSample& sample, const TaskTag* task, const int64_t* lore_id) {
    const bool is_cpu = sample.kind == SampleKind::kCpu;
    const bool is_wall = sample.kind == SampleKind::kWall;
    if (is_cpu) sampled_.cpu_samples += sample.count;
    if (is_wall) sampled_.wall_samples += sample.count;
    if (lore_id != nullptr) sampled_.operator_samples[*lore_id] += sample.count;
    if (task == nullptr) return nullptr;
    RecordedTask& recorded = sampled_.tasks.at(task->task);
    if (is_cpu) recorded.cpu_samples += sample.count;
    if (is_wall) recorded.wall_samples += sample.count;
    return &recorded;
  }

  std::string OperatorName(int64_t lore_id) const {
    const auto name = sampled_.operator_names.find(lore_id);
    return name == sampled_.operator_names.end() ? fmt::format("[loreId={}]", lore_id)
                                                 : name->second;
  }

  // A frame of a generated class, with the operators that the class computes.
  std::string WithOperators(std::string frame) const {
    const size_t at = frame.find(kGenerated);
    if (at == std::string::npos) return frame;
    const int64_t number = std::atoll(frame.c_str() + at + kGenerated.size());
    const auto name = codegen_.find(number);
    return name == codegen_.end() ? frame : fmt::format("{} [{}]", frame, name->second);
  }

  // Type of event, state, stack; the thread where it is shown; of what task; LORE id.
  using Key = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t, int, int64_t>;

  const SampleFilter& filter_;
  // Of the chunk that is being read.
  std::map<Key, NumberedStacks::iterator> known_;
  std::unordered_map<uint64_t, Frame> frames_;  // by method
  Spans<TaskTag> tasks_;
  Spans<int64_t> operators_;
  SampledStacks sampled_;
  std::map<int64_t, std::string> codegen_;
};

}  // namespace

Result<SampledStacks> ReadStacks(const std::vector<std::string>& files,
                                 const SampleFilter& filter) {
  StackReader reader(filter);
  // Spans come before samples, which may be of earlier chunks: files are read once where their
  // chunks can be kept meanwhile, else twice.
  int64_t bytes = 0;
  std::vector<std::pair<int, JfrChunk>> kept;
  for (const bool is_span_round : {true, false}) {
    if (!is_span_round) {
      reader.EndSpans();
      for (const auto& [process, chunk] : kept) reader.TakeSamples(chunk, process);
      if (bytes <= kKeptBytesMax) break;
      kept.clear();
    }
    for (size_t i = 0; i < files.size(); ++i) {
      const int process = static_cast<int>(i);
      ARROW_ASSIGN_OR_RAISE(const JfrExtent extent, ReadJfrFile(files[i], 0, [&](JfrChunk& chunk) {
                              if (!is_span_round) {
                                reader.TakeSamples(chunk, process);
                                return Status::OK();
                              }
                              reader.TakeSpans(chunk, process);
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
