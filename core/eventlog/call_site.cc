#include "eventlog/call_site.h"

namespace reprise {

std::string CallSiteInAnyRun(std::string_view text) {
  constexpr std::string_view kConnect = "Spark Connect - ";
  constexpr std::string_view kSession = "session_id: \"";
  if (!text.starts_with(kConnect)) return std::string(text);
  text.remove_prefix(kConnect.size());
  if (text.starts_with(kSession)) {
    const size_t end = text.find('"', kSession.size());
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  std::string site(kConnect);
  for (const char letter : text) {
    const bool is_space = letter == ' ' || letter == '\n' || letter == '\t' || letter == '\r';
    if (!is_space) site += letter;
    if (is_space && site.back() != ' ') site += ' ';
  }
  return site;
}

}  // namespace reprise
