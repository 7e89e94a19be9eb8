// Where a task's spill files lie, and how their bytes are kept from others.
#pragma once

#include <string>
#include <vector>

namespace reprise {

struct SpillStorage {
  /// Spark's local directories; they exist.
  std::vector<std::string> directories;
  /// With which Spark encrypts its own files (spark.io.encryption.enabled): SpillCipher::Make.
  /// Empty: it does not.
  std::string key;
};

}  // namespace reprise
