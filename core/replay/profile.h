// `--profile out.html`: a flame graph of a replay; and the pages of all such graphs.
#pragma once

#include <memory>
#include <string>

#include "flame/flame_page.h"
#include "plan/spec.h"
#include "replay/sampler.h"

namespace reprise {

/// Whether a page can be written to `path`, to be asked before anything has run.
Status CheckPagePath(const std::string& path);

/// Writes a flame graph. Status::IOError where it cannot.
Status WriteFlamePage(const std::string& path, const FlamePageText& text,
                      const CollapsedStacks& stacks);

/// Samples from its making to Write, and writes the page.
class ReplayProfile {
 public:
  /// Fails at once where `path` cannot be written to, or a profile cannot be taken.
  static Result<std::unique_ptr<ReplayProfile>> Begin(std::string path, const OperatorSpec& spec);
  /// Ticks are recorded only between Sample(true) and Sample(false).
  void Sample(bool on) { sampler_->Pause(!on); }
  Status Write();

 private:
  ReplayProfile(std::string path, std::string title)
      : path_(std::move(path)), title_(std::move(title)) {}
  std::string path_;
  std::string title_;
  std::unique_ptr<Sampler> sampler_;
};

}  // namespace reprise
