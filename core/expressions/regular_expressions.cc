// rlike, regexp_extract, regexp_replace and split, with patterns that are literals. Input: a
// string, the pattern; of extract the group's number, of replace the replacement and the position
// 1, of split the most parts that are wanted, or 0 or less. Output: a boolean, a string, an array.
// A row is in doubt where Java may find something else (plan/java_pattern.h).
//   regexp_extract("a1b22", "b(\\d)", 1) = "2";  regexp_replace("a1b22", "\\d+", "<$0>") =
//   "a<1>b<22>";  split("a,b,", ",", -1) = ["a", "b", ""]
// Source: Spark's RLike, RegExpExtract, RegExpReplace, StringSplit and UTF8String.split.
#include "expressions/java_regex.h"
#include "expressions/tried_texts.h"
#include "plan/replaced_text.h"
#include "plan/unsafe_row.h"
#include "plan/utf8.h"

namespace reprise {

namespace {

using Found = JavaRegex::Found;
/// A regex is no value that a function could copy.
using SharedRegex = std::shared_ptr<JavaRegex>;

/// Null: it is not known what Java makes of the pattern.
SharedRegex RegexOf(const FunctionCall& call) {
  const auto text = LiteralText(call, 1);
  auto pattern = text ? JavaPattern::Read(*text) : std::nullopt;
  return pattern ? JavaRegex::Compile(*std::move(pattern)) : nullptr;
}

/// A replacement of Matcher.appendReplacement's: what stands between references to groups, which
/// are behind the pieces.
struct Replacement {
  std::vector<std::string> pieces;
  std::vector<int> groups;

  /// Nothing for one with a backslash, a group by its name, or one that is not there.
  static std::optional<Replacement> Read(std::string_view text, int groups) {
    Replacement read;
    std::string piece;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\') return std::nullopt;
      if (text[i] != '$') {
        piece += text[i];
        continue;
      }
      const auto is_digit = [&](size_t at) {
        return at < text.size() && text[at] >= '0' && text[at] <= '9';
      };
      // Java takes as many digits as give a group that there is.
      if (!is_digit(i + 1) || is_digit(i + 2) || text[i + 1] - '0' > groups) return std::nullopt;
      ++i;
      read.pieces.push_back(std::exchange(piece, {}));
      read.groups.push_back(text[i] - '0');
    }
    read.pieces.push_back(std::move(piece));
    return read;
  }

  void AddTo(std::string* out, const JavaRegex& match, std::string_view text) const {
    for (size_t i = 0; i < groups.size(); ++i) {
      out->append(pieces[i]).append(match.group(text, groups[i]).value_or(""));
    }
    out->append(pieces.back());
  }
};

/// Calls `f()` for each match, as Matcher.find gives one after the other. False: in doubt.
template <typename F>
bool ForEachMatch(JavaRegex* regex, std::string_view text, F&& f) {
  size_t from = 0;
  while (from <= text.size()) {
    const Found found = regex->Search(text, from);
    if (found != Found::kMatch) return found == Found::kNone;
    f();
    // Behind a match of nothing the search goes on a character later.
    const bool is_empty = regex->begin() == regex->end();
    from = regex->end();
    if (!is_empty) continue;
    const size_t size = from < text.size() ? CharacterBytes(text[from]) : 1;
    // Java goes on in the middle of a character of two UTF-16 units.
    if (size == 4) return false;
    from += size;
  }
  return true;
}

bool Replaced(JavaRegex* regex, const Replacement& replacement, std::string_view text,
              std::string* out) {
  size_t done = 0;
  const bool is_known = ForEachMatch(regex, text, [&] {
    out->append(text.substr(done, regex->begin() - done));
    replacement.AddTo(out, *regex, text);
    done = regex->end();
  });
  out->append(text.substr(done));
  return is_known;
}

/// Spark's bytes of an array of strings, none of them null.
void WriteTexts(std::span<const std::string_view> parts, std::string* out) {
  const int64_t count = std::ssize(parts);
  const int64_t first = kRowWordBytes + NullBitsBytes(count);
  int64_t size = first + count * kRowWordBytes;
  for (const auto part : parts) size += RoundUpToWord(static_cast<int64_t>(part.size()));
  out->assign(static_cast<size_t>(size), '\0');
  auto* const array = reinterpret_cast<uint8_t*>(out->data());
  StoreAs<int64_t>(array, count);
  int64_t offset = first + count * kRowWordBytes;
  for (int64_t i = 0; i < count; ++i) {
    const std::string_view part = parts[static_cast<size_t>(i)];
    StoreAs<uint64_t>(array + first + i * kRowWordBytes,
                      static_cast<uint64_t>(offset) << 32 | part.size());
    if (!part.empty()) std::memcpy(array + offset, part.data(), part.size());
    offset += RoundUpToWord(static_cast<int64_t>(part.size()));
  }
}

/// `limit`: the most parts; 0 or less: all. The pattern matches no empty text.
bool Split(JavaRegex* regex, int32_t limit, std::string_view text,
           std::vector<std::string_view>* parts) {
  parts->clear();
  size_t from = 0;
  while (limit <= 0 || std::ssize(*parts) < limit - 1) {
    const Found found = regex->Search(text, from);
    if (found == Found::kInDoubt) return false;
    if (found == Found::kNone) break;
    parts->push_back(text.substr(from, regex->begin() - from));
    from = regex->end();
  }
  parts->push_back(text.substr(from));
  return true;
}

}  // namespace

