#include "profile/page_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <sstream>

namespace reprise {

namespace {

using Json = nlohmann::json;

// Quotes within JSON's strings are escaped, so no name of a frame looks like the member.
std::optional<FlamePageText> TextOfPage(const std::string& html) {
  std::ifstream stream(html, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  const std::string page = std::move(bytes).str();
  const size_t begin = page.rfind(R"(,"title":")");
  if (begin == std::string::npos) return std::nullopt;
  const size_t end = page.find("};\n", begin);
  if (end == std::string::npos) return std::nullopt;
  const Json members = Json::parse("{" + page.substr(begin + 1, end - begin), nullptr,
                                   /*allow_exceptions=*/false);
  const auto about = members.find("about");
  if (!members.is_object() || about == members.end() || !about->is_string()) return std::nullopt;
  return FlamePageText{.title = members.at("title").get<std::string>(),
                       .subtitle = "",
                       .unit = "samples",
                       .about = about->get<std::string>()};
}

FlamePageText TextOfName(const std::string& name) {
  static const std::regex kStage(R"(app-(.+)-exec-(.+)-stage-(\d+)-attempt-(\d+))");
  static const std::regex kOther("app-(.+)-exec-(.+)-other");
  FlamePageText text{.title = name, .subtitle = "", .unit = "samples"};
  std::smatch parts;
  if (std::regex_match(name, parts, kStage)) {
    text.title = fmt::format("stage {}, attempt {}, executor {}", parts[3].str(), parts[4].str(),
                             parts[2].str());
    text.about = "application " + parts[1].str();
  } else if (std::regex_match(name, parts, kOther)) {
    text.title = "threads of no task, executor " + parts[2].str();
    text.about = "application " + parts[1].str();
  }
  return text;
}

}  // namespace

FlamePageText TextOfRecording(const std::string& recording) {
  const std::filesystem::path path(recording);
  const auto text = TextOfPage(std::filesystem::path(path).replace_extension(".html").string());
  return text ? *text : TextOfName(path.stem().string());
}

}  // namespace reprise
