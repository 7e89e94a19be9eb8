// Names of functions by their address in this process.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace reprise {

/// Reads the symbol tables of the program and its libraries, also the functions that they do not
/// export, as far as the files were not stripped; each when an address of it is first asked for.
class Symbols {
 public:
  Symbols();
  ~Symbols();

  /// "reprise::Filter::NextBatch()" without argument types; "libarrow.so.2600" where only the file
  /// is known; "[unknown]" otherwise.
  std::string NameOf(uintptr_t address);

 private:
  struct Module;
  Module* ModuleOf(uintptr_t address);

  std::map<uintptr_t, std::string> known_;
  std::map<uintptr_t, std::unique_ptr<Module>> modules_;  // by the address that they were loaded at
};

/// A demangled C++ name without its arguments, or `name` itself.
std::string ReadableName(const std::string& name);

}  // namespace reprise
