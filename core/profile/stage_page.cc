#include "profile/stage_page.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "dump/file.h"

namespace reprise {

Status WriteFile(const std::string& file, std::string_view bytes) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << bytes;
  stream.close();
  return stream ? Status::OK() : SystemError(file, "write", errno);
}

Status WritePage(const std::string& file, std::string_view bytes) {
  const std::string part = file + ".part";
  RETURN_NOT_OK(WriteFile(part, bytes));
  std::error_code error;
  std::filesystem::rename(part, file, error);
  return error ? SystemError(file, "replace", error.value()) : Status::OK();
}

Result<SampledStacks> WriteStagePage(const std::vector<std::string>& files, FlamePageText text,
                                     const std::string& html) {
  ARROW_ASSIGN_OR_RAISE(SampledStacks sampled, ReadStacks(files, {}));
  text.subtitle += fmt::format("{}{} CPU samples, {} wall-clock samples, {} tasks",
                               text.subtitle.empty() ? "" : "\n", sampled.cpu_samples,
                               sampled.wall_samples, sampled.tasks.size());
  if (sampled.torn_bytes > 0) {
    text.subtitle +=
        fmt::format("\n{} bytes at the end were not ended and are not shown", sampled.torn_bytes);
  }
  RETURN_NOT_OK(WriteFile(html, FlamePage(text, sampled.stacks, sampled.names)));
  return sampled;
}

}  // namespace reprise
