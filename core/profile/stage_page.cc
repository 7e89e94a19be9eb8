#include "profile/stage_page.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <vector>

#include "dump/file.h"

namespace reprise {

namespace {

// An error names the file that the user knows.
Status WriteFileFor(const std::string& named, const std::string& file, std::string_view bytes) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << bytes;
  stream.close();
  return stream ? Status::OK() : SystemError(named, "write", errno);
}

}  // namespace

Status WriteFile(const std::string& file, std::string_view bytes) {
  return WriteFileFor(file, file, bytes);
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
  RETURN_NOT_OK(WriteFileFor(file, part, bytes));
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

std::string StagePage(const SampledStacks& sampled, FlamePageText text, const std::string& filter) {
  std::vector<std::string> lines;
  if (!text.about.empty()) lines.push_back(text.about);
  std::string counts = CountText(sampled);
  if (filter.empty()) {
    const size_t tasks = sampled.tasks.size();
    counts += fmt::format(", {} {}", tasks, tasks == 1 ? "task" : "tasks");
  } else {
    lines.push_back("only " + filter);
  }
  lines.push_back(std::move(counts));
  if (sampled.torn_bytes > 0) {
    lines.push_back(
        fmt::format("{} bytes at the end were not ended and are not shown", sampled.torn_bytes));
  }
  text.subtitle = fmt::format("{}", fmt::join(lines, "\n"));
  text.has_events = true;
  return FlamePage(text, sampled.stacks, *sampled.names);
}

Status WriteStagePage(const SampledStacks& sampled, FlamePageText text, const std::string& html) {
  return WriteFile(html, StagePage(sampled, std::move(text)));
}

}  // namespace reprise
