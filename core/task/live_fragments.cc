#include "task/live_fragments.h"

#include <arrow/memory_pool.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/trace.h"
#include "operators/task_memory.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

struct Registry {
  std::mutex mutex;
  std::vector<const LiveFragment*> fragments;
};

Registry& TheRegistry() {
  static auto* const registry = new Registry();
  return *registry;
}

int64_t MillisOf(int64_t ns) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::nanoseconds(ns))
      .count();
}

Json OperatorsJson(const LiveFragment& fragment) {
  std::map<std::string, Json> by_name;
  for (const auto& [name, bytes] : fragment.memory.LeaksByUser()) by_name[name]["held"] = bytes;
  for (const auto& [name, bytes] : fragment.memory.PeaksByUser()) by_name[name]["peak"] = bytes;
  const int64_t now = MonotonicNs();
  for (const Activity& activity : fragment.board.Read()) {
    by_name[activity.name].update({{"batches", activity.batches},
                                   {"rows", activity.rows},
                                   {"lastRows", activity.last_rows},
                                   {"lastBytes", activity.last_bytes},
                                   {"lastAgoMs", MillisOf(now - activity.last_ns)}});
  }
  Json operators = Json::array();
  for (auto& [name, json] : by_name) {
    json["name"] = name;
    operators.push_back(std::move(json));
  }
  return operators;
}

}  // namespace

LiveFragment::LiveFragment(const TaskDescription& its_task, const TaskMemory& its_memory,
                           const ActivityBoard& its_board)
    : task(its_task), memory(its_memory), board(its_board) {
  const std::lock_guard lock(TheRegistry().mutex);
  TheRegistry().fragments.push_back(this);
}

LiveFragment::~LiveFragment() {
  const std::lock_guard lock(TheRegistry().mutex);
  std::erase(TheRegistry().fragments, this);
}

std::string LiveFragmentsText() {
  const std::lock_guard lock(TheRegistry().mutex);
  Json fragments = Json::array();
  int64_t of_tasks = 0;
  for (const LiveFragment* fragment : TheRegistry().fragments) {
    const int64_t allocated = fragment->memory.bytes_allocated();
    of_tasks += allocated;
    fragments.push_back({{"stage", fragment->task.stage},
                         {"partition", fragment->task.partition},
                         {"attempt", fragment->task.attempt},
                         {"allocated", allocated},
                         {"granted", fragment->memory.granted()},
                         {"peak", fragment->memory.max_memory()},
                         {"operators", OperatorsJson(*fragment)}});
  }
  const int64_t all = arrow::default_memory_pool()->bytes_allocated();
  return Json{{"fragments", std::move(fragments)}, {"shared", std::max<int64_t>(0, all - of_tasks)}}
      .dump();
}

}  // namespace reprise
