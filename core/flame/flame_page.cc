#include "flame/flame_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <ranges>

#include "flame/flame_page_html.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

// The stacks as frames in depth-first order, those called from one by name, so that the page is the
// same every time: a list, for stacks may be deeper than JSON readers nest. Of `names`, which may
// be those of many pages, only what the stacks use is looked at.
class FrameList {
 public:
  explicit FrameList(const FrameNames& names) : names_(names) {}

  void Add(const NumberedStacks& stacks, bool is_before) {
    for (const auto& [frames, weight] : stacks) stacks_.push_back({&frames, weight, is_before});
  }

  // Stacks in order share their first frames with the one before.
  void Close() {
    std::ranges::sort(stacks_, [this](const Stack& a, const Stack& b) { return IsBefore(a, b); });
    std::vector<size_t> path = {0};
    frames_.push_back({});
    const std::vector<uint32_t>* last = nullptr;
    for (const Stack& stack : stacks_) {
      size_t shared = 0;
      if (last != nullptr) {
        const auto differ = std::ranges::mismatch(*last, *stack.frames);
        shared = static_cast<size_t>(differ.in2 - stack.frames->begin());
      }
      path.resize(shared + 1);
      for (const uint32_t name : std::views::drop(*stack.frames, shared)) {
        frames_.push_back({.depth = path.size(), .name = name});
        path.push_back(frames_.size() - 1);
      }
      for (const size_t at : path) {
        frames_[at].weight += stack.weight;
        if (stack.is_before) frames_[at].before += stack.weight;
      }
      last = stack.frames;
    }
  }

  // "names":[…],"frames":[[depth,name's number,weight]…]
  std::string Members() {
    constexpr std::string_view kRoot = "all";
    std::string used = fmt::format("\"{}\"", kRoot);
    int64_t used_count = 1;
    std::vector<int64_t> numbers(names_.size(), -1);  // in `used`
    std::string frames = fmt::format("[0,0,{}]", frames_.front().weight);
    for (const Frame& frame : std::views::drop(frames_, 1)) {
      int64_t& number = numbers[frame.name];
      if (number < 0) {
        const std::string& name = names_[frame.name];
        number = name == kRoot ? 0 : used_count++;
        if (number > 0) used += ',' + Dumped(name);
      }
      Append(",[", static_cast<int64_t>(frame.depth), &frames);
      Append(",", number, &frames);
      Append(",", frame.weight, &frames);
      frames += ']';
    }
    return R"("names":[)" + used + R"(],"frames":[)" + frames + "]";
  }

  // Of each frame the weight that is compared with.
  std::string Before() const {
    std::string before;
    for (const Frame& frame : frames_) {
      fmt::format_to(std::back_inserter(before), "{}{}", before.empty() ? "" : ",", frame.before);
    }
    return before;
  }

  // JSON within a script element: "</script" may not stand in it, and ASCII needs no charset.
  static std::string Dumped(const std::string& string) {
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    const std::string text =
        std::ranges::all_of(string, is_plain)  // nearly all
            ? '"' + string + '"'
            : Json(string).dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
    if (text.find('<') == std::string::npos) return text;
    std::string safe;
    safe.reserve(text.size() + 64);
    for (const char c : text) c == '<' ? safe += "\\u003c" : safe += c;
    return safe;
  }

 private:
  struct Stack {
    const std::vector<uint32_t>* frames;
    int64_t weight;
    bool is_before;  // of the stacks that others are compared with
  };
  struct Frame {
    size_t depth = 0;
    uint32_t name = 0;
    int64_t weight = 0;  // of the stacks through it
    int64_t before = 0;  // what of it is compared with
  };

  // By the first names in which they differ: numbers that differ are of names that do.
  bool IsBefore(const Stack& a, const Stack& b) const {
    const auto [in_a, in_b] = std::ranges::mismatch(*a.frames, *b.frames);
    if (in_a == a.frames->end() || in_b == b.frames->end()) return in_b != b.frames->end();
    return names_[*in_a] < names_[*in_b];
  }

  static void Append(std::string_view before, int64_t number, std::string* out) {
    char digits[20];
    const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
    out->append(before);
    out->append(digits, static_cast<size_t>(end.ptr - digits));
  }

  const FrameNames& names_;
  std::vector<Stack> stacks_;
  std::vector<Frame> frames_;
};

std::string PageOf(const FlamePageText& text, std::string_view members) {
  constexpr std::string_view kHtml = kFlamePageHtml;
  constexpr std::string_view kPlace = "/*DATA*/";
  constexpr size_t kAt = kHtml.find(kPlace);
  std::string html;
  html.reserve(kHtml.size() + members.size() + 1024);
  html.append(kHtml.substr(0, kAt)).append("{").append(members);
  html += fmt::format(R"(,"title":{},"subtitle":{},"unit":{},"about":{},"events":{}}})",
                      FrameList::Dumped(text.title), FrameList::Dumped(text.subtitle),
                      FrameList::Dumped(text.unit), FrameList::Dumped(text.about), text.has_events);
  return html.append(kHtml.substr(kAt + kPlace.size()));
}

}  // namespace

std::string FlamePage(const FlamePageText& text, const NumberedStacks& stacks,
                      const FrameNames& names) {
  FrameList frames(names);
  frames.Add(stacks, false);
  frames.Close();
  return PageOf(text, frames.Members());
}

std::string FlamePage(const FlamePageText& text, const CollapsedStacks& stacks) {
  FrameNames names;
  const NumberedStacks numbered = Numbered(stacks, &names);
  return FlamePage(text, numbered, names);
}

std::string DifferencePage(const FlamePageText& text, const NumberedStacks& before,
                           const NumberedStacks& after, const FrameNames& names,
                           const std::pair<std::string, std::string>& compared) {
  FrameList frames(names);
  frames.Add(before, true);
  frames.Add(after, false);
  frames.Close();
  const std::string members = frames.Members();
  return PageOf(text,
                fmt::format(R"({},"before":[{}],"compared":[{},{}])", members, frames.Before(),
                            FrameList::Dumped(compared.first), FrameList::Dumped(compared.second)));
}

std::string DifferencePage(const FlamePageText& text, const CollapsedStacks& before,
                           const CollapsedStacks& after,
                           const std::pair<std::string, std::string>& compared) {
  FrameNames names;
  const NumberedStacks first = Numbered(before, &names);
  const NumberedStacks second = Numbered(after, &names);
  return DifferencePage(text, first, second, names, compared);
}

}  // namespace reprise
