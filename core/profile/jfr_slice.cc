#include "profile/jfr_slice.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <vector>

namespace reprise {

namespace {

// Numbers of our own strings, beyond those that a profiler gives.
constexpr uint64_t kFirstTag = uint64_t{1} << 40;

std::string_view BytesOf(const JfrChunk& chunk, JfrRange range) {
  return {reinterpret_cast<const char*>(chunk.bytes().data()) + range.begin,
          range.end - range.begin};
}

class Slice {
 public:
  explicit Slice(const JfrChunk& chunk) : chunk_(chunk) {}

  void Add(const JfrSample& sample) {
    if (sample.begin == sample.end) return AddMade(sample);
    events_ += BytesOf(chunk_, {sample.begin, sample.end});
    chunk_.AddReferences(sample, &waiting_);
    TakeNeeded();
  }

  Status Add(const JfrSpan& span) {
    const JfrType* type = chunk_.types().Find("profiler.Span");
    const JfrType* string = chunk_.types().Find("java.lang.String");
    if (type == nullptr || string == nullptr) {
      return Status::Invalid(
          "the recording knows no spans: async-profiler 4.5 or newer writes them");
    }
    const auto [tag, is_new] = tags_.emplace(span.tag, kFirstTag + tags_.size());
    std::string body;
    PutVarint(type->id, &body);
    for (const JfrField& field : type->fields) {
      if (field.name == "startTime") {
        PutVarint(static_cast<uint64_t>(span.start), &body);
      } else if (field.name == "duration") {
        PutVarint(static_cast<uint64_t>(std::max<int64_t>(span.end - span.start, 0)), &body);
      } else if (field.name == "eventThread") {
        PutVarint(span.thread, &body);
        waiting_.push_back({field.type, span.thread});
        TakeNeeded();
      } else if (field.name == "tag" && field.is_constant) {
        PutVarint(tag->second, &body);
      } else {
        return Status::Invalid("spans of the recording have an unknown field ", field.name);
      }
    }
    PutEvent(body, &events_);
    return Status::OK();
  }

  std::string Bytes() const {
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
    PutVarint(type->id, &body);
    for (const JfrField& field : type->fields) {
      const auto value = values.find(field.name);
      const uint64_t number = value == values.end() ? 0 : value->second;
      PutVarint(number, &body);
      if (field.is_constant) waiting_.push_back({field.type, number});
    }
    PutEvent(body, &events_);
    TakeNeeded();
  }

  // Takes in what `waiting_` holds, and what that refers to.
  void TakeNeeded() {
    while (!waiting_.empty()) {
      const JfrReference next = waiting_.back();
      waiting_.pop_back();
      Needed& needed = NeededOf(next.type);
      const size_t at = needed.pool == nullptr ? JfrPool::kNone : needed.pool->Find(next.number);
      if (at == JfrPool::kNone || needed.is_taken[at]) continue;
      needed.is_taken[at] = true;
      ++needed.count;
      JfrCursor cursor = chunk_.CursorAt(needed.pool->entries()[at].range);
      JfrTypes::SkipValue(needed.type, &cursor, &waiting_);
    }
  }

  // Of a type's pool the entries that are taken.
  struct Needed {
    uint64_t id;
    const JfrType* type;
    const JfrPool* pool;
    std::vector<bool> is_taken;
    size_t count = 0;
  };

  // Constants have a handful of types.
  Needed& NeededOf(uint64_t type) {
    const auto found = std::ranges::find(needed_, type, &Needed::id);
    if (found != needed_.end()) return *found;
    const JfrPool* const pool = chunk_.Pool(type);
    return needed_.emplace_back(
        Needed{.id = type,
               .type = chunk_.types().Find(type),
               .pool = pool,
               .is_taken = std::vector<bool>(pool == nullptr ? 0 : pool->entries().size())});
  }

  std::string Pools() const {
    const JfrType* string = chunk_.types().Find("java.lang.String");
    std::string body;
    PutVarint(1, &body);
    PutVarint(static_cast<uint64_t>(chunk_.header().start_ticks), &body);
    PutVarint(0, &body);
    PutVarint(0, &body);
    body.push_back(1);
    const auto is_used = [](const Needed& needed) { return needed.count > 0; };
    const auto used = static_cast<uint64_t>(std::ranges::count_if(needed_, is_used));
    PutVarint(used + (tags_.empty() ? 0 : 1), &body);
    for (const Needed& needed : needed_ | std::views::filter(is_used)) {
      PutVarint(needed.id, &body);
      PutVarint(needed.count, &body);
      const std::vector<JfrPool::Entry>& entries = needed.pool->entries();
      for (size_t i = 0; i < entries.size(); ++i) {
        if (!needed.is_taken[i]) continue;
        PutVarint(entries[i].number, &body);
        body += BytesOf(chunk_, entries[i].range);
      }
    }
    if (tags_.empty()) return body;
    PutVarint(string->id, &body);
    PutVarint(tags_.size(), &body);
    for (const auto& [tag, number] : tags_) {
      PutVarint(number, &body);
      PutString(tag, &body);
    }
    return body;
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

  const JfrChunk& chunk_;
  std::string events_;
  std::map<std::string, uint64_t> tags_;
  std::vector<Needed> needed_;
  std::vector<JfrReference> waiting_;
};

}  // namespace

Result<std::string> SliceOf(const JfrChunk& chunk, std::span<const JfrSample* const> samples,
                            std::span<const JfrSpan> spans) {
  Slice slice(chunk);
  for (const JfrSample* sample : samples) slice.Add(*sample);
  for (const JfrSpan& span : spans) RETURN_NOT_OK(slice.Add(span));
  return slice.Bytes();
}

}  // namespace reprise
