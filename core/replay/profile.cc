#include "replay/profile.h"

#include <fmt/format.h>

#include <fstream>

#include "flame/flame_page.h"

namespace reprise {

namespace {

constexpr int kSamplesPerSecond = 997;  // no divisor of what else ticks in a machine

}  // namespace

Result<std::unique_ptr<ReplayProfile>> ReplayProfile::Begin(std::string path,
                                                            const OperatorSpec& spec) {
  if (!std::ofstream(path, std::ios::app)) {
    return Status::IOError(path, ": cannot be written: the profile would be lost");
  }
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
  std::ofstream file(path_, std::ios::trunc);
  file << FlamePage(text, sampler_->Stacks());
  file.close();
  return file ? Status::OK() : Status::IOError(path_, ": cannot be written");
}

}  // namespace reprise
