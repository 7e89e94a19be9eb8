#include "base/denied_access.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

namespace reprise {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kModeBits = 07777;

// Containers run as users that no list of users has.
std::string UserName(uid_t id) {
  std::array<char, 4096> text;
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(id, &entry, text.data(), text.size(), &found) != 0 || found == nullptr) {
    return fmt::format("{}", id);
  }
  return found->pw_name;
}

// The first folder on the way that may not be passed; else what exists of the path last.
std::string InTheWay(const fs::path& path) {
  fs::path reached;
  for (const fs::path& part : path) {
    const fs::path next = reached / part;
    struct stat status {};
    if (::stat(next.c_str(), &status) != 0) break;
    reached = next;
    if (S_ISDIR(status.st_mode) && ::access(next.c_str(), X_OK) != 0) break;
  }
  return reached.string();
}

}  // namespace

std::string DenialText(const std::string& path, int error) {
  if (error != EACCES && error != EPERM) return "";
  const std::string denied = InTheWay(path);
  struct stat status {};
  if (denied.empty() || ::stat(denied.c_str(), &status) != 0) return "";
  return fmt::format("; {} is user {}'s, with mode {:04o}, and this process is user {}'s", denied,
                     UserName(status.st_uid), status.st_mode & kModeBits, UserName(::geteuid()));
}

}  // namespace reprise
