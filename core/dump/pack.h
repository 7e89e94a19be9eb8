// A dump as one file to send to a colleague, and back.
//
// The file is a tar archive without compression (the batches are compressed). Its first member,
// pack.meta, is sealed JSON (sealed_json.h) and names every other member in the order in which they
// follow:
//   {"format":"reprise-dump","version":1,"kind":"pack","operators":[5],
//    "files":[{"name":"loreId-5/plan.meta","bytes":4711,"checksum":"16 hex of
//    XXH3-64"}…],"check":…}
// Members are plain files with mode 0644 and time 0: the same dump gives the same bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"

namespace reprise {

/// What was packed or unpacked.
struct PackReport {
  std::vector<int64_t> operators;  ///< LORE ids, ascending
  int64_t files = 0;
  int64_t bytes = 0;  ///< of the files
};

/// Told after every file: files done, files in all. Empty: nobody is told.
using PackProgress = std::function<void(int done, int total)>;

/// Packs `folder`, one operator's loreId-N or a whole dump, into the new file `file`, which appears
/// whole or not at all. Records that are complete are verified; attempts that stayed aside are
/// packed as they are. Status::Invalid where the dump is damaged or holds a link, or `file` exists.
/// Memory: a buffer, and the names of the files.
Result<PackReport> PackDump(const std::string& folder, const std::string& file,
                            const PackProgress& progress = {});

/// Unpacks `file` into the new folder `folder`, which appears whole or not at all: everything is
/// written and verified aside and then renamed. Status::Invalid for a file that is no pack, of a
/// newer version, cut or changed anywhere, or that holds anything but the plain files that
/// pack.meta names; for names that lead out of the folder; and where `folder` exists.
Result<PackReport> UnpackDump(const std::string& file, const std::string& folder,
                              const PackProgress& progress = {});

}  // namespace reprise