MadeExpression MakeRLike(FunctionCall call) {
  auto regex = RegexOf(call);
  KeepSubject(&call);
  return MakeTriedTexts<arrow::BooleanBuilder>(
      std::move(call), [regex = std::move(regex)](Texts texts, bool* matches) {
        if (regex == nullptr || !regex->Takes(texts[0])) return false;
        const Found found = regex->Matches(texts[0]);
        *matches = found == Found::kMatch;
        return found != Found::kInDoubt;
      });
}

MadeExpression MakeRegExpExtract(FunctionCall call) {
  auto regex = RegexOf(call);
  const int32_t group = LiteralNumber(call, 2).value_or(-1);
  if (regex != nullptr && (group < 0 || group > regex->pattern().groups)) regex = nullptr;
  KeepSubject(&call);
  return MakeTriedTexts<arrow::StringBuilder>(
      std::move(call), [regex = std::move(regex), group](Texts texts, std::string* out) {
        if (regex == nullptr || !regex->Takes(texts[0])) return false;
        const Found found = regex->Search(texts[0]);
        if (found == Found::kMatch) out->assign(regex->group(texts[0], group).value_or(""));
        return found != Found::kInDoubt;
      });
}

MadeExpression MakeRegExpReplace(FunctionCall call) {
  auto regex = RegexOf(call);
  const auto text = LiteralText(call, 2);
  std::optional<Replacement> replacement;
  if (regex != nullptr && text && IsUtf8(*text) && LiteralNumber(call, 3) == 1) {
    replacement = Replacement::Read(*text, regex->pattern().groups);
  }
  KeepSubject(&call);
  return MakeTriedTexts<arrow::StringBuilder>(
      std::move(call), [regex = std::move(regex), replacement = std::move(replacement)](
                           Texts texts, std::string* out) {
        if (!replacement || !regex->Takes(texts[0])) return false;
        return Replaced(regex.get(), *replacement, texts[0], out);
      });
}

MadeExpression MakeSplit(FunctionCall call) {
  auto regex = RegexOf(call);
  const auto limit = LiteralNumber(call, 2);
  if (regex != nullptr && (!limit || regex->pattern().can_be_empty)) regex = nullptr;
  KeepSubject(&call);
  return MakeTriedTexts<arrow::BinaryBuilder>(
      std::move(call),
      [regex = std::move(regex), limit = limit.value_or(0),
       parts = std::make_shared<std::vector<std::string_view>>()](Texts texts, std::string* out) {
        if (regex == nullptr || !regex->Takes(texts[0])) return false;
        if (!Split(regex.get(), limit, texts[0], parts.get())) return false;
        WriteTexts(*parts, out);
        return true;
      });
}

}  // namespace reprise
