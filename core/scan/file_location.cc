#include "scan/file_location.h"

#include <cctype>
#include <optional>

namespace reprise {

namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Result<std::string> PercentDecode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded.push_back(text[i]);
      continue;
    }
    const int high = i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      return Status::Invalid("file URI ", text,
                             " has a % that two hexadecimal digits don't follow");
    }
    decoded.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return decoded;
}

/// The part before ':' where `location` is a URI; a one-letter scheme or a '/' before the ':' is
/// not.
std::optional<std::string_view> SchemeOf(std::string_view location) {
  const size_t colon = location.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const auto scheme = location.substr(0, colon);
  for (char c : scheme) {
    const bool allowed =
        std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.';
    if (!allowed) return std::nullopt;
  }
  return scheme;
}

}  // namespace

bool IsLocal(std::string_view location) { return SchemeOf(location).value_or("file") == "file"; }

Result<std::string> LocalPath(std::string_view location) {
  const auto scheme = SchemeOf(location);
  if (!scheme) return std::string(location);
  if (*scheme != "file") {
    return Status::NotImplemented(
        "cannot read ", location,
        " without Spark, whose file systems have its bytes: replay the dump of the operator above "
        "the scan, which carries what it has read");
  }
  std::string_view rest = location.substr(scheme->size() + 1);
  if (rest.starts_with("//")) {
    const size_t path_start = rest.find('/', 2);
    const auto authority =
        rest.substr(2, path_start == std::string_view::npos ? path_start : path_start - 2);
    if (path_start == std::string_view::npos || !(authority.empty() || authority == "localhost")) {
      return Status::Invalid("file URI ", location, " names another host; expected file:///path");
    }
    rest = rest.substr(path_start);
  }
  return PercentDecode(rest);
}

}  // namespace reprise
