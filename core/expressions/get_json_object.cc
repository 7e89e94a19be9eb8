// get_json_object: what stands at a path in a JSON document, as text, or null. Input: a string, a
// path that is a literal. Output: a string. In doubt are documents that Spark's parser may read
// otherwise (single quotes, control characters, what is no JSON, what follows it), and values that
// it would write otherwise than they stand there: numbers with a fraction, objects and arrays with
// escapes or spaces.
//   get_json_object('{"a":{"b":[1,"x"]}}', '$.a.b[1]') = "x"
// Source: Spark's GetJsonObjectEvaluator, Jackson's parser.
#include "expressions/json_scanner.h"
#include "expressions/tried_texts.h"
#include "plan/json_path.h"

namespace reprise {

namespace {

using Steps = std::span<const JsonStep>;

class JsonWalk : public JsonScanner {
 public:
  JsonWalk(std::string_view text, std::string* out) : JsonScanner(text), out_(out) {}

  /// Whether something stands at the path; `in_doubt` must be asked first.
  bool Find(Steps steps) {
    SkipSpaces();
    if (!Peeks('{') && !Peeks('[')) return Doubt();
    const bool found = At(steps, 0);
    SkipSpaces();
    return is_at_end() ? found : Doubt();
  }

 private:
  /// The value here: writes what stands at the path in it.
  bool At(Steps steps, int depth) {
    if (depth > kLevelsMax) return Doubt();
    if (steps.empty()) return Copy(depth);
    if (Peeks('{') && steps[0].name) return InObject(steps, depth);
    if (Peeks('[') && !steps[0].name) return InArray(steps, depth);
    Skip(depth);
    return false;
  }

  /// Of fields of one name the first counts in which something is found.
  bool InObject(Steps steps, int depth) {
    bool found = false;
    ForEachField([&](std::string_view name, bool has_escapes) {
      if (has_escapes) return static_cast<void>(Doubt());
      if (found || name != *steps[0].name || IsNull()) return Skip(depth + 1);
      found = At(steps.subspan(1), depth + 1);
    });
    return found;
  }

  bool InArray(Steps steps, int depth) {
    bool found = false;
    ForEachElement([&, index = int64_t{0}]() mutable {
      if (index++ != steps[0].index) return Skip(depth + 1);
      found = At(steps.subspan(1), depth + 1);
    });
    return found;
  }

  /// Writes the value here as Jackson does.
  bool Copy(int depth) {
    if (Peeks('"')) {
      bool has_escapes = false;
      const std::string_view inside = String(&has_escapes);
      return has_escapes ? Unescape(inside) : Write(inside);
    }
    const size_t begin = at_;
    is_rewritten_ = false;
    Skip(depth);
    return is_rewritten_ ? Doubt() : Write(text_.substr(begin, at_ - begin));
  }

  bool Write(std::string_view value) {
    if (!in_doubt()) out_->assign(value);
    return !in_doubt();
  }

  bool Unescape(std::string_view inside) {
    const auto value = Unescaped(inside);
    return value ? Write(*value) : Doubt();
  }

  std::string* const out_;
};

}  // namespace

MadeExpression MakeGetJsonObject(FunctionCall call) {
  const auto path = LiteralText(call, 1);
  auto steps = path ? ReadJsonPath(*path) : std::nullopt;
  call.arguments.resize(1);
  return MakeTriedTexts<arrow::StringBuilder>(
      std::move(call), [steps = std::move(steps)](Texts texts, std::string* out) {
        if (!steps) return Tried::kInDoubt;
        JsonWalk walk(texts[0], out);
        const bool found = walk.Find(*steps);
        if (walk.in_doubt()) return Tried::kInDoubt;
        return found ? Tried::kValue : Tried::kNull;
      });
}

}  // namespace reprise
