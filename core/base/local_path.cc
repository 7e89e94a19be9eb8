#include "base/local_path.h"

#include <filesystem>

namespace reprise {

namespace {

constexpr std::string_view kFileScheme = "file:";

std::string_view WithoutSlashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

}  // namespace

std::string_view SchemeOf(std::string_view uri) {
  const size_t colon = uri.find(':');
  const size_t slash = uri.find('/');
  if (colon == std::string_view::npos || (slash != std::string_view::npos && slash < colon)) {
    return {};
  }
  return uri.substr(0, colon);
}

Result<std::string> LocalPath(std::string_view what, std::string_view uri) {
  const std::string_view scheme = SchemeOf(uri);
  if (!scheme.empty() && scheme != "file") {
    return Status::Invalid(what, " ", uri, ": file system \"", scheme,
                           "\" is not supported; expected file:/… or an absolute path");
  }
  std::string_view path = uri;
  if (!scheme.empty()) path.remove_prefix(kFileScheme.size());
  if (!scheme.empty() && path.starts_with("//")) {
    path.remove_prefix(2);
    if (!path.starts_with('/')) {
      return Status::Invalid(what, " ", uri, ": a file URI with a host is not supported; ",
                             "expected file:///…");
    }
  }
  if (!path.starts_with('/')) {
    return Status::Invalid(what, " \"", uri, "\" must be absolute: file:/… or /…");
  }
  return std::string(WithoutSlashes(path));
}

Result<std::string> AbsolutePath(std::string_view what, std::string_view uri) {
  const std::string_view scheme = SchemeOf(uri);
  if (scheme.empty() || scheme == "file") return LocalPath(what, uri);
  if (!uri.substr(scheme.size() + 1).starts_with('/')) {
    return Status::Invalid(what, " \"", uri, "\" must be absolute: ", scheme, "://HOST/…");
  }
  return std::string(WithoutSlashes(uri));
}

Status CheckAbsentOrEmpty(const std::string& folder, std::string_view option) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error) || std::filesystem::is_empty(folder, error)) {
    return Status::OK();
  }
  return Status::Invalid(folder, " must be absent or empty, and is not; name another folder in ",
                         option);
}

}  // namespace reprise
