// One chunk of a JFR recording: a self-contained run of events with the constants they refer to.
//
//   header (68 bytes) | events: metadata, samples, spans, …, constant pools
//
// An event is its size, its type, and values laid out as the metadata event says. Format: the
// JDK's jdk.jfr.internal.consumer.parser; async-profiler writes the same with types of its own.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "profile/event_names.h"
#include "profile/jfr_pool.h"
#include "profile/jfr_types.h"

namespace reprise {

inline constexpr size_t kJfrHeaderBytes = 68;

struct JfrHeader {
  int64_t size = 0;      ///< bytes of the chunk; of one that was not ended: more than there are
  int64_t pools_at = 0;  ///< of the last constant pools; 0: the chunk was not ended
  int64_t start_ns = 0;  ///< since 1970
  int64_t duration_ns = 0;
  int64_t start_ticks = 0;
  int64_t ticks_per_second = 1;

  /// Status::Invalid where `bytes` do not begin a chunk of a version that can be read.
  static Result<JfrHeader> Read(std::span<const uint8_t> bytes, int64_t offset,
                                std::string_view file);
};

enum class SampleKind { kCpu, kWall, kOther };

/// An event of a thread with a stack: a sample, or an allocation, a wait for a lock and the like.
struct JfrSample {
  SampleKind kind = SampleKind::kOther;
  uint64_t event_type = 0;
  int64_t ticks = 0;
  int64_t count = 1;  ///< samples that the event stands for
  uint64_t thread = 0;
  uint64_t stack = 0;
  uint64_t state = 0;
  // The event's bytes in the chunk; none of a sample that is made of others.
  size_t begin = 0;
  size_t end = 0;
};

/// A stretch of time on a thread, with a tag.
struct JfrSpan {
  int64_t start = 0;  ///< ticks
  int64_t end = 0;
  uint64_t thread = 0;
  std::string tag;
};

/// Some of a chunk's samples, and spans of their threads.
struct JfrPart {
  std::vector<const JfrSample*> samples;
  std::vector<JfrSpan> spans;
};

struct JfrThread {
  std::string name;
  int64_t os_id = 0;
};

class JfrChunk {
 public:
  /// Reads the chunk that stands at `offset` of the file. One that was not ended (its process was
  /// killed) has no constants, so its samples have no stacks: `torn`. Unknown events are passed
  /// over. Status::Invalid names file and offset.
  ///
  /// @param main_event  that of the chunks before: async-profiler tells it in the first one alone
  static Result<JfrChunk> Read(std::vector<uint8_t> bytes, int64_t offset, std::string file,
                               std::string main_event = "");

  const JfrHeader& header() const { return header_; }
  bool torn() const { return header_.pools_at == 0; }
  const JfrTypes& types() const { return *types_; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  const std::vector<JfrSample>& samples() const { return samples_; }
  const std::vector<JfrSpan>& spans() const { return spans_; }
  JfrRange metadata() const { return metadata_; }
  /// The settings that the profiler wrote down: "interval" → "10000000".
  const std::map<std::string, std::string>& settings() const { return settings_; }
  /// What the profiler's samples are of: "page-faults"; "": not known.
  const std::string& main_event() const { return main_event_; }
  /// As pages have it: see event_names.h.
  std::string EventNameOf(const JfrSample& sample) const {
    return EventName(types_->Find(sample.event_type)->name, main_event_);
  }

  /// Constants by their types.
  const std::map<uint64_t, JfrPool>& pools() const { return pools_; }
  /// Null where the chunk has no constant of the type.
  const JfrPool* Pool(uint64_t type) const;
  /// What the sample's event refers to.
  void AddReferences(const JfrSample& sample, std::vector<JfrReference>* references) const;
  /// Reads bytes of the chunk.
  JfrCursor CursorAt(JfrRange range) const;

  const JfrThread& Thread(uint64_t number) const;
  const std::string& State(uint64_t number) const;
  /// The numbers of the stack's methods from the root to the leaf; none where the chunk lacks it.
  std::vector<uint64_t> Stack(uint64_t number) const;
  /// "java.lang.Thread.run", "clock_gettime"
  std::string FrameName(uint64_t method) const;

 private:
  enum class SampleField { kSkipped, kInteger, kTicks, kThread, kStack, kState, kCount };

  // What there is to read of a type's events.
  struct EventPlan {
    bool is_span = false;
    bool is_setting = false;
    SampleKind kind = SampleKind::kOther;
    std::vector<SampleField> fields = {};  // of a sample
    bool is_sample = false;                // has a thread and a stack
  };

  // The constants of a type that is often asked for.
  struct Constants {
    const JfrType* type = nullptr;
    const JfrPool* pool = nullptr;
    const JfrRange* Find(uint64_t number) const;
  };

  Constants ConstantsOf(std::string_view type) const;
  const JfrRange* Constant(JfrReference reference) const;
  Status ReadEvents();
  Status ReadEvent(uint64_t type, JfrCursor* cursor, JfrRange range);
  Status ReadPools(JfrCursor* cursor);
  static EventPlan PlanOf(const JfrType& type);
  void ReadSample(const JfrType& type, const EventPlan& plan, JfrCursor* cursor, JfrRange range);
  void ReadSpan(const JfrType& type, JfrCursor* cursor);
  void ReadSetting(const JfrType& type, JfrCursor* cursor);
  void ResolveTags();
  std::string FirstString(JfrReference constant) const;
  JfrThread ReadThread(uint64_t number) const;
  std::string ClassName(uint64_t number) const;

  std::string file_;
  int64_t offset_ = 0;
  std::vector<uint8_t> bytes_;
  JfrHeader header_;
  std::shared_ptr<const JfrTypes> types_ = std::make_shared<const JfrTypes>();
  JfrRange metadata_;
  std::vector<JfrSample> samples_;
  std::vector<JfrSpan> spans_;
  std::vector<uint64_t> span_tags_;  // constants, until all pools are read
  std::map<std::string, std::string> settings_;
  std::string main_event_;
  std::map<uint64_t, JfrPool> pools_;
  Constants stacks_;
  Constants methods_;
  Constants classes_;
  const JfrType* frame_type_ = nullptr;
  std::unordered_map<uint64_t, EventPlan> plans_;
  // What has been asked for.
  mutable std::unordered_map<uint64_t, JfrThread> threads_;
  mutable std::unordered_map<uint64_t, std::string> states_;
};

}  // namespace reprise
