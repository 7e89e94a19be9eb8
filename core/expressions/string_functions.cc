// trim, trim_left, trim_right, reverse, repeat, replace, pad_left, pad_right, substring_index,
// soundex, and concat, concat_ws. Input: strings, and an integer for repeat, the pads and
// substring_index. Output: string. Trimmed are
// spaces, or the characters of a second argument. concat is null where an argument is; concat_ws
// leaves nulls out, and is null where the separator, its first argument, is (Spark's classes of
// UTF8String's methods).
//   trim("  a b ") = "a b";  pad_left("ab", 5, "xy") = "xyxab";  concat_ws("-", "a", null, "b") =
//   "a-b"
// A result of more than 2 GiB, for which Java has no array, is an error.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "expressions/built_texts.h"
#include "expressions/functions.h"
#include "expressions/java_errors.h"
#include "expressions/null_intolerant.h"
#include "expressions/null_intolerant_chain.h"
#include "expressions/string_values.h"
#include "plan/utf8.h"

namespace reprise {

namespace {

using Strings = std::vector<AnyStrings>;

constexpr int64_t kBytesMax = std::numeric_limits<int32_t>::max();

Status TextTooLong() {
  return JavaArithmetic("integer overflow", "a string is longer than Java has arrays for");
}

Status AddRepeated(std::string_view text, int64_t times, std::string* out) {
  if (times <= 0 || text.empty()) return Status::OK();
  const auto bytes = static_cast<__int128>(text.size()) * times;
  if (bytes > kBytesMax) return TextTooLong();
  out->reserve(out->size() + static_cast<size_t>(bytes));
  for (int64_t i = 0; i < times; ++i) out->append(text);
  return Status::OK();
}

std::string_view FirstCharacters(std::string_view text, int64_t count) {
  size_t position = 0;
  for (; count > 0 && position < text.size(); --count) position = NextCharacter(text, position);
  return text.substr(0, position);
}

/// A function of one string, and of an integer or strings.
class TextFunction : public NullIntolerantChain {
 public:
  /// Called for each row: the strings among the arguments, and the integer.
  using Function = Status (*)(std::span<const std::string_view> texts, int32_t number,
                              std::string* out);

  TextFunction(FunctionCall call, Function function, bool can_fail)
      : NullIntolerantChain(call.spec.type, std::move(call.arguments), can_fail),
        function_(function) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    Strings strings;
    AnyValues<int32_t> numbers;
    for (const Column& column : arguments) {
      const auto& type = column.is_scalar() ? *column.scalar->type : *column.array->type();
      if (type.id() == arrow::Type::INT32) {
        numbers = AnyValues<int32_t>(column);
      } else {
        strings.emplace_back(column);
      }
    }
    const bool has_number = strings.size() < arguments.size();
    std::vector<std::string_view> texts(strings.size());
    return BuildTexts(nulls, row_count, pool, [&](int64_t row, std::string* out) {
      for (size_t i = 0; i < strings.size(); ++i) texts[i] = strings[i][row];
      return function_(texts, has_number ? numbers[row] : 0, out);
    });
  }

 private:
  Function function_;
};

// Without a second argument spaces are trimmed byte by byte, also behind bytes that begin a longer
// character (UTF8String.trim()); else whole characters are, where the second argument's bytes have
// them anywhere (UTF8String.trim(UTF8String)).
size_t TrimmedLeft(std::span<const std::string_view> texts) {
  const std::string_view text = texts[0];
  if (texts.size() == 1) return std::min(text.find_first_not_of(' '), text.size());
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t next = NextCharacter(text, begin);
    if (texts[1].find(text.substr(begin, next - begin)) == std::string_view::npos) break;
    begin = next;
  }
  return begin;
}

// Characters are found from the left, because strings that are not UTF-8 have others from the
// right.
size_t TrimmedRight(std::span<const std::string_view> texts, size_t from) {
  const std::string_view text = texts[0];
  if (texts.size() == 1) return std::max(from, text.find_last_not_of(' ') + 1);
  size_t end = from;
  for (size_t position = from; position < text.size();) {
    const size_t next = NextCharacter(text, position);
    const std::string_view character = text.substr(position, next - position);
    if (texts[1].find(character) == std::string_view::npos) end = next;
    position = next;
  }
  return end;
}

