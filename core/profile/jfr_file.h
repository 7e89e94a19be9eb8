// The chunks of a JFR file, one after the other.
#pragma once

#include <functional>
#include <string>

#include "base/status.h"

namespace reprise {

class JfrChunk;

/// What has been read of a file.
struct JfrExtent {
  int64_t end = 0;         ///< behind the last chunk that was ended
  int64_t torn_bytes = 0;  ///< behind that, of a chunk that was not ended
};

/// Hands each chunk from `offset` on to `take`. A chunk at the end that was not ended, because its
/// process was killed or still writes, is left out and counted. Status::IOError where the file
/// cannot be read; Status::Invalid, with file and offset, where it is no JFR file. A chunk whose
/// header is whole and whose inside is not goes to `leave_out`, where there is one. `main_event` is
/// that of the chunks before `offset`: JfrChunk::main_event.
Result<JfrExtent> ReadJfrFile(const std::string& file, int64_t offset,
                              const std::function<Status(JfrChunk&)>& take,
                              const std::function<void(const Status&)>& leave_out = nullptr,
                              std::string main_event = "");

}  // namespace reprise
