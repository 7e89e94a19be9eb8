#include "flame/frame_stacks.h"

#include <algorithm>
#include <charconv>

namespace reprise {

uint32_t FrameNames::NumberOf(std::string name) {
  const auto [found, is_new] =
      numbers_.emplace(std::move(name), static_cast<uint32_t>(names_.size()));
  if (is_new) names_.push_back(&found->first);
  return found->second;
}

NumberedStacks Numbered(const CollapsedStacks& stacks, FrameNames* names) {
  NumberedStacks numbered;
  for (const auto& [frames, weight] : stacks) {
    std::vector<uint32_t> numbers;
    for (const std::string& frame : frames) numbers.push_back(names->NumberOf(frame));
    numbered.emplace(std::move(numbers), weight);
  }
  return numbered;
}

CollapsedStacks Named(const NumberedStacks& stacks, const FrameNames& names) {
  CollapsedStacks named;
  for (const auto& [numbers, weight] : stacks) {
    std::vector<std::string> frames;
    for (const uint32_t number : numbers) frames.push_back(names[number]);
    named.emplace(std::move(frames), weight);
  }
  return named;
}

Result<CollapsedStacks> ParseCollapsedStacks(std::string_view lines) {
  CollapsedStacks stacks;
  for (int number = 1; !lines.empty(); ++number) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    if (line.empty()) continue;
    const size_t blank = line.rfind(' ');
    const std::string_view count = blank == std::string_view::npos ? "" : line.substr(blank + 1);
    int64_t weight = 0;
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), weight);
    if (error != std::errc() || end != count.data() + count.size() || weight < 0) {
      return Status::Invalid("line ", number, ": expected frames and a count, found \"", line,
                             "\"");
    }
    std::vector<std::string> frames;
    for (std::string_view left = line.substr(0, blank); !left.empty();) {
      const std::string_view frame = left.substr(0, left.find(';'));
      frames.emplace_back(frame);
      left.remove_prefix(std::min(left.size(), frame.size() + 1));
    }
    stacks[frames] += weight;
  }
  return stacks;
}

}  // namespace reprise
