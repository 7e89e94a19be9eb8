#include "rules/lore_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string>

#include "base/ascii.h"
#include "base/error_at.h"

namespace reprise {

namespace {

/// More partitions than this in ranges are taken for a mistake.
constexpr int64_t kPartitionsMax = 1'000'000;

constexpr size_t kFingerprintDigits = 16;

constexpr std::string_view kStage = "stage:";
constexpr std::string_view kQuery = "query";

bool IsHexadecimal(char c) {
  return IsAsciiDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::string LowerHexadecimal(std::string_view hexadecimal) {
  std::string lowered(hexadecimal);
  for (char& c : lowered) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  return lowered;
}

std::string Described(const LoreChoice& choice) {
  if (choice.lore_id != 0 && !choice.is_stage) return "LORE id " + choice.Text();
  return choice.occurrence.empty() && !choice.is_group() ? "fingerprint " + choice.Text()
                                                         : choice.Text();
}

class Parser {
 public:
  /// `may_group`: an operator may stand for several.
  Parser(std::string_view key, std::string_view text, size_t at, bool may_group)
      : key_(key), text_(text), at_(at), may_group_(may_group) {}

  Result<LoreSelection> Parse();
  Result<LoreChoice> Operator();
  size_t at() const { return at_; }

 private:
  Status Fail(size_t position, std::string_view what) const;
  void SkipSpaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool Take(char expected) {
    if (at_ >= text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }
  Result<int64_t> Number(std::string_view what, int64_t max);
  Result<LoreChoice> ByOccurrence(size_t start, std::string_view word);
  Result<LoreChoice> OfStage();
  Result<PartitionChoice> Partitions();
  Status Part(std::set<int32_t>* partitions);

  std::string_view key_;
  std::string_view text_;
  size_t at_;
  bool may_group_;
};

Status Parser::Fail(size_t position, std::string_view what) const {
  return ErrorAt(key_, text_, position, what);
}

Result<int64_t> Parser::Number(std::string_view what, int64_t max) {
  int64_t number = 0;
  const char* first = text_.data() + at_;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), number);
  if (error == std::errc::result_out_of_range || number > max) {
    return Fail(at_, fmt::format("{} is too large, the largest is {}", what, max));
  }
  // from_chars takes a sign, the grammar does not.
  if (error != std::errc() || *first == '-') {
    return Fail(at_, fmt::format("expected {}", what));
  }
  at_ += static_cast<size_t>(end - first);
  return number;
}

Status Parser::Part(std::set<int32_t>* partitions) {
  const size_t start = at_;
  ARROW_ASSIGN_OR_RAISE(const int64_t first, Number("a partition number", INT32_MAX));
  int64_t end = first + 1;
  if (Take('-')) {
    ARROW_ASSIGN_OR_RAISE(end, Number("the end of the range", INT32_MAX));
    if (end <= first) {
      return Fail(start,
                  fmt::format("the range {}-{} is empty (a range excludes its end)", first, end));
    }
  }
  if (end - first > kPartitionsMax) {
    return Fail(start, fmt::format("the range has more than {} partitions", kPartitionsMax));
  }
  for (int64_t partition = first; partition < end; ++partition) {
    if (partitions->insert(static_cast<int32_t>(partition)).second) continue;
    return Fail(start, fmt::format("partition {} is chosen twice", partition));
  }
  return Status::OK();
}

Result<PartitionChoice> Parser::Partitions() {
  if (!Take('[')) return Fail(at_, "expected '[' and partitions, such as [*] or [0 4-6]");
  SkipSpaces();
  if (Take(']')) return PartitionChoice();
  if (text_.substr(at_).starts_with("\\*")) ++at_;
  if (Take('*')) {
    SkipSpaces();
    if (!Take(']')) return Fail(at_, "expected ']' after '*', which stands for all partitions");
    return PartitionChoice();
  }
  std::set<int32_t> partitions;
  while (true) {
    SkipSpaces();
    if (at_ < text_.size() && text_[at_] == '*') {
      return Fail(at_, "'*' cannot stand beside other partitions");
    }
    if (at_ < text_.size() && text_[at_] == ']') break;
    const size_t start = at_;
    RETURN_NOT_OK(Part(&partitions));
    const bool separated = at_ >= text_.size() || text_[at_] == ' ' || text_[at_] == '\t' ||
                           text_[at_] == ']' || at_ == start;
    if (!separated) return Fail(at_, "expected a space or ']' after a partition");
  }
  if (partitions.empty()) return Fail(at_, "expected partitions, or '*' for all");
  ++at_;
  return PartitionChoice(std::vector<int32_t>(partitions.begin(), partitions.end()));
}

/// "Filter#0", or "Filter" for all of them.
Result<LoreChoice> Parser::ByOccurrence(size_t start, std::string_view word) {
  const size_t mark = word.find('#');
  if (mark == std::string_view::npos && may_group_) {
    at_ = start + word.size();
    LoreChoice choice;
    choice.name = word;
    return choice;
  }
  if (mark == 0) return Fail(start, "expected an operator's name before '#'");
  if (mark == std::string_view::npos) {
    return Fail(start + word.size(),
                "expected '#' and the number of the occurrence, as in Filter#0");
  }
  at_ = start + mark + 1;
  ARROW_ASSIGN_OR_RAISE(const int64_t number, Number("the number of the occurrence", INT32_MAX));
  LoreChoice choice;
  choice.occurrence = fmt::format("{}#{}", word.substr(0, mark), number);
  return choice;
}

/// Behind "stage:", the id.
Result<LoreChoice> Parser::OfStage() {
  const size_t start = at_;
  LoreChoice choice;
  choice.is_stage = true;
  ARROW_ASSIGN_OR_RAISE(choice.lore_id,
                        Number("the LORE id of an operator of the stage", INT32_MAX));
  if (choice.lore_id == 0) return Fail(start, "LORE ids start at 1");
  return choice;
}

Result<LoreChoice> Parser::Operator() {
  const size_t start = at_;
  const std::string_view word =
      text_.substr(start, text_.find_first_of(" \t\r\n[],:;@", start) - start);
  const bool is_hexadecimal = std::ranges::all_of(word, IsHexadecimal);
  const bool is_number = std::ranges::all_of(word, IsAsciiDigit);
  LoreChoice choice;
  if (word == "*" && may_group_) {
    ++at_;
    choice.is_all = true;
    return choice;
  }
  if (may_group_ && text_.substr(at_).starts_with(kStage)) {
    at_ += kStage.size();
    return OfStage();
  }
  if (word == kQuery && may_group_) {
    at_ += kQuery.size();
    choice.is_query = true;
    return choice;
  }
  if (is_hexadecimal && word.size() == kFingerprintDigits) {
    choice.fingerprint = LowerHexadecimal(word);
    at_ += word.size();
    return choice;
  }
  if (word.empty() || word.front() == '-' || word.front() == '*') {
    return Fail(start, "expected a LORE id, a name such as Filter#0, or a fingerprint");
  }
  if (is_hexadecimal && !is_number && IsAsciiDigit(word.front())) {
    return Fail(start, fmt::format("a fingerprint has {} hexadecimal digits, this has {}",
                                   kFingerprintDigits, word.size()));
  }
  if (!IsAsciiDigit(word.front())) return ByOccurrence(start, word);
  ARROW_ASSIGN_OR_RAISE(choice.lore_id, Number("a LORE id", INT32_MAX));
  if (choice.lore_id == 0) return Fail(start, "LORE ids start at 1");
  choice.with_all_below = may_group_ && Take('+');
  return choice;
}

Result<LoreSelection> Parser::Parse() {
  LoreSelection selection;
  SkipSpaces();
  if (at_ == text_.size()) return selection;
  while (true) {
    SkipSpaces();
    const size_t start = at_;
    ARROW_ASSIGN_OR_RAISE(LoreChoice choice, Operator());
    for (const LoreChoice& other : selection.choices) {
      if (other.Text() == choice.Text()) {
        return Fail(start, fmt::format("{} is chosen twice", Described(choice)));
      }
    }
    SkipSpaces();
    const bool has_brackets = at_ < text_.size() && text_[at_] != ',';
    if (has_brackets || !choice.is_group()) {
      ARROW_ASSIGN_OR_RAISE(choice.partitions, Partitions());
    }
    selection.choices.push_back(std::move(choice));
    SkipSpaces();
    if (at_ == text_.size()) return selection;
    if (!Take(',')) return Fail(at_, "expected ',' or the end");
  }
}

}  // namespace

bool LoreChoice::Names(int64_t id, std::string_view its_occurrence,
                       std::string_view its_fingerprint) const {
  if (is_all) return id != 0;
  // Of a stage that the plan at hand does not have the one is known that was named.
  if (is_of_stages()) return members.empty() ? is_stage && id == lore_id : members.contains(id);
  if (lore_id != 0) return with_all_below ? id >= lore_id && id <= last : id == lore_id;
  if (!name.empty()) return its_occurrence.substr(0, its_occurrence.find('#')) == name;
  return occurrence.empty() ? its_fingerprint == fingerprint : its_occurrence == occurrence;
}

std::string LoreChoice::Text() const {
  if (is_all) return "*";
  if (is_query) return std::string(kQuery);
  if (is_stage) return fmt::format("{}{}", kStage, lore_id);
  if (lore_id != 0) return std::to_string(lore_id) + (with_all_below ? "+" : "");
  if (!name.empty()) return name;
  return occurrence.empty() ? fingerprint : occurrence;
}

std::optional<PartitionChoice> LoreSelection::Find(int64_t lore_id, std::string_view occurrence,
                                                   std::string_view fingerprint) const {
  bool is_chosen = false;
  std::set<int32_t> partitions;
  for (const LoreChoice& choice : choices) {
    if (!choice.Names(lore_id, occurrence, fingerprint)) continue;
    if (!choice.partitions) return PartitionChoice();
    is_chosen = true;
    partitions.insert(choice.partitions->begin(), choice.partitions->end());
  }
  if (!is_chosen) return std::nullopt;
  return PartitionChoice(std::vector<int32_t>(partitions.begin(), partitions.end()));
}

void LoreSelection::Resolve(const std::function<int64_t(int64_t)>& last_of) {
  for (LoreChoice& choice : choices) {
    if (choice.with_all_below) choice.last = std::max(choice.lore_id, last_of(choice.lore_id));
  }
}

void LoreSelection::ResolveStages(const std::function<std::set<int64_t>(int64_t)>& stage_of) {
  for (LoreChoice& choice : choices) {
    if (choice.is_of_stages()) choice.members = stage_of(choice.lore_id);
  }
}

bool LoreSelection::IsOfStagesAlone(int64_t lore_id, std::string_view occurrence,
                                    std::string_view fingerprint) const {
  return std::ranges::none_of(choices, [&](const LoreChoice& choice) {
    return !choice.is_of_stages() && choice.Names(lore_id, occurrence, fingerprint);
  });
}

Result<LoreSelection> ParseLoreSelection(std::string_view text) {
  return Parser("spark.reprise.lore.idsToDump", text, 0, /*may_group=*/true).Parse();
}

Result<LoreChoice> ParseLoreChoice(std::string_view key, std::string_view text, size_t* at) {
  Parser parser(key, text, *at, /*may_group=*/false);
  auto choice = parser.Operator();
  *at = parser.at();
  return choice;
}

}  // namespace reprise
