// starts_with, ends_with, contains, like: a string against a pattern.
// Input: the string and the pattern, for like a literal and attribute "escape". Output: boolean;
// null where either is null (Spark's StartsWith, EndsWith, Contains, Like).
//   like(["forest green", null], "%est%n") = [true, null]
#include "expressions/functions.h"
#include "expressions/leaves.h"
#include "expressions/string_predicate.h"
#include "plan/like_pattern.h"

namespace reprise {

namespace {

struct StartsWith {
  static bool Holds(std::string_view text, std::string_view part) { return text.starts_with(part); }
};
struct EndsWith {
  static bool Holds(std::string_view text, std::string_view part) { return text.ends_with(part); }
};
struct Contains {
  static bool Holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  }
};

// A pattern that differs from row to row.
template <typename Kind>
class VariablePattern : public NullIntolerant {
 public:
  explicit VariablePattern(FunctionCall call)
      : NullIntolerant(call.spec.type, std::move(call.arguments), false) {}

 protected:
  Result<std::shared_ptr<arrow::Array>> Compute(const std::vector<Column>& arguments,
                                                const Nulls& nulls, int64_t row_count,
                                                arrow::MemoryPool* pool) const override {
    std::shared_ptr<arrow::Array> plain[2];
    for (int i = 0; i < 2; ++i) {
      if (arguments[i].is_scalar()) continue;
      ARROW_ASSIGN_OR_RAISE(plain[i], DecodeDictionary(arguments[i].array, pool));
    }
    const auto text = [&](int i, int64_t row) {
      return plain[i] ? StringsOf(*plain[i])[row] : StringOf(*arguments[i].scalar);
    };
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                          arrow::AllocateBuffer(arrow::bit_util::BytesForBits(row_count), pool));
    WriteBits(row_count, bits->mutable_data(), [&](int64_t row) {
      return nulls.IsValid(row) && Kind::Holds(text(0, row), text(1, row));
    });
    return std::make_shared<arrow::BooleanArray>(row_count, std::move(bits), nulls.bits,
                                                 nulls.count);
  }
};

const Literal* PatternOf(const FunctionCall& call) {
  const auto* literal = dynamic_cast<const Literal*>(call.arguments[1].get());
  return literal != nullptr && literal->value()->is_valid ? literal : nullptr;
}

std::vector<std::unique_ptr<Expression>> ValueOf(FunctionCall& call) {
  std::vector<std::unique_ptr<Expression>> value;
  value.push_back(std::move(call.arguments[0]));
  return value;
}

template <typename Kind>
MadeExpression MakeMatching(FunctionCall call) {
  const Literal* pattern = PatternOf(call);
  if (pattern == nullptr) return std::make_unique<VariablePattern<Kind>>(std::move(call));
  auto test = [part = std::string(StringOf(*pattern->value()))](std::string_view text) {
    return Kind::Holds(text, part);
  };
  return std::make_unique<StringPredicate<decltype(test)>>(call.spec.type, ValueOf(call),
                                                           std::move(test));
}

}  // namespace

MadeExpression MakeStartsWith(FunctionCall call) {
  return MakeMatching<StartsWith>(std::move(call));
}

MadeExpression MakeEndsWith(FunctionCall call) { return MakeMatching<EndsWith>(std::move(call)); }

MadeExpression MakeContains(FunctionCall call) { return MakeMatching<Contains>(std::move(call)); }

MadeExpression MakeLike(FunctionCall call) {
  const auto escape = call.spec.attributes.find("escape");
  if (escape == call.spec.attributes.end() || !escape->is_string()) {
    return Status::Invalid("like has no attribute \"escape\" of one character");
  }
  const Literal* pattern = PatternOf(call);
  if (pattern == nullptr) {
    return Status::NotImplemented("like takes a pattern that is a literal and not null");
  }
  auto parsed = LikePattern::Parse(StringOf(*pattern->value()), escape->get<std::string>());
  if (!parsed.ok()) return WithPrefix(parsed.status(), "like: ");
  auto test = [like = std::move(*parsed)](std::string_view text) { return like.Matches(text); };
  return std::make_unique<StringPredicate<decltype(test)>>(call.spec.type, ValueOf(call),
                                                           std::move(test));
}

}  // namespace reprise
