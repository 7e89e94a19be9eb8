#include "base/shared_library.h"

#include <dlfcn.h>

namespace reprise {

Result<SharedLibrary> SharedLibrary::Load(const char* name, std::string_view product,
                                          std::string_view advice) {
  void* handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return SharedLibrary(handle, name, product);
  return Status::IOError("cannot load ", product, " (", ::dlerror(), "): ", advice);
}

Result<void*> SharedLibrary::Symbol(const char* function_name) const {
  void* const found = ::dlsym(handle_, function_name);
  if (found != nullptr) return found;
  return Status::IOError(name_, " has no function ", function_name, ": another version of ",
                         product_);
}

}  // namespace reprise
