#include "dump/dump_path.h"

#include <fmt/format.h>

#include <charconv>

namespace reprise {

namespace {

constexpr std::string_view kOperatorPrefix = "loreId-";
constexpr std::string_view kPartitionPrefix = "partition-";
constexpr std::string_view kAttemptMark = ".attempt-";
constexpr std::string_view kFileScheme = "file:";

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

std::string_view SchemeOf(std::string_view uri) {
  const size_t colon = uri.find(':');
  const size_t slash = uri.find('/');
  if (colon == std::string_view::npos || (slash != std::string_view::npos && slash < colon)) {
    return {};
  }
  return uri.substr(0, colon);
}

}  // namespace

Result<std::string> LocalDumpPath(std::string_view uri) {
  const std::string_view scheme = SchemeOf(uri);
  if (!scheme.empty() && scheme != "file") {
    return Status::Invalid("dump path ", uri, ": file system \"", scheme,
                           "\" is not supported; expected file:/… or an absolute path");
  }
  std::string_view path = uri;
  if (!scheme.empty()) path.remove_prefix(kFileScheme.size());
  if (!scheme.empty() && path.starts_with("//")) {
    path.remove_prefix(2);
    if (!path.starts_with('/')) {
      return Status::Invalid("dump path ", uri, ": a file URI with a host is not supported; ",
                             "expected file:///…");
    }
  }
  if (!path.starts_with('/')) {
    return Status::Invalid("dump path \"", uri, "\" must be absolute: file:/… or /…");
  }
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return std::string(path);
}

std::string OperatorFolder(int64_t lore_id) {
  return fmt::format("{}{}", kOperatorPrefix, lore_id);
}

std::string PartitionFolder(int partition) {
  return fmt::format("{}{}", kPartitionPrefix, partition);
}

std::string AttemptFolder(int partition, int64_t attempt) {
  return fmt::format("{}{}{}{}", kPartitionPrefix, partition, kAttemptMark, attempt);
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
