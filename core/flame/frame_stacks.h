// Stacks and how often each was seen: by the names of their frames, or by numbers of those names,
// since most stacks repeat the same names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"

namespace reprise {

/// Frames from the root to the leaf.
using CollapsedStacks = std::map<std::vector<std::string>, int64_t>;

/// Frames from the root to the leaf, as FrameNames numbers them.
using NumberedStacks = std::map<std::vector<uint32_t>, int64_t>;

/// Names of frames, numbered from 0 in the order in which they are asked for.
class FrameNames {
 public:
  FrameNames() = default;
  FrameNames(const FrameNames&) = delete;  // `names_` points into `numbers_`
  FrameNames& operator=(const FrameNames&) = delete;
  FrameNames(FrameNames&&) = default;
  FrameNames& operator=(FrameNames&&) = default;

  uint32_t NumberOf(std::string name);
  const std::string& operator[](uint32_t number) const { return *names_[number]; }
  size_t size() const { return names_.size(); }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<const std::string*> names_;
};

NumberedStacks Numbered(const CollapsedStacks& stacks, FrameNames* names);
CollapsedStacks Named(const NumberedStacks& stacks, const FrameNames& names);

/// Reads "root;frame;leaf 12" lines, as perf's stackcollapse and async-profiler write them.
/// Status::Invalid names the line that is none.
Result<CollapsedStacks> ParseCollapsedStacks(std::string_view lines);

}  // namespace reprise
