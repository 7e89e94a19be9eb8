#include "profile/jfr_chunk.h"

#include <fmt/format.h>

#include <algorithm>

namespace reprise {

namespace {

constexpr uint64_t kMetadataEvent = 0;
constexpr uint64_t kPoolsEvent = 1;
constexpr uint64_t kNoConstant = UINT64_MAX;
// A pool that claims more entries grows as they come: the claim may be malformed.
constexpr uint64_t kReservedMax = 1 << 16;
// "the values are LEB128": what every writer of version 2 sets.
constexpr uint64_t kCompressedIntegers = 1;

SampleKind KindOf(std::string_view type) {
  if (type == "jdk.ExecutionSample") return SampleKind::kCpu;
  return type == "profiler.WallClockSample" ? SampleKind::kWall : SampleKind::kOther;
}

}  // namespace

Result<JfrHeader> JfrHeader::Read(std::span<const uint8_t> bytes, int64_t offset,
                                  std::string_view file) {
  const auto invalid = [&](std::string_view what) {
    return Status::Invalid(file, ": offset ", offset, ": ", what);
  };
  if (bytes.size() < kJfrHeaderBytes) return invalid("the header of a chunk is cut off");
  JfrCursor cursor(bytes, offset);
  if (cursor.BigEndian(4) != 0x464C5200) return invalid("expected a chunk of a JFR recording");
  const uint64_t major = cursor.BigEndian(2);
  cursor.BigEndian(2);
  if (major != 2) {
    return invalid(fmt::format("the chunk has version {}, expected version 2", major));
  }
  JfrHeader header;
  header.size = static_cast<int64_t>(cursor.BigEndian(8));
  header.pools_at = static_cast<int64_t>(cursor.BigEndian(8));
  cursor.BigEndian(8);  // where the metadata is: found on the way
  header.start_ns = static_cast<int64_t>(cursor.BigEndian(8));
  header.duration_ns = static_cast<int64_t>(cursor.BigEndian(8));
  header.start_ticks = static_cast<int64_t>(cursor.BigEndian(8));
  header.ticks_per_second = static_cast<int64_t>(cursor.BigEndian(8));
  if ((cursor.BigEndian(4) & kCompressedIntegers) == 0) {
    return invalid("the integers of the chunk are not compressed, which is not supported");
  }
  if (header.size < static_cast<int64_t>(kJfrHeaderBytes) || header.ticks_per_second <= 0) {
    return invalid("the header of the chunk is malformed");
  }
  return header;
}

Result<JfrChunk> JfrChunk::Read(std::vector<uint8_t> bytes, int64_t offset, std::string file,
                                std::string main_event) {
  JfrChunk chunk;
  chunk.main_event_ = std::move(main_event);
  chunk.bytes_ = std::move(bytes);
  chunk.offset_ = offset;
  chunk.file_ = std::move(file);
  ARROW_ASSIGN_OR_RAISE(chunk.header_, JfrHeader::Read(chunk.bytes_, offset, chunk.file_));
  RETURN_NOT_OK(chunk.ReadEvents());
  if (!IsProcessorTime(chunk.main_event_)) {
    for (JfrSample& sample : chunk.samples_) {
      if (sample.kind == SampleKind::kCpu) sample.kind = SampleKind::kOther;
    }
  }
  for (auto& [type, pool] : chunk.pools_) pool.Sort();
  chunk.stacks_ = chunk.ConstantsOf("jdk.types.StackTrace");
  chunk.methods_ = chunk.ConstantsOf("jdk.types.Method");
  chunk.classes_ = chunk.ConstantsOf("java.lang.Class");
  chunk.frame_type_ = chunk.types().Find("jdk.types.StackFrame");
  chunk.ResolveTags();
  return chunk;
}

JfrCursor JfrChunk::CursorAt(JfrRange range) const {
  return JfrCursor(std::span(bytes_).subspan(range.begin, range.end - range.begin),
                   offset_ + static_cast<int64_t>(range.begin));
}

Status JfrChunk::ReadEvents() {
  // The metadata event comes first with async-profiler, but may stand anywhere: two rounds.
  for (const bool is_metadata_round : {true, false}) {
    for (size_t at = kJfrHeaderBytes; at < bytes_.size();) {
      JfrCursor cursor = CursorAt({at, bytes_.size()});
      const uint64_t size = cursor.Varint();
      const uint64_t head = cursor.position();
      if (cursor.failed() || size <= head || size > bytes_.size() - at) {
        if (torn()) return Status::OK();  // the process died while it wrote this one
        return Status::Invalid(file_, ": offset ", offset_ + static_cast<int64_t>(at),
                               ": an event of ", size, " bytes is cut off or malformed");
      }
      const JfrRange range{at, at + size};
      cursor = CursorAt(range);
      cursor.Varint();
      const uint64_t type = cursor.Varint();
      at += size;
      if (is_metadata_round != (type == kMetadataEvent)) continue;
      const Status status = ReadEvent(type, &cursor, range);
      if (!status.ok()) return status;
    }
    if (is_metadata_round && metadata_.end == 0) {
      if (torn()) return Status::OK();
      return Status::Invalid(file_, ": offset ", offset_,
                             ": the chunk does not describe its event types");
    }
  }
  return Status::OK();
}

Status JfrChunk::ReadEvent(uint64_t id, JfrCursor* cursor, JfrRange range) {
  if (id == kMetadataEvent) {
    ARROW_ASSIGN_OR_RAISE(types_, JfrTypes::Read(cursor, file_));
    metadata_ = range;
    return Status::OK();
  }
  if (id == kPoolsEvent) return ReadPools(cursor);
  const JfrType* type = types_->Find(id);
  if (type == nullptr) return Status::OK();
  auto plan = plans_.find(id);
  if (plan == plans_.end()) plan = plans_.emplace(id, PlanOf(*type)).first;
  if (plan->second.is_span) {
    ReadSpan(*type, cursor);
  } else if (plan->second.is_setting) {
    ReadSetting(*type, cursor);
  } else {
    ReadSample(*type, plan->second, cursor, range);
  }
  return cursor->failed() ? cursor->status(file_, type->name) : Status::OK();
}

JfrChunk::EventPlan JfrChunk::PlanOf(const JfrType& type) {
  EventPlan plan{.is_span = type.name == "profiler.Span",
                 .is_setting = type.name == "jdk.ActiveSetting",
                 .kind = KindOf(type.name)};
  const auto meaning = [&plan](const JfrField& field) {
    if (!IsInteger(field)) return SampleField::kSkipped;
    if (field.name == "startTime") return SampleField::kTicks;
    if (field.name == "sampledThread" || field.name == "eventThread") return SampleField::kThread;
    if (field.name == "stackTrace") return SampleField::kStack;
    if (field.name == "state") return SampleField::kState;
    if (field.name == "samples" && plan.kind == SampleKind::kWall) return SampleField::kCount;
    return SampleField::kInteger;
  };
  for (const JfrField& field : type.fields) plan.fields.push_back(meaning(field));
  const auto has = [&plan](SampleField field) {
    return std::ranges::find(plan.fields, field) != plan.fields.end();
  };
  plan.is_sample = has(SampleField::kThread) && has(SampleField::kStack);
  return plan;
}

void JfrChunk::ReadSample(const JfrType& type, const EventPlan& plan, JfrCursor* cursor,
                          JfrRange range) {
  JfrSample sample;
  sample.kind = plan.kind;
  sample.event_type = type.id;
  sample.begin = range.begin;
  sample.end = range.end;
  for (size_t i = 0; i < plan.fields.size(); ++i) {
    switch (plan.fields[i]) {
      case SampleField::kSkipped:
        JfrTypes::SkipField(type.fields[i], cursor, nullptr);
        break;
      case SampleField::kInteger:
        cursor->Varint();
        break;
      case SampleField::kTicks:
        sample.ticks = static_cast<int64_t>(cursor->Varint());
        break;
      case SampleField::kThread:
        sample.thread = cursor->Varint();
        break;
      case SampleField::kStack:
        sample.stack = cursor->Varint();
        break;
      case SampleField::kState:
        sample.state = cursor->Varint();
        break;
      case SampleField::kCount:
        sample.count = static_cast<int64_t>(cursor->Varint());
        break;
    }
  }
  if (plan.is_sample && !cursor->failed()) samples_.push_back(sample);
}

void JfrChunk::ReadSpan(const JfrType& type, JfrCursor* cursor) {
  JfrSpan span;
  uint64_t tag = kNoConstant;
  int64_t duration = 0;
  for (const JfrField& field : type.fields) {
    if (!IsInteger(field)) {
      if (field.name == "tag" && !field.is_constant && !field.is_array) {
        span.tag = cursor->String(&tag);
      } else {
        JfrTypes::SkipField(field, cursor, nullptr);
      }
      continue;
    }
    const uint64_t value = cursor->Varint();
    if (field.name == "startTime") span.start = static_cast<int64_t>(value);
    if (field.name == "duration") duration = static_cast<int64_t>(value);
    if (field.name == "eventThread") span.thread = value;
    if (field.name == "tag") tag = value;
  }
  if (cursor->failed()) return;
  span.end = span.start + std::max<int64_t>(duration, 0);
  spans_.push_back(std::move(span));
  span_tags_.push_back(tag);
}

void JfrChunk::ReadSetting(const JfrType& type, JfrCursor* cursor) {
  std::string name;
  for (const JfrField& field : type.fields) {
    if (field.name == "name" && !field.is_constant) {
      name = cursor->String();
    } else if (field.name == "value" && !field.is_constant) {
      settings_[name] = cursor->String();
    } else {
      JfrTypes::SkipField(field, cursor, nullptr);
    }
  }
  if (name == "event") main_event_ = settings_[name];
}

Status JfrChunk::ReadPools(JfrCursor* cursor) {
  cursor->Varint();  // start
  cursor->Varint();  // duration
  cursor->Varint();  // how far back the constants before these are: all are met on the way
  cursor->Byte();    // which sort of flush
  const uint64_t count = cursor->Varint();
  for (uint64_t i = 0; i < count && !cursor->failed(); ++i) {
    const uint64_t type = cursor->Varint();
    const uint64_t entries = cursor->Varint();
    const JfrType* const described = types_->Find(type);
    JfrPool& pool = pools_[type];
    pool.Reserve(std::min(entries, kReservedMax));
    for (uint64_t entry = 0; entry < entries && !cursor->failed(); ++entry) {
      const uint64_t number = cursor->Varint();
      const int64_t begin = cursor->offset() - offset_;
      JfrTypes::SkipValue(described, cursor, nullptr);
      if (cursor->failed()) break;
      pool.Add(number,
               {static_cast<size_t>(begin), static_cast<size_t>(cursor->offset() - offset_)});
    }
  }
  return cursor->status(file_, "a pool of constants");
}

void JfrChunk::ResolveTags() {
  const JfrType* string = types_->Find("java.lang.String");
  for (size_t i = 0; i < spans_.size(); ++i) {
    if (span_tags_[i] == kNoConstant || string == nullptr) continue;
    spans_[i].tag = FirstString({string->id, span_tags_[i]});
  }
  span_tags_.clear();
}

const JfrPool* JfrChunk::Pool(uint64_t type) const {
  const auto pool = pools_.find(type);
  return pool == pools_.end() ? nullptr : &pool->second;
}

const JfrRange* JfrChunk::Constants::Find(uint64_t number) const {
  const size_t at = pool == nullptr ? JfrPool::kNone : pool->Find(number);
  return at == JfrPool::kNone ? nullptr : &pool->entries()[at].range;
}

JfrChunk::Constants JfrChunk::ConstantsOf(std::string_view type) const {
  const JfrType* const found = types_->Find(type);
  return {.type = found, .pool = found == nullptr ? nullptr : Pool(found->id)};
}

const JfrRange* JfrChunk::Constant(JfrReference reference) const {
  return Constants{.pool = Pool(reference.type)}.Find(reference.number);
}

void JfrChunk::AddReferences(const JfrSample& sample, std::vector<JfrReference>* references) const {
  JfrCursor cursor = CursorAt({sample.begin, sample.end});
  cursor.Varint();
  cursor.Varint();
  JfrTypes::SkipValue(types_->Find(sample.event_type), &cursor, references);
}

// The string of a Symbol, a state, or a string itself.
std::string JfrChunk::FirstString(JfrReference constant) const {
  const JfrRange* range = Constant(constant);
  if (range == nullptr) return "";
  JfrCursor cursor = CursorAt(*range);
  return cursor.String();
}

const JfrThread& JfrChunk::Thread(uint64_t number) const {
  const auto known = threads_.find(number);
  if (known != threads_.end()) return known->second;
  return threads_.emplace(number, ReadThread(number)).first->second;
}

JfrThread JfrChunk::ReadThread(uint64_t number) const {
  JfrThread thread{.name = fmt::format("[thread {}]", number),
                   .os_id = static_cast<int64_t>(number)};
  const JfrType* type = types_->Find("java.lang.Thread");
  const JfrRange* range = type == nullptr ? nullptr : Constant({type->id, number});
  if (range == nullptr) return thread;
  JfrCursor cursor = CursorAt(*range);
  std::string os_name;
  std::string java_name;
  for (const JfrField& field : type->fields) {
    if (field.name == "osName" && !field.is_constant) {
      os_name = cursor.String();
    } else if (field.name == "javaName" && !field.is_constant) {
      java_name = cursor.String();
    } else if (field.name == "osThreadId" && IsInteger(field)) {
      thread.os_id = static_cast<int64_t>(cursor.Varint());
    } else {
      JfrTypes::SkipField(field, &cursor, nullptr);
    }
  }
  if (!java_name.empty() || !os_name.empty()) thread.name = java_name.empty() ? os_name : java_name;
  return thread;
}

const std::string& JfrChunk::State(uint64_t number) const {
  const auto known = states_.find(number);
  if (known != states_.end()) return known->second;
  const JfrType* type = types_->Find("jdk.types.ThreadState");
  return states_.emplace(number, type == nullptr ? "" : FirstString({type->id, number}))
      .first->second;
}

std::string JfrChunk::ClassName(uint64_t number) const {
  const JfrRange* range = classes_.Find(number);
  if (range == nullptr) return "";
  JfrCursor cursor = CursorAt(*range);
  for (const JfrField& field : classes_.type->fields) {
    if (field.name == "name" && field.is_constant) {
      std::string name = FirstString({field.type, cursor.Varint()});
      std::ranges::replace(name, '/', '.');
      return name;
    }
    JfrTypes::SkipField(field, &cursor, nullptr);
  }
  return "";
}

std::string JfrChunk::FrameName(uint64_t method) const {
  const JfrRange* range = methods_.Find(method);
  if (range == nullptr) return "[unknown]";
  JfrCursor cursor = CursorAt(*range);
  std::string class_name;
  std::string name;
  for (const JfrField& field : methods_.type->fields) {
    if (field.name == "type" && field.is_constant) {
      class_name = ClassName(cursor.Varint());
    } else if (field.name == "name" && field.is_constant) {
      name = FirstString({field.type, cursor.Varint()});
    } else {
      JfrTypes::SkipField(field, &cursor, nullptr);
    }
  }
  if (class_name.empty()) return name.empty() ? "[unknown]" : name;
  return name.empty() ? class_name : class_name + "." + name;
}

std::vector<uint64_t> JfrChunk::Stack(uint64_t number) const {
  std::vector<uint64_t> methods;
  const JfrRange* range = stacks_.Find(number);
  if (range == nullptr || frame_type_ == nullptr) return methods;
  const auto is_method = [](const JfrField& field) {
    return field.name == "method" && field.is_constant;
  };
  const auto method = std::ranges::find_if(frame_type_->fields, is_method);
  JfrCursor cursor = CursorAt(*range);
  for (const JfrField& field : stacks_.type->fields) {
    if (field.name != "frames" || !field.is_array) {
      JfrTypes::SkipField(field, &cursor, nullptr);
      continue;
    }
    const uint64_t count = cursor.Varint();
    methods.reserve(std::min(count, kReservedMax));
    for (uint64_t i = 0; i < count && !cursor.failed(); ++i) {
      for (auto part = frame_type_->fields.begin(); part != frame_type_->fields.end(); ++part) {
        if (part == method) {
          methods.push_back(cursor.Varint());
        } else {
          JfrTypes::SkipField(*part, &cursor, nullptr);
        }
      }
    }
  }
  std::ranges::reverse(methods);
  return methods;
}

}  // namespace reprise
