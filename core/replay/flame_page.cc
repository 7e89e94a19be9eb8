#include "replay/flame_page.h"

#include <charconv>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>

#include "replay/flame_page_html.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

// A frame with what was called from it. Children by name, so that the page is the same every time.
struct Frame {
  int64_t weight = 0;  // of the stacks through it
  int64_t before = 0;  // what of it is of the stacks that others are compared with
  std::map<std::string, Frame*> children;
};

// All frames below `frames[0]`, owned in a row: destructors that follow the calls would exhaust the
// stack.
struct FrameTree {
  std::deque<Frame> frames{1};
  Frame& root() { return frames.front(); }
};

// The frames in depth-first order as [depth, name's number, weight]: a list, for stacks may be
// deeper than JSON readers nest. Written without recursion for the same reason.
class FrameList {
 public:
  explicit FrameList(const Frame& root) {
    struct Waiting {
      int depth;
      const std::string* name;
      const Frame* frame;
    };
    const std::string all = "all";
    std::vector<Waiting> waiting = {{0, &all, &root}};
    while (!waiting.empty()) {
      const Waiting next = waiting.back();
      waiting.pop_back();
      frames_.push_back({next.depth, NumberOf(*next.name), next.frame->weight});
      before_.push_back(next.frame->before);
      for (auto child = next.frame->children.rbegin(); child != next.frame->children.rend();
           ++child) {
        waiting.push_back({next.depth + 1, &child->first, child->second});
      }
    }
  }

  Json ToJson() const { return {{"names", names_}, {"frames", frames_}}; }
  /// Of each frame the weight that is compared with.
  const Json& before() const { return before_; }

 private:
  int64_t NumberOf(const std::string& name) {
    const auto [found, added] = numbers_.emplace(name, numbers_.size());
    if (added) names_.push_back(name);
    return static_cast<int64_t>(found->second);
  }

  std::map<std::string, size_t> numbers_;
  Json names_ = Json::array();
  Json frames_ = Json::array();
  Json before_ = Json::array();
};

void AddStacks(const CollapsedStacks& stacks, bool is_before, FrameTree* tree) {
  for (const auto& [frames, weight] : stacks) {
    Frame* frame = &tree->root();
    const auto add = [weight = weight, is_before](Frame* to) {
      to->weight += weight;
      if (is_before) to->before += weight;
    };
    add(frame);
    for (const std::string& name : frames) {
      Frame*& child = frame->children[name];
      if (child == nullptr) child = &tree->frames.emplace_back();
      frame = child;
      add(frame);
    }
  }
}

// JSON within a script element: "</script" may not stand in it, and ASCII needs no charset.
std::string ForScript(const Json& json) {
  std::string text = json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  for (size_t at = 0; (at = text.find('<', at)) != std::string::npos;)
    text.replace(at, 1, "\\u003c");
  return text;
}

std::string PageOf(const FlamePageText& text, Json page) {
  page["title"] = text.title;
  page["subtitle"] = text.subtitle;
  page["unit"] = text.unit;
  std::string html(kFlamePageHtml);
  constexpr std::string_view kPlace = "/*DATA*/";
  html.replace(html.find(kPlace), kPlace.size(), ForScript(page));
  return html;
}

}  // namespace

std::string FlamePage(const FlamePageText& text, const CollapsedStacks& stacks) {
  FrameTree tree;
  AddStacks(stacks, false, &tree);
  return PageOf(text, FrameList(tree.root()).ToJson());
}

std::string DifferencePage(const FlamePageText& text, const CollapsedStacks& before,
                           const CollapsedStacks& after,
                           const std::pair<std::string, std::string>& names) {
  FrameTree tree;
  AddStacks(before, true, &tree);
  AddStacks(after, false, &tree);
  const FrameList frames(tree.root());
  Json page = frames.ToJson();
  page["before"] = frames.before();
  page["compared"] = {names.first, names.second};
  return PageOf(text, std::move(page));
}

Result<CollapsedStacks> ParseCollapsedStacks(std::string_view lines) {
  CollapsedStacks stacks;
  for (int number = 1; !lines.empty(); ++number) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    if (line.empty()) continue;
    const size_t blank = line.rfind(' ');
    const std::string_view count = blank == std::string_view::npos ? "" : line.substr(blank + 1);
    int64_t weight = 0;
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), weight);
    if (error != std::errc() || end != count.data() + count.size() || weight < 0) {
      return Status::Invalid("line ", number, ": expected frames and a count, found \"", line,
                             "\"");
    }
    std::vector<std::string> frames;
    for (std::string_view left = line.substr(0, blank); !left.empty();) {
      const std::string_view frame = left.substr(0, left.find(';'));
      frames.emplace_back(frame);
      left.remove_prefix(std::min(left.size(), frame.size() + 1));
    }
    stacks[frames] += weight;
  }
  return stacks;
}

}  // namespace reprise