Status Trim(std::span<const std::string_view> texts, int32_t, std::string* out) {
  const size_t begin = TrimmedLeft(texts);
  out->assign(texts[0].substr(begin, TrimmedRight(texts, begin) - begin));
  return Status::OK();
}
Status TrimLeft(std::span<const std::string_view> texts, int32_t, std::string* out) {
  out->assign(texts[0].substr(TrimmedLeft(texts)));
  return Status::OK();
}
Status TrimRight(std::span<const std::string_view> texts, int32_t, std::string* out) {
  out->assign(texts[0].substr(0, TrimmedRight(texts, 0)));
  return Status::OK();
}

Status Reverse(std::span<const std::string_view> texts, int32_t, std::string* out) {
  const std::string_view text = texts[0];
  out->resize(text.size());
  size_t end = text.size();
  for (size_t i = 0; i < text.size();) {
    const size_t next = NextCharacter(text, i);
    end -= next - i;
    std::ranges::copy(text.substr(i, next - i), out->begin() + static_cast<std::ptrdiff_t>(end));
    i = next;
  }
  return Status::OK();
}

Status Repeat(std::span<const std::string_view> texts, int32_t times, std::string* out) {
  return AddRepeated(texts[0], times, out);
}

Status Replace(std::span<const std::string_view> texts, int32_t, std::string* out) {
  const auto& [text, search, replacement] = std::tie(texts[0], texts[1], texts[2]);
  size_t begin = 0;
  if (!search.empty()) {
    for (size_t at = text.find(search); at != std::string_view::npos;
         at = text.find(search, begin)) {
      out->append(text.substr(begin, at - begin)).append(replacement);
      begin = at + search.size();
    }
  }
  out->append(text.substr(begin));
  return Status::OK();
}

template <bool kLeft>
Status Pad(std::span<const std::string_view> texts, int32_t length, std::string* out) {
  const auto& [text, pad] = std::tie(texts[0], texts[1]);
  // The subtraction wraps in Java too: what is far below 0 is padded, until it is too long.
  const auto missing = static_cast<int32_t>(static_cast<uint32_t>(length) -
                                            static_cast<uint32_t>(CountCharacters(text)));
  if (missing <= 0 || pad.empty()) {
    out->assign(FirstCharacters(text, length));
    return Status::OK();
  }
  const int64_t whole = missing / CountCharacters(pad);
  const std::string_view rest = FirstCharacters(pad, missing - whole * CountCharacters(pad));
  const auto bytes =
      static_cast<int64_t>(text.size() + rest.size()) + whole * static_cast<int64_t>(pad.size());
  if (bytes > kBytesMax) return TextTooLong();
  if (!kLeft) out->append(text);
  RETURN_NOT_OK(AddRepeated(pad, whole, out));
  out->append(rest);
  if (kLeft) out->append(text);
  return Status::OK();
}

// Occurrences may overlap each other, as in UTF8String.subStringIndex.
Status SubstringIndex(std::span<const std::string_view> texts, int32_t count, std::string* out) {
  const auto& [text, delimiter] = std::tie(texts[0], texts[1]);
  if (delimiter.empty() || count == 0) return Status::OK();
  size_t at = std::string_view::npos;
  for (int64_t left = std::abs(int64_t{count}); left > 0; --left) {
    const bool is_first = at == std::string_view::npos;
    if (count > 0) {
      at = text.find(delimiter, is_first ? 0 : at + 1);
    } else if (is_first || at > 0) {
      at = text.rfind(delimiter, is_first ? std::string_view::npos : at - 1);
    } else {
      at = std::string_view::npos;
    }
    if (at == std::string_view::npos) break;
  }
  if (at == std::string_view::npos) {
    out->assign(text);
  } else {
    out->assign(count > 0 ? text.substr(0, at) : text.substr(at + delimiter.size()));
  }
  return Status::OK();
}

/// The code of each letter: '0' of vowels, '7' of those that are passed over.
constexpr std::string_view kSoundCodes = "01230127022455012623017202";

