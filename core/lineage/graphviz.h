// Pictures by Graphviz. Its library is loaded when a picture is asked for and not before: the
// program runs everywhere, and only a machine that draws needs Graphviz.
#pragma once

#include <string>

#include "base/status.h"

namespace reprise {

/// Lays `dot` out and writes it to `path` as `format`: "svg", "png", "pdf"; as "dot" it is written
/// as it is, without Graphviz. Status::IOError where Graphviz is not installed, or lacks the
/// format, or the file can't be written.
Status RenderGraph(const std::string& dot, const std::string& format, const std::string& path);

}  // namespace reprise
