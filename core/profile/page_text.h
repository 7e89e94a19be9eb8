// What a page says above its graph.
#pragma once

#include <string>

#include "flame/flame_page.h"

namespace reprise {

/// Title and about of the page beside a recording ("a.html" of "a.jfr"), so that one made again
/// says what the driver knew. Without such a page they are told by the names that the plug-in gives
/// files ("stage 3, attempt 0, executor 1", "application app-7"); else the title is the file's name
/// and there is nothing about it.
FlamePageText TextOfRecording(const std::string& recording);

}  // namespace reprise
