#include "profile/stage_page.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <vector>

#include "dump/file.h"

namespace reprise {

Status WriteFile(const std::string& file, std::string_view bytes) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << bytes;
  stream.close();
  return stream ? Status::OK() : SystemError(file, "write", errno);
}

std::string PartOf(const std::string& file) {
  const std::filesystem::path path(file);
  return (path.parent_path() / ("." + path.filename().string() + ".part")).string();
}

Status PutInPlace(const std::string& part, const std::string& file) {
  std::error_code error;
  std::filesystem::rename(part, file, error);
  if (!error) return Status::OK();
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  return SystemError(file, "replace", error.value());
}

Status PutRecording(const std::string& from, bool keeps, const std::string& file) {
  std::error_code error;
  if (!keeps) {
    std::filesystem::rename(from, file, error);
    if (!error) return Status::OK();  // else it may be another file system
  }
  const std::string part = PartOf(file);
  std::filesystem::copy_file(from, part, std::filesystem::copy_options::overwrite_existing, error);
  if (error) return SystemError(part, "write", error.value());
  RETURN_NOT_OK(PutInPlace(part, file));
  if (!keeps) std::filesystem::remove(from, error);
  return Status::OK();
}

Status WritePage(const std::string& file, std::string_view bytes) {
  const std::string part = PartOf(file);
  RETURN_NOT_OK(WriteFile(part, bytes));
  return PutInPlace(part, file);
}

std::string CountText(const SampledStacks& sampled) {
  const bool has_others = !sampled.other_samples.empty();
  std::vector<std::string> parts;
  if (!has_others || sampled.cpu_samples > 0) {
    parts.push_back(fmt::format("{} CPU samples", sampled.cpu_samples));
  }
  if (!has_others || sampled.wall_samples > 0) {
    parts.push_back(fmt::format("{} wall-clock samples", sampled.wall_samples));
  }
  for (const auto& [event, count] : sampled.other_samples) {
    parts.push_back(fmt::format("{} {} samples", count, event));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Status WriteStagePage(const SampledStacks& sampled, FlamePageText text, const std::string& html) {
  text.subtitle += fmt::format("{}{}, {} {}", text.subtitle.empty() ? "" : "\n", CountText(sampled),
                               sampled.tasks.size(), sampled.tasks.size() == 1 ? "task" : "tasks");
  if (sampled.torn_bytes > 0) {
    text.subtitle +=
        fmt::format("\n{} bytes at the end were not ended and are not shown", sampled.torn_bytes);
  }
  return WriteFile(html, FlamePage(text, sampled.stacks, *sampled.names));
}

}  // namespace reprise
