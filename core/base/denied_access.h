// Whose a file is that the system denies, and who asks: executors may be another user than the
// driver, whose folders they are to fill.
#pragma once

#include <string>

namespace reprise {

/// "; FOLDER is user daemon's, with mode 0755, and this process is user nobody's" of what stands in
/// the way to `path`, which may not exist. "" where `error`, an errno, is no denial.
std::string DenialText(const std::string& path, int error);

}  // namespace reprise
