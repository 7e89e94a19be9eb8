#include "cli/replay_gdb.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "dump/file.h"
#include "replay/debugger_hook.h"

namespace reprise {

namespace {

// This process's arguments.
Result<std::vector<std::string>> Arguments() {
  ARROW_ASSIGN_OR_RAISE(const std::string text, ReadWholeFile("/proc/self/cmdline"));
  std::vector<std::string> arguments;
  for (size_t at = 0; at < text.size();) {
    arguments.emplace_back(text.c_str() + at);
    at += arguments.back().size() + 1;
  }
  return arguments;
}

// A new file with the program for gdb, which removes the file when it has read it.
Result<std::string> WriteProgram() {
  std::string path = (std::filesystem::temp_directory_path() / "reprise-gdb-XXXXXX.py").string();
  const int descriptor = ::mkstemps(path.data(), 3);
  if (descriptor < 0) return SystemError(path, "create", errno);
  ::close(descriptor);
  std::ofstream file(path);
  file << "import os\nos.unlink(r'" << path << "')\n" << GdbProgram();
  file.close();
  return file ? Result<std::string>(path) : SystemError(path, "write", errno);
}

}  // namespace

Status BecomeGdb() {
  ARROW_ASSIGN_OR_RAISE(const std::vector<std::string> own, Arguments());
  ARROW_ASSIGN_OR_RAISE(const std::string program, WriteProgram());
  std::error_code error;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
  std::vector<std::string> arguments = {"gdb",    "-q",    "-iex", "set debuginfod enabled off",
                                        "-x",     program, "-ex",  "run",
                                        "--args", self};
  for (size_t i = 1; i < own.size(); ++i) {
    if (own[i] != "--gdb") arguments.push_back(own[i]);
  }
  arguments.emplace_back("--under-gdb");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::execvp(pointers[0], pointers.data());
  const Status failed = Status::Invalid("cannot start gdb: ", std::strerror(errno),
                                        "; install gdb, for example with apt install gdb");
  std::filesystem::remove(program, error);
  return failed;
}

}  // namespace reprise