Status SoundEx(std::span<const std::string_view> texts, int32_t, std::string* out) {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; };
  const auto is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
  const std::string_view text = texts[0];
  if (text.empty() || !is_letter(upper(text[0]))) {
    out->assign(text);
    return Status::OK();
  }
  out->push_back(upper(text[0]));
  char last = kSoundCodes[static_cast<size_t>(upper(text[0]) - 'A')];
  for (size_t i = 1; i < text.size() && out->size() < 4; ++i) {
    const char letter = upper(text[i]);
    const char code = is_letter(letter) ? kSoundCodes[static_cast<size_t>(letter - 'A')] : '0';
    if (code == '7') continue;
    if (code != '0' && code != last) out->push_back(code);
    last = code;
  }
  out->resize(4, '0');
  return Status::OK();
}

/// concat and concat_ws: every argument is evaluated for every row.
class Concat : public Expression {
 public:
  Concat(FunctionCall call, bool has_separator)
      : Expression(call.spec.type, true),
        arguments_(std::move(call.arguments)),
        has_separator_(has_separator) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    const int64_t row_count = input.row_count();
    if (row_count == 0) return NullColumn(type());
    std::vector<Column> columns;
    for (const auto& argument : arguments_) {
      ARROW_ASSIGN_OR_RAISE(Column column, argument->Evaluate(input));
      columns.push_back(std::move(column));
    }
    // The separator's nulls, or everybody's.
    const auto needed = std::span(columns).first(has_separator_ ? 1 : columns.size());
    if (std::ranges::any_of(needed, IsNullScalar)) return NullColumn(type());
    ARROW_ASSIGN_OR_RAISE(const Nulls nulls, UnionOfNulls(needed, row_count, input.pool()));
    const Strings strings(columns.begin(), columns.end());
    ARROW_ASSIGN_OR_RAISE(
        auto array, BuildTexts(nulls, row_count, input.pool(), [&](int64_t row, std::string* out) {
          Join(columns, strings, row, out);
          return static_cast<int64_t>(out->size()) > kBytesMax ? TextTooLong() : Status::OK();
        }));
    return Column{std::move(array), nullptr};
  }

 private:
  void Join(const std::vector<Column>& columns, const Strings& strings, int64_t row,
            std::string* out) const {
    bool first = true;
    for (size_t i = has_separator_ ? 1 : 0; i < strings.size(); ++i) {
      if (has_separator_ && !IsValidAt(columns[i], row)) continue;
      if (has_separator_ && !first) out->append(strings[0][row]);
      out->append(strings[i][row]);
      first = false;
    }
  }

  std::vector<std::unique_ptr<Expression>> arguments_;
  bool has_separator_;
};

MadeExpression MakeText(FunctionCall call, TextFunction::Function function, bool can_fail = false) {
  return std::make_unique<TextFunction>(std::move(call), function, can_fail);
}

}  // namespace

MadeExpression MakeTrim(FunctionCall call) { return MakeText(std::move(call), Trim); }
MadeExpression MakeTrimLeft(FunctionCall call) { return MakeText(std::move(call), TrimLeft); }
MadeExpression MakeTrimRight(FunctionCall call) { return MakeText(std::move(call), TrimRight); }
MadeExpression MakeReverse(FunctionCall call) { return MakeText(std::move(call), Reverse); }
MadeExpression MakeRepeat(FunctionCall call) { return MakeText(std::move(call), Repeat, true); }
MadeExpression MakeReplace(FunctionCall call) { return MakeText(std::move(call), Replace); }
MadeExpression MakePadLeft(FunctionCall call) { return MakeText(std::move(call), Pad<true>, true); }
MadeExpression MakePadRight(FunctionCall call) {
  return MakeText(std::move(call), Pad<false>, true);
}
MadeExpression MakeSubstringIndex(FunctionCall call) {
  return MakeText(std::move(call), SubstringIndex);
}
MadeExpression MakeSoundEx(FunctionCall call) { return MakeText(std::move(call), SoundEx); }
MadeExpression MakeConcat(FunctionCall call) {
  return std::make_unique<Concat>(std::move(call), false);
}
MadeExpression MakeConcatWs(FunctionCall call) {
  return std::make_unique<Concat>(std::move(call), true);
}

}  // namespace reprise
