// A dump as its readers want it: a folder, be it given as one file.
#pragma once

#include <string>

#include "base/status.h"

namespace reprise {

/// A path that a user has given for a dump. What `reprise pack` made is unpacked into a new folder
/// of the system's place for temporary files, which is removed with the object.
class Unpacked {
 public:
  /// A folder is taken as it is. Status::Invalid where a file is no pack, or damaged.
  static Result<Unpacked> Of(const std::string& path);
  Unpacked(Unpacked&& other) noexcept;
  Unpacked& operator=(Unpacked&&) = delete;
  ~Unpacked();

  /// The dump's folder; of a pack with one operator, that one's.
  const std::string& folder() const { return folder_; }

 private:
  explicit Unpacked(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
  std::string temporary_;  ///< to be removed; empty: nothing was unpacked
};

}  // namespace reprise
