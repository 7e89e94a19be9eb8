#include "profile/jfr_slice.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "profile/event_names.h"
#include "profile/span_tag.h"
#include "profile/thread_groups.h"

namespace reprise {

namespace {

// Numbers of our own strings, beyond those that a profiler gives.
constexpr uint64_t kFirstTag = uint64_t{1} << 40;

std::string_view BytesOf(const JfrChunk& chunk, JfrRange range) {
  return {reinterpret_cast<const char*>(chunk.bytes().data()) + range.begin,
          range.end - range.begin};
}

}  // namespace

// The chunk's constants, numbered over all types.
class JfrSlicer::Constants {
 public:
  struct Pool {
    uint64_t type;
    const JfrType* described;
    const JfrPool* entries;
    uint32_t first;  // number of the first entry

    uint32_t end() const { return first + static_cast<uint32_t>(entries->entries().size()); }
    const JfrPool::Entry& operator[](uint32_t constant) const {
      return entries->entries()[constant - first];
    }
  };

  explicit Constants(const JfrChunk& chunk) : chunk_(chunk) {
    uint32_t count = 0;
    for (const auto& [type, pool] : chunk.pools()) {
      pools_.push_back({type, chunk.types().Find(type), &pool, count});
      count = pools_.back().end();
    }
    links_.resize(count);
  }

  const JfrChunk& chunk() const { return chunk_; }
  size_t size() const { return links_.size(); }
  const Pool& PoolOf(uint32_t constant) const {
    return *std::prev(std::ranges::upper_bound(pools_, constant, {}, &Pool::first));
  }

  // Adds the numbers of those that the chunk has.
  void Find(std::span<const JfrReference> references, std::vector<uint32_t>* found) const {
    for (const JfrReference& reference : references) {
      const auto pool = std::ranges::find(pools_, reference.type, &Pool::type);  // of a handful
      if (pool == pools_.end()) continue;
      const size_t at = pool->entries->Find(reference.number);
      if (at != JfrPool::kNone) found->push_back(pool->first + static_cast<uint32_t>(at));
    }
  }

  // The constants that this one refers to itself; until the next call.
  std::span<const uint32_t> LinksOf(uint32_t constant) {
    Links& links = links_[constant];
    if (!links.are_known) {
      const Pool& pool = PoolOf(constant);
      JfrCursor cursor = chunk_.CursorAt(pool[constant].range);
      references_.clear();
      JfrTypes::SkipValue(pool.described, &cursor, &references_);
      links = {.begin = linked_.size(), .are_known = true};
      Find(references_, &linked_);
      links.end = linked_.size();
    }
    return std::span(linked_).subspan(links.begin, links.end - links.begin);
  }

 private:
  // A range of `linked_`.
  struct Links {
    size_t begin = 0;
    size_t end = 0;
    bool are_known = false;
  };

  const JfrChunk& chunk_;
  std::vector<Pool> pools_;   // by type
  std::vector<Links> links_;  // by constant
  std::vector<uint32_t> linked_;
  std::vector<JfrReference> references_;
};

class JfrSlicer::Slice {
 public:
  explicit Slice(Constants* constants)
      : constants_(constants), chunk_(constants->chunk()), is_taken_(constants->size()) {}

  void Add(const JfrSample& sample) {
    if (sample.begin == sample.end) return AddMade(sample);
    events_ += BytesOf(chunk_, {sample.begin, sample.end});
    references_.clear();
    chunk_.AddReferences(sample, &references_);
    TakeNeeded();
  }

  // What samples are of, where a reader would else take them for the processor's time.
  void AddMainEvent() {
    const JfrType* const type = chunk_.types().Find("jdk.ActiveSetting");
    if (type == nullptr || IsProcessorTime(chunk_.main_event())) return;
    std::string body;
    PutVarint(type->id, &body);
    for (const JfrField& field : type->fields) {
      if (field.name == "startTime") {
        PutVarint(static_cast<uint64_t>(chunk_.header().start_ticks), &body);
      } else if (field.name == "name") {
        PutString("event", &body);
      } else if (field.name == "value") {
        PutString(chunk_.main_event(), &body);
      } else {
        PutVarint(0, &body);
      }
    }
    PutEvent(body, &events_);
  }

  Status Add(const JfrSpan& span) {
    const JfrType* type = chunk_.types().Find("profiler.Span");
    const JfrType* string = chunk_.types().Find("java.lang.String");
    if (type == nullptr || string == nullptr) {
      return Status::Invalid(
          "the recording knows no spans: async-profiler 4.5 or newer writes them");
    }
    const std::optional<TaskTag> task = ParseTaskTag(span.tag);
    if (task && !task->is_helper) tasks_[span.thread].push_back(*task);
    const auto [tag, is_new] = tags_.emplace(span.tag, kFirstTag + tags_.size());
    std::string body;
    references_.clear();
    PutVarint(type->id, &body);
    for (const JfrField& field : type->fields) {
      if (field.name == "startTime") {
        PutVarint(static_cast<uint64_t>(span.start), &body);
      } else if (field.name == "duration") {
        PutVarint(static_cast<uint64_t>(std::max<int64_t>(span.end - span.start, 0)), &body);
      } else if (field.name == "eventThread") {
        PutVarint(span.thread, &body);
        references_.push_back({field.type, span.thread});
      } else if (field.name == "tag" && field.is_constant) {
        PutVarint(tag->second, &body);
      } else {
        return Status::Invalid("spans of the recording have an unknown field ", field.name);
      }
    }
    PutEvent(body, &events_);
    TakeNeeded();
    return Status::OK();
  }

