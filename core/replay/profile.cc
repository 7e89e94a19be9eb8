#include "replay/profile.h"

#include <fmt/format.h>

#include <fstream>

namespace reprise {

namespace {

constexpr int kSamplesPerSecond = 997;  // no divisor of what else ticks in a machine

}  // namespace

Status CheckPagePath(const std::string& path) {
  if (std::ofstream(path, std::ios::app)) return Status::OK();
  return Status::IOError(path, ": cannot be written: the profile would be lost");
}

Status WriteFlamePage(const std::string& path, const FlamePageText& text,
                      const CollapsedStacks& stacks) {
  std::ofstream file(path, std::ios::trunc);
  file << FlamePage(text, stacks);
  file.close();
  return file ? Status::OK() : Status::IOError(path, ": cannot be written");
}

Result<std::unique_ptr<ReplayProfile>> ReplayProfile::Begin(std::string path,
                                                            const OperatorSpec& spec) {
  RETURN_NOT_OK(CheckPagePath(path));
  std::unique_ptr<ReplayProfile> profile(new ReplayProfile(
      std::move(path), fmt::format("replay of {} [loreId={}]", spec.name, spec.lore_id)));
  ARROW_ASSIGN_OR_RAISE(profile->sampler_, Sampler::Start(kSamplesPerSecond));
  profile->Sample(false);
  return profile;
}

Status ReplayProfile::Write() {
  sampler_->Stop();
  FlamePageText text{title_, "", "samples"};
  text.subtitle = fmt::format(
      "{} samples, {} a second of wall-clock time{}{}", sampler_->sample_count(), kSamplesPerSecond,
      sampler_->lost_count() == 0 ? "" : fmt::format(", {} lost", sampler_->lost_count()),
      sampler_->sample_count() < 100 ? ": few; --repeat gives more" : "");
  return WriteFlamePage(path_, text, sampler_->Stacks());
}

}  // namespace reprise
