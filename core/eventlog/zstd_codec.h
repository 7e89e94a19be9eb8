#pragma once

#include "eventlog/log_codec.h"

namespace reprise {

/// Decodes every zstd frame of the file.
std::unique_ptr<LogBytes> MakeZstdBytes(std::unique_ptr<FileBytes> file);

}  // namespace reprise
