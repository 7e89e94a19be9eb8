#include "dump/dump_path.h"

#include <fmt/format.h>

#include <charconv>

namespace reprise {

namespace {

constexpr std::string_view kOperatorPrefix = "loreId-";
constexpr std::string_view kPartitionPrefix = "partition-";
constexpr std::string_view kAttemptMark = ".attempt-";

// A number as this program writes it: digits only, no leading zero.
template <typename Integer>
std::optional<Integer> ParseNumber(std::string_view text) {
  if (text.empty() || text[0] == '-' || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  Integer value = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || last != end) return std::nullopt;
  return value;
}

}  // namespace

std::string OperatorFolder(int64_t lore_id) {
  return fmt::format("{}{}", kOperatorPrefix, lore_id);
}

std::string PartitionFolder(int partition) {
  return fmt::format("{}{}", kPartitionPrefix, partition);
}

std::string AttemptFolder(int partition, int64_t attempt) {
  return fmt::format("{}{}{}{}", kPartitionPrefix, partition, kAttemptMark, attempt);
}

bool IsHadoopChecksum(std::string_view name) {
  return name.size() > 5 && name.starts_with('.') && name.ends_with(".crc");
}

std::optional<int64_t> OperatorOfFolder(std::string_view name) {
  if (!name.starts_with(kOperatorPrefix)) return std::nullopt;
  return ParseNumber<int64_t>(name.substr(kOperatorPrefix.size()));
}

std::optional<PartitionFolderName> ParsePartitionFolder(std::string_view name) {
  if (!name.starts_with(kPartitionPrefix)) return std::nullopt;
  name.remove_prefix(kPartitionPrefix.size());
  const size_t mark = name.find(kAttemptMark);
  const auto partition = ParseNumber<int>(name.substr(0, mark));
  if (!partition) return std::nullopt;
  if (mark == std::string_view::npos) return PartitionFolderName{*partition, std::nullopt};
  const auto attempt = ParseNumber<int64_t>(name.substr(mark + kAttemptMark.size()));
  if (!attempt) return std::nullopt;
  return PartitionFolderName{*partition, attempt};
}

}  // namespace reprise
