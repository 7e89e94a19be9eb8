#include "cli/partition_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace reprise {

namespace {

struct PartitionRange {
  int32_t first;
  int32_t last;
};

std::vector<PartitionRange> RangesOf(const std::vector<int32_t>& partitions) {
  std::vector<PartitionRange> ranges;
  for (const int32_t partition : partitions) {
    if (!ranges.empty() && ranges.back().last + 1 == partition) {
      ranges.back().last = partition;
    } else {
      ranges.push_back({partition, partition});
    }
  }
  return ranges;
}

}  // namespace

std::string PartitionText(const std::vector<int32_t>& partitions) {
  std::vector<std::string> texts;
  for (const PartitionRange& range : RangesOf(partitions)) {
    texts.push_back(range.first == range.last
                        ? std::to_string(range.first)
                        : fmt::format("{}{}{}", range.first,
                                      range.last == range.first + 1 ? ", " : " to ", range.last));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string DumpPartitions(const std::vector<int32_t>& partitions) {
  if (partitions.empty()) return "*";
  std::vector<std::string> texts;
  for (const PartitionRange& range : RangesOf(partitions)) {
    texts.push_back(range.first == range.last ? std::to_string(range.first)
                                              : fmt::format("{}-{}", range.first, range.last + 1));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

}  // namespace reprise
