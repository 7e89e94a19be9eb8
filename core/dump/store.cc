#include "dump/store.h"

#include "base/local_path.h"

namespace reprise {

namespace {

StoreOpener& Opener() {
  static StoreOpener opener;
  return opener;
}

}  // namespace

void SetStoreOpener(StoreOpener opener) { Opener() = std::move(opener); }

Result<DumpPlace> OpenDumpPlace(std::string_view uri) {
  const std::string_view scheme = SchemeOf(uri);
  if (scheme.empty() || scheme == "file" || !Opener()) {
    ARROW_ASSIGN_OR_RAISE(std::string path, LocalPath("dump path", uri));
    return DumpPlace{LocalStore(), std::move(path)};
  }
  DumpPlace place;
  place.path = uri;
  while (place.path.ends_with('/')) place.path.pop_back();
  ARROW_ASSIGN_OR_RAISE(place.store, Opener()(place.path));
  return place;
}

}  // namespace reprise
