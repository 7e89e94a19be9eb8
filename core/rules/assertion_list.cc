#include "rules/assertion_list.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <optional>

#include "base/error_at.h"

namespace reprise {

namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool IsQuote(char c) { return c == '\'' || c == '"' || c == '`'; }

bool SameWord(std::string_view left, std::string_view lower) {
  return std::equal(left.begin(), left.end(), lower.begin(), lower.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

Status Fail(std::string_view text, size_t position, std::string_view what) {
  return ErrorAt(kAssertKey, text, position, what);
}

/// The byte behind the quoted text that begins at `at`; or the end of `text`.
size_t BehindQuotes(std::string_view text, size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' && quote != '`' ? 2 : 1;
  return std::min(at + 1, text.size());
}

/// One assertion of the text: [at, end).
class Reader {
 public:
  Reader(std::string_view text, size_t at, size_t end) : text_(text), at_(at), end_(end) {}

  Result<WrittenAssertion> Read();

 private:
  Status Expected(std::string_view what) const {
    return Fail(text_, at_, fmt::format("expected {}", what));
  }
  void SkipSpaces() {
    while (at_ < end_ && IsSpace(text_[at_])) ++at_;
  }
  bool Take(char expected) {
    SkipSpaces();
    if (at_ == end_ || text_[at_] != expected) return false;
    ++at_;
    return true;
  }
  std::string_view PeekWord() {
    SkipSpaces();
    size_t end = at_;
    while (end < end_ && IsWord(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  bool TakeWord(std::string_view word) {
    const std::string_view next = PeekWord();
    if (!SameWord(next, word)) return false;
    at_ += next.size();
    return true;
  }
  /// "word(": at the bracket's inside.
  bool TakeCall(std::string_view word) {
    const size_t before = at_;
    if (TakeWord(word) && Take('(')) return true;
    at_ = before;
    return false;
  }

  Status Kind(WrittenAssertion* assertion);
  Status Bracketed(AssertionKind kind, WrittenAssertion* assertion);
  Status Columns(AssertionKind kind, WrittenAssertion* assertion);
  Result<AssertedColumn> Column(bool has_order);
  Status Count(WrittenAssertion* assertion);
  Result<int64_t> Number();
  Status End();

  std::string_view text_;
  size_t at_;
  size_t end_;
};

Result<WrittenAssertion> Reader::Read() {
  WrittenAssertion assertion;
  SkipSpaces();
  ARROW_ASSIGN_OR_RAISE(assertion.choice, ParseLoreChoice(kAssertKey, text_, &at_));
  if (Take('@') && !TakeWord("output")) return Expected("\"output\" after '@'");
  if (!Take(':')) return Expected("':' and what must hold");
  SkipSpaces();
  size_t last = end_;
  while (last > at_ && IsSpace(text_[last - 1])) --last;
  end_ = last;
  if (at_ == end_) return Expected("what must hold");
  assertion.text = text_.substr(at_, end_ - at_);
  RETURN_NOT_OK(Kind(&assertion));
  return assertion;
}

Status Reader::Kind(WrittenAssertion* assertion) {
  if (TakeCall("unique")) return Columns(AssertionKind::kUnique, assertion);
  if (TakeCall("sorted")) return Columns(AssertionKind::kSorted, assertion);
  if (TakeCall("no_nulls")) return Columns(AssertionKind::kNoNulls, assertion);
  if (TakeCall("exists")) return Bracketed(AssertionKind::kExists, assertion);
  if (TakeCall("forall")) return Bracketed(AssertionKind::kForall, assertion);
  const size_t before = at_;
  if (TakeWord("count") && TakeWord("between")) return Count(assertion);
  at_ = before;
  assertion->kind = AssertionKind::kForall;
  assertion->predicate = assertion->text;
  assertion->predicate_begin = at_;
  return Status::OK();
}

Status Reader::End() {
  SkipSpaces();
  return at_ == end_ ? Status::OK() : Expected("';' or the end");
}

Status Reader::Bracketed(AssertionKind kind, WrittenAssertion* assertion) {
  assertion->kind = kind;
  assertion->predicate_begin = at_;
  int depth = 1;
  while (at_ < end_) {
    if (IsQuote(text_[at_])) {
      at_ = BehindQuotes(text_, at_);
      continue;
    }
    if (text_[at_] == '(') ++depth;
    if (text_[at_] == ')' && --depth == 0) break;
    ++at_;
  }
  if (at_ >= end_) return Expected("')'");
  assertion->predicate = text_.substr(assertion->predicate_begin, at_ - assertion->predicate_begin);
  ++at_;
  return End();
}

Status Reader::Columns(AssertionKind kind, WrittenAssertion* assertion) {
  assertion->kind = kind;
  if (kind == AssertionKind::kNoNulls && Take(')')) return End();
  do {
    ARROW_ASSIGN_OR_RAISE(AssertedColumn column, Column(kind == AssertionKind::kSorted));
    assertion->columns.push_back(std::move(column));
  } while (Take(','));
  if (!Take(')')) return Expected("',' or ')'");
  return End();
}

Result<AssertedColumn> Reader::Column(bool has_order) {
  SkipSpaces();
  AssertedColumn column;
  column.begin = at_;
  if (at_ < end_ && text_[at_] == '`') {
    const size_t end = BehindQuotes(text_, at_);
    if (end > end_ || end - at_ < 3 || text_[end - 1] != '`') return Expected("a column");
    column.name = text_.substr(at_ + 1, end - at_ - 2);
    at_ = end;
  } else {
    // Names of other scripts are words, too.
    size_t end = at_;
    while (end < end_ && (IsWord(text_[end]) || text_[end] == '.' || text_[end] < 0)) ++end;
    if (end == at_) return Expected("a column");
    column.name = text_.substr(at_, end - at_);
    at_ = end;
  }
  if (!has_order) return column;
  column.ascending = !TakeWord("desc");
  if (column.ascending) TakeWord("asc");
  column.nulls_first = column.ascending;
  if (!TakeWord("nulls")) return column;
  column.nulls_first = TakeWord("first");
  if (!column.nulls_first && !TakeWord("last")) return Expected("\"first\" or \"last\"");
  return column;
}

Result<int64_t> Reader::Number() {
  SkipSpaces();
  int64_t number = 0;
  const char* first = text_.data() + at_;
  const auto [end, error] = std::from_chars(first, text_.data() + end_, number);
  if (error == std::errc::result_out_of_range) return Fail(text_, at_, "the number is too large");
  if (error != std::errc() || *first == '-') return Expected("a number of rows");
  at_ += static_cast<size_t>(end - first);
  return number;
}

Status Reader::Count(WrittenAssertion* assertion) {
  assertion->kind = AssertionKind::kCount;
  ARROW_ASSIGN_OR_RAISE(assertion->count_min, Number());
  if (!TakeWord("and")) return Expected("\"and\"");
  SkipSpaces();
  const size_t place = at_;
  ARROW_ASSIGN_OR_RAISE(assertion->count_max, Number());
  if (assertion->count_max < assertion->count_min) {
    return Fail(
        text_, place,
        fmt::format("no count is between {} and {}", assertion->count_min, assertion->count_max));
  }
  return End();
}

/// The error of a predicate, where it is in the setting.
Status AtPlace(const Status& error, std::string_view setting, size_t begin) {
  constexpr std::string_view kPlace = "character ";
  std::string_view message = error.message();
  size_t place = 1;
  if (message.starts_with(kPlace)) {
    const char* last = message.data() + message.size();
    const auto [end, wrong] = std::from_chars(message.data() + kPlace.size(), last, place);
    if (wrong == std::errc() && end != last) {
      message = message.substr(static_cast<size_t>(end - message.data()) + 1);
      if (message.starts_with(' ')) message.remove_prefix(1);
    }
  }
  return Fail(setting, std::min(begin + place - 1, setting.size()), message);
}

Result<size_t> IndexOf(const AssertedColumn& column, std::string_view setting,
                       const std::vector<Field>& output, bool is_compared) {
  std::optional<size_t> found;
  std::string names;
  for (size_t i = 0; i < output.size(); ++i) {
    const bool is_it = output[i].name.size() == column.name.size() &&
                       std::equal(column.name.begin(), column.name.end(), output[i].name.begin(),
                                  [](unsigned char a, unsigned char b) {
                                    return std::tolower(a) == std::tolower(b);
                                  });
    names += (i == 0 ? "" : ", ") + output[i].name;
    if (is_it && found) {
      return Fail(setting, column.begin,
                  fmt::format("several columns of the operator are called {}", column.name));
    }
    if (is_it) found = i;
  }
  if (!found) {
    return Fail(setting, column.begin,
                fmt::format("the operator gives no column {}; it gives {}", column.name,
                            names.empty() ? "none" : names));
  }
  if (is_compared && output[*found].type.is(TypeKind::kNull)) {
    return Fail(setting, column.begin,
                fmt::format("column {} holds nothing but nulls", column.name));
  }
  if (is_compared && output[*found].type.is(TypeKind::kOther)) {
    return Fail(setting, column.begin,
                fmt::format("column {} has type {}, whose values cannot be compared here",
                            column.name, output[*found].type.ToString()));
  }
  return *found;
}

std::string_view KindName(AssertionKind kind) {
  switch (kind) {
    case AssertionKind::kForall:
      return "forall";
    case AssertionKind::kExists:
      return "exists";
    case AssertionKind::kNoNulls:
      return "no-nulls";
    case AssertionKind::kUnique:
      return "unique";
    case AssertionKind::kSorted:
      return "sorted";
    case AssertionKind::kCount:
      return "count";
  }
  return "";
}

Status BindColumns(const WrittenAssertion& assertion, std::string_view setting,
                   const std::vector<Field>& output, nlohmann::json* json) {
  auto columns = nlohmann::json::array();
  auto ordering = nlohmann::json::array();
  for (const AssertedColumn& column : assertion.columns) {
    ARROW_ASSIGN_OR_RAISE(const size_t index, IndexOf(column, setting, output,
                                                      assertion.kind != AssertionKind::kNoNulls));
    columns.push_back(index);
    const ExpressionSpec value{
        "column", output[index].type, output[index].nullable, {{"index", index}}, {}};
    ordering.push_back({{"expression", ToJson(value)},
                        {"ascending", column.ascending},
                        {"nullsFirst", column.nulls_first}});
  }
  if (assertion.kind == AssertionKind::kNoNulls && assertion.columns.empty()) {
    for (size_t i = 0; i < output.size(); ++i) columns.push_back(i);
  }
  if (assertion.kind == AssertionKind::kSorted) {
    (*json)["ordering"] = std::move(ordering);
  } else {
    (*json)["columns"] = std::move(columns);
  }
  return Status::OK();
}

}  // namespace

Result<std::vector<WrittenAssertion>> ParseAssertions(std::string_view text) {
  std::vector<WrittenAssertion> assertions;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin;
    while (end < text.size() && text[end] != ';') {
      end = IsQuote(text[end]) ? BehindQuotes(text, end) : end + 1;
    }
    if (!std::ranges::all_of(text.substr(begin, end - begin), IsSpace)) {
      ARROW_ASSIGN_OR_RAISE(WrittenAssertion assertion, Reader(text, begin, end).Read());
      assertions.push_back(std::move(assertion));
    }
    begin = end + 1;
  }
  return assertions;
}

Result<nlohmann::json> BindAssertion(const WrittenAssertion& assertion, std::string_view setting,
                                     const std::vector<Field>& output,
                                     const PredicateReader& predicates) {
  nlohmann::json json = {{"kind", KindName(assertion.kind)}, {"text", assertion.text}};
  switch (assertion.kind) {
    case AssertionKind::kForall:
    case AssertionKind::kExists: {
      if (!predicates) return Status::NotImplemented("predicates cannot be read here");
      const auto predicate = predicates(assertion.predicate, output);
      if (!predicate.ok()) return AtPlace(predicate.status(), setting, assertion.predicate_begin);
      json["predicate"] = ToJson(*predicate);
      break;
    }
    case AssertionKind::kCount:
      json["min"] = assertion.count_min;
      json["max"] = assertion.count_max;
      break;
    default:
      RETURN_NOT_OK(BindColumns(assertion, setting, output, &json));
  }
  return json;
}

}  // namespace reprise