  std::string Bytes() {
    std::string bytes(kJfrHeaderBytes, '\0');
    bytes += BytesOf(chunk_, chunk_.metadata());
    bytes += events_;
    const auto pools_at = static_cast<int64_t>(bytes.size());
    PutEvent(Pools(), &bytes);
    const std::string header = Header(static_cast<int64_t>(bytes.size()), pools_at);
    bytes.replace(0, header.size(), header);
    return bytes;
  }

 private:
  void AddMade(const JfrSample& sample) {
    const JfrType* type = chunk_.types().Find(sample.event_type);
    const std::map<std::string_view, uint64_t> values = {
        {"startTime", static_cast<uint64_t>(sample.ticks)},
        {"sampledThread", sample.thread},
        {"stackTrace", sample.stack},
        {"state", sample.state},
        {"samples", static_cast<uint64_t>(sample.count)}};
    std::string body;
    references_.clear();
    PutVarint(type->id, &body);
    for (const JfrField& field : type->fields) {
      const auto value = values.find(field.name);
      const uint64_t number = value == values.end() ? 0 : value->second;
      PutVarint(number, &body);
      if (field.is_constant) references_.push_back({field.type, number});
    }
    PutEvent(body, &events_);
    TakeNeeded();
  }

  // Takes what `references_` holds, and what that refers to.
  void TakeNeeded() {
    found_.clear();
    constants_->Find(references_, &found_);
    size_t next = taken_.size();
    Take(found_);
    while (next < taken_.size()) Take(constants_->LinksOf(taken_[next++]));
  }

  void Take(std::span<const uint32_t> constants) {
    for (const uint32_t constant : constants) {
      if (is_taken_[constant]) continue;
      is_taken_[constant] = true;
      taken_.push_back(constant);
    }
  }

  // As the recording has it, but for the name of one that runs tasks: that is of its last task,
  // which may be another stage's.
  void AppendThread(const JfrType& type, const JfrPool::Entry& entry, std::string* bytes) const {
    if (!IsNamedAfterLastTask(chunk_.Thread(entry.number).name)) {
      *bytes += BytesOf(chunk_, entry.range);
      return;
    }
    const auto tasks = tasks_.find(entry.number);
    const std::string name =
        RunnerName(tasks == tasks_.end() ? std::span<const TaskTag>() : tasks->second);
    JfrCursor cursor = chunk_.CursorAt(entry.range);
    for (const JfrField& field : type.fields) {
      const size_t begin = entry.range.begin + cursor.position();
      const bool is_name =
          !field.is_constant && (field.name == "osName" || field.name == "javaName");
      if (is_name && IsNamedAfterLastTask(cursor.String())) {
        PutString(name, bytes);
        continue;
      }
      if (!is_name) JfrTypes::SkipField(field, &cursor, nullptr);
      *bytes += BytesOf(chunk_, {begin, entry.range.begin + cursor.position()});
    }
  }

  std::string Pools() {
    uint64_t count = 0;
    std::string pools;
    std::ranges::sort(taken_);
    for (auto next = taken_.begin(); next != taken_.end(); ++count) {
      const Constants::Pool& pool = constants_->PoolOf(*next);
      const auto end = std::ranges::lower_bound(next, taken_.end(), pool.end());
      const JfrType* const type = pool.described;
      const bool are_threads = type != nullptr && type->name == "java.lang.Thread";
      PutVarint(pool.type, &pools);
      PutVarint(static_cast<uint64_t>(end - next), &pools);
      for (; next != end; ++next) {
        const JfrPool::Entry& entry = pool[*next];
        PutVarint(entry.number, &pools);
        if (are_threads) {
          AppendThread(*type, entry, &pools);
        } else {
          pools += BytesOf(chunk_, entry.range);
        }
      }
    }
    if (!tags_.empty()) {
      ++count;
      PutVarint(chunk_.types().Find("java.lang.String")->id, &pools);
      PutVarint(tags_.size(), &pools);
      for (const auto& [tag, number] : tags_) {
        PutVarint(number, &pools);
        PutString(tag, &pools);
      }
    }
    std::string body;
    PutVarint(1, &body);
    PutVarint(static_cast<uint64_t>(chunk_.header().start_ticks), &body);
    PutVarint(0, &body);
    PutVarint(0, &body);
    body.push_back(1);
    PutVarint(count, &body);
    return body + pools;
  }

  std::string Header(int64_t size, int64_t pools_at) const {
    const JfrHeader& of = chunk_.header();
    std::string header("FLR\0\0\2\0\0", 8);
    for (const int64_t value : {size, pools_at, static_cast<int64_t>(kJfrHeaderBytes), of.start_ns,
                                of.duration_ns, of.start_ticks, of.ticks_per_second}) {
      PutBigEndian(static_cast<uint64_t>(value), 8, &header);
    }
    PutBigEndian(1, 4, &header);
    return header;
  }

  Constants* const constants_;
  const JfrChunk& chunk_;
  std::string events_;
  std::map<std::string, uint64_t> tags_;
  std::map<uint64_t, std::vector<TaskTag>> tasks_;  // by thread
  std::vector<bool> is_taken_;                      // by constant
  std::vector<uint32_t> taken_;
  std::vector<JfrReference> references_;
  std::vector<uint32_t> found_;
};

JfrSlicer::JfrSlicer(const JfrChunk& chunk) : constants_(std::make_unique<Constants>(chunk)) {}

JfrSlicer::~JfrSlicer() = default;

Result<std::string> JfrSlicer::SliceOf(const JfrPart& part) {
  Slice slice(constants_.get());
  slice.AddMainEvent();
  for (const JfrSample* sample : part.samples) slice.Add(*sample);
  for (const JfrSpan& span : part.spans) RETURN_NOT_OK(slice.Add(span));
  return slice.Bytes();
}

}  // namespace reprise
