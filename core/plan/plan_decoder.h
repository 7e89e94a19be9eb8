// Decodes one plan document: simdjson's tree in, the structures of plan.h out.
#pragma once

#include <simdjson.h>

#include <deque>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <vector>

#include "plan/plan.h"

namespace reprise {

/// What a PlanDocument owns. Deques, because their elements never move.
struct PlanDocument::Storage {
  simdjson::dom::parser parser;  // owns the strings
  // Of all below: a plan has thousands of small parts, which live and end together.
  std::pmr::monotonic_buffer_resource memory{size_t{64} << 10};
  std::pmr::deque<PlanNode> nodes{&memory};
  std::pmr::deque<PlanObject> objects{&memory};
  std::pmr::deque<PlanType> types{&memory};
  std::pmr::deque<std::string> texts{&memory};

  /// `count` elements, each as T() makes it.
  template <typename T>
  std::span<T> NewArray(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* const begin = std::pmr::polymorphic_allocator<T>(&memory).allocate(count);
    std::uninitialized_value_construct_n(begin, count);
    return {begin, count};
  }
};

/// Decodes into `plan`. Its methods return false once the document has turned out wrong; `status()`
/// then says where and why. They keep their stack frames small, because a document may nest as deep
/// as kJsonDepthMax.
class PlanDecoder {
 public:
  static constexpr size_t kJsonDepthMax = 4000;
  static constexpr int64_t kExpandedSizeMax = 20'000'000;

  explicit PlanDecoder(PlanDocument* plan) : plan_(*plan), storage_(*plan->storage_) {}

  bool Decode(simdjson::dom::element document);
  const Status& status() const { return status_; }

 private:
  using Element = simdjson::dom::element;
  using Object = simdjson::dom::object;

  // What an "id" of the document stands for. An entry that is not complete is still being decoded:
  // a reference to it would close a cycle.
  struct Numbered {
    PlanNode* node = nullptr;
    PlanObject* object = nullptr;
    bool complete = false;
  };

  struct PathStep {
    const char* member;  // null: `index` counts in a list
    std::string_view name;
    size_t index;
  };

  class Step;

  bool DecodeNode(Element json, const PlanNode** result);
  bool DecodeNodeMember(std::string_view member, Element json, PlanNode* node);
  bool DecodeNodes(Element json, std::vector<const PlanNode*>* result);
  bool DecodeValue(Element json, PlanValue* value);
  bool DecodeTagged(Object json, PlanValue* value);
  bool DecodeReference(Element json, PlanValue* value);
  bool DecodeObject(Object json, PlanValue* value);
  bool DecodeObjectMember(std::string_view member, Element json, PlanObject* object);
  bool DecodeList(Element json, std::span<const PlanValue>* items);
  bool DecodeMap(Element json, std::span<const PlanValue>* items);
  bool DecodeArguments(Element json, PlanArguments* arguments);
  bool DecodeType(Element json, PlanType* type);
  bool DecodeStructFields(Element json, PlanType* type);
  bool DecodeString(Element json, std::string_view* text);
  bool DecodeInteger(Element json, int64_t* number);
  bool DecodeBoolean(Element json, bool* value);
  bool Measure(PlanObject* object);
  bool Number(int64_t id, Numbered numbered);
  std::string_view Keep(std::string text);
  bool Fail(std::string message);
  bool Expected(std::string_view what, Element found);
  std::string Path() const;

  PlanDocument& plan_;
  PlanDocument::Storage& storage_;
  Status status_;
  std::vector<PathStep> path_;
  std::pmr::unordered_map<int64_t, Numbered> numbered_{&storage_.memory};
};

/// One step of the path to the value being decoded, for error texts.
class PlanDecoder::Step {
 public:
  Step(PlanDecoder* decoder, std::string_view name) : path_(decoder->path_) {
    path_.push_back({"", name, 0});
  }
  Step(PlanDecoder* decoder, size_t index) : path_(decoder->path_) {
    path_.push_back({nullptr, {}, index});
  }
  ~Step() { path_.pop_back(); }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

 private:
  std::vector<PathStep>& path_;
};

}  // namespace reprise
