// Runs the program `reprise` as a user does.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace reprise {

struct Ran {
  int status = 0;
  std::string out;
  std::string err;
};

inline Ran RunProgram(const std::string& arguments) {
  const std::string errors = testing::TempDir() + "/reprise-stderr-" + std::to_string(::getpid());
  const std::string command = std::string(REPRISE_PROGRAM) + " " + arguments + " 2>" + errors;
  FILE* pipe = ::popen(command.c_str(), "r");
  Ran ran;
  char buffer[4096];
  while (const size_t read = std::fread(buffer, 1, sizeof(buffer), pipe)) {
    ran.out.append(buffer, read);
  }
  ran.status = WEXITSTATUS(::pclose(pipe));
  std::ifstream stream(errors);
  ran.err.assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  std::filesystem::remove(errors);
  return ran;
}

}  // namespace reprise
