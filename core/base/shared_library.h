// Libraries that the program loads when it needs them, so that it starts where they are missing.
#pragma once

#include <string_view>

#include "base/status.h"

namespace reprise {

/// A library that stays loaded for the rest of the process.
class SharedLibrary {
 public:
  /// `name` as the loader knows it, "libgvc.so.6"; `product` as people do. Where it is missing the
  /// error says why, and ends with `advice`.
  static Result<SharedLibrary> Load(const char* name, std::string_view product,
                                    std::string_view advice);

  /// Sets `function` to the library's function of that name.
  template <typename Function>
  Status Find(const char* function_name, Function* function) const {
    ARROW_ASSIGN_OR_RAISE(void* const found, Symbol(function_name));
    *function = reinterpret_cast<Function>(found);
    return Status::OK();
  }

 private:
  SharedLibrary(void* handle, const char* name, std::string_view product)
      : handle_(handle), name_(name), product_(product) {}
  Result<void*> Symbol(const char* function_name) const;

  void* handle_;
  const char* name_;
  std::string_view product_;
};

}  // namespace reprise
