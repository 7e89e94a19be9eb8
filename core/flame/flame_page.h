// A flame graph as one HTML page that opens alone from disk, with search and zoom.
#pragma once

#include <string>
#include <utility>

#include "flame/frame_stacks.h"

namespace reprise {

struct FlamePageText {
  std::string title;     ///< "replay of RepriseFilter [loreId=5]"
  std::string subtitle;  ///< what was sampled and how; may be empty
  std::string unit;      ///< of the weights, in the plural: "samples", "bytes"
  /// What of the subtitle no samples tell, kept beside it for who makes the page again.
  std::string about = {};
  /// The first frame of each stack is the event of its samples: the page shows one event at a time.
  bool has_events = false;
};

/// The page: a graph that grows downward from a frame of all weights, upright or from each place to
/// its callers, and a table of the methods that take most. A click zooms, a search (a regular
/// expression) colours frames and sums what they cover, each stack once; both stay in the page's
/// address. It loads nothing, and links to no file but, by its own file's name, the index of its
/// application. Text that looks like markup stays text.
std::string FlamePage(const FlamePageText& text, const CollapsedStacks& stacks);
std::string FlamePage(const FlamePageText& text, const NumberedStacks& stacks,
                      const FrameNames& names);

/// The same of two sets of stacks, so that it shows where they differ: a frame is as wide as both
/// together, red where `after` has more, blue where `before` has. Their weights are to be of the
/// same amount of work. `compared` says what they are: {"median tasks", "slow tasks"}.
std::string DifferencePage(const FlamePageText& text, const CollapsedStacks& before,
                           const CollapsedStacks& after,
                           const std::pair<std::string, std::string>& compared);
std::string DifferencePage(const FlamePageText& text, const NumberedStacks& before,
                           const NumberedStacks& after, const FrameNames& names,
                           const std::pair<std::string, std::string>& compared);

}  // namespace reprise
