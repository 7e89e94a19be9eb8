#include "replay/flame_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ranges>

#include "replay/flame_page_html.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

// A stack whose frames are places of their names in alphabetical order.
struct RankedStack {
  std::vector<uint32_t> frames;
  int64_t weight;
  bool is_before;  // of the stacks that others are compared with
};

// The stacks as frames in depth-first order, those called from one by name, so that the page is the
// same every time: a list, for stacks may be deeper than JSON readers nest.
class FrameList {
 public:
  explicit FrameList(const FrameNames& names) : names_(names), by_rank_(names.size()) {
    std::iota(by_rank_.begin(), by_rank_.end(), 0U);
    std::ranges::sort(by_rank_, {}, [&names](uint32_t number) { return names[number]; });
    ranks_.resize(names.size());
    for (uint32_t rank = 0; rank < by_rank_.size(); ++rank) ranks_[by_rank_[rank]] = rank;
  }

  void Add(const NumberedStacks& stacks, bool is_before) {
    for (const auto& [numbers, weight] : stacks) {
      RankedStack stack{.frames = {}, .weight = weight, .is_before = is_before};
      stack.frames.reserve(numbers.size());
      for (const uint32_t number : numbers) stack.frames.push_back(ranks_[number]);
      stacks_.push_back(std::move(stack));
    }
  }

  // Stacks in order share their first frames with the one before.
  void Close() {
    std::ranges::sort(stacks_, {}, &RankedStack::frames);
    std::vector<size_t> path = {0};
    frames_.push_back({});
    const std::vector<uint32_t>* last = nullptr;
    for (const RankedStack& stack : stacks_) {
      size_t shared = 0;
      if (last != nullptr) {
        const auto differ = std::ranges::mismatch(*last, stack.frames);
        shared = static_cast<size_t>(differ.in2 - stack.frames.begin());
      }
      path.resize(shared + 1);
      for (const uint32_t rank : std::views::drop(stack.frames, shared)) {
        frames_.push_back({.depth = path.size(), .rank = rank});
        path.push_back(frames_.size() - 1);
      }
      for (const size_t at : path) {
        frames_[at].weight += stack.weight;
        if (stack.is_before) frames_[at].before += stack.weight;
      }
      last = &stack.frames;
    }
  }

  // "names":[…],"frames":[[depth,name's number,weight]…]
  std::string Members() {
    constexpr std::string_view kRoot = "all";
    Json used = {kRoot};
    std::vector<int64_t> numbers(by_rank_.size(), -1);  // in `used`, by rank
    std::string frames = fmt::format("[0,0,{}]", frames_.front().weight);
    for (const Frame& frame : std::views::drop(frames_, 1)) {
      int64_t& number = numbers[frame.rank];
      if (number < 0) {
        const std::string& name = names_[by_rank_[frame.rank]];
        number = name == kRoot ? 0 : static_cast<int64_t>(used.size());
        if (number > 0) used.push_back(name);
      }
      Append(",[", static_cast<int64_t>(frame.depth), &frames);
      Append(",", number, &frames);
      Append(",", frame.weight, &frames);
      frames += ']';
    }
    return R"("names":)" + Dumped(used) + R"(,"frames":[)" + frames + "]";
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
  static std::string Dumped(const Json& json) {
    const std::string text =
        json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
    std::string safe;
    safe.reserve(text.size() + 64);
    for (const char c : text) c == '<' ? safe += "\\u003c" : safe += c;
    return safe;
  }

 private:
  struct Frame {
    size_t depth = 0;
    uint32_t rank = 0;
    int64_t weight = 0;  // of the stacks through it
    int64_t before = 0;  // what of it is compared with
  };

  static void Append(std::string_view before, int64_t number, std::string* out) {
    char digits[20];
    const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
    out->append(before);
    out->append(digits, static_cast<size_t>(end.ptr - digits));
  }

  const FrameNames& names_;
  std::vector<uint32_t> by_rank_;  // numbers of names
  std::vector<uint32_t> ranks_;    // of names by number
  std::vector<RankedStack> stacks_;
  std::vector<Frame> frames_;
};

std::string PageOf(const FlamePageText& text, const std::string& members) {
  constexpr std::string_view kHtml = kFlamePageHtml;
  constexpr std::string_view kPlace = "/*DATA*/";
  constexpr size_t kAt = kHtml.find(kPlace);
  std::string html(kHtml.substr(0, kAt));
  html.reserve(kHtml.size() + members.size() + 1024);
  html += fmt::format(R"({{{},"title":{},"subtitle":{},"unit":{}}})", members,
                      FrameList::Dumped(text.title), FrameList::Dumped(text.subtitle),
                      FrameList::Dumped(text.unit));
  html += kHtml.substr(kAt + kPlace.size());
  return html;
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
  return PageOf(text, fmt::format(R"({},"before":[{}],"compared":{})", members, frames.Before(),
                                  FrameList::Dumped({compared.first, compared.second})));
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
