// What a subcommand of `reprise` is.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/status.h"

namespace reprise {

/// Exit statuses of the program.
inline constexpr int kExitDone = 0;
inline constexpr int kExitFalse = 1;        ///< the thing that was checked is false
inline constexpr int kExitBadInput = 2;     ///< bad usage or bad input
inline constexpr int kExitNotCompared = 3;  ///< there was nothing to check it by

/// Runs a subcommand whose options are parsed. The value is the exit status (done or false); a
/// failing Status is printed on stderr and ends the program with kExitBadInput.
using Run = std::function<Result<int>()>;

/// One subcommand: a literal in a file of its own, named in main.cc.
struct Subcommand {
  const char* name;
  const char* description;  ///< one line, without a full stop
  const char* example;      ///< shown at the end of --help
  /// Declares the options and returns what runs after parsing; the returned function owns the
  /// options' values.
  Run (*declare)(CLI::App& options);
};

}  // namespace reprise
