// The base of functions of strings that know most of Spark's values, but not all.
#pragma once

#include <arrow/array/array_dict.h>
#include <arrow/builder.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "expressions/functions.h"
#include "expressions/null_intolerant.h"
#include "expressions/nulls.h"
#include "expressions/string_values.h"
#include "plan/string_literal.h"

namespace reprise {

using Texts = std::span<const std::string_view>;

/// What a function knows of a row.
enum class Tried { kInDoubt, kValue, kNull };

inline Tried ToTried(Tried tried) { return tried; }
inline Tried ToTried(bool is_known) { return is_known ? Tried::kValue : Tried::kInDoubt; }

/// The argument's value where it is a literal and not null.
inline std::optional<std::string> LiteralText(const FunctionCall& call, size_t argument) {
  const ExpressionSpec& spec = call.spec.arguments[argument];
  const auto value = spec.attributes.find("value");
  if (spec.function != "literal" || value == spec.attributes.end()) return std::nullopt;
  return StringLiteralBytes(*value);
}

/// The same of an integer.
inline std::optional<int32_t> LiteralNumber(const FunctionCall& call, size_t argument) {
  const ExpressionSpec& spec = call.spec.arguments[argument];
  const auto value = spec.attributes.find("value");
  if (spec.function != "literal" || value == spec.attributes.end()) return std::nullopt;
  if (!value->is_number_integer()) return std::nullopt;
  return value->get<int32_t>();
}

/// Leaves the first argument alone: the others are part of the function.
inline void KeepSubject(FunctionCall* call) { call->arguments.resize(1); }

/// What a builder of Arrow's appends: a string, or what its type stores.
template <typename Builder, typename = void>
struct BuiltValue {
  using type = std::string;
};
template <typename Builder>
struct BuiltValue<Builder, std::void_t<typename Builder::value_type>> {
  using type = typename Builder::value_type;
};
template <>
struct BuiltValue<arrow::BooleanBuilder> {
  using type = bool;
};

/// Null where an argument is, else what `F` says: Tried(Texts, Value*), or a bool, false for in
/// doubt (EvalInput::Doubt). A string is empty before. Of a dictionary each entry is asked for
/// once.
template <typename Builder, typename F>
class TriedTexts final : public Expression {
 public:
  using Value = typename BuiltValue<Builder>::type;

  TriedTexts(DataType type, std::vector<std::unique_ptr<Expression>> arguments, F function)
      : Expression(std::move(type),
                   /*can_fail=*/true),  // of rows that nobody needs, not to be asked
        arguments_(std::move(arguments)),
        function_(std::move(function)) {}

  Result<Column> Evaluate(EvalInput& input) const override {
    const int64_t rows = input.row_count();
    std::vector<Column> columns;
    for (const auto& argument : arguments_) {
      ARROW_ASSIGN_OR_RAISE(Column column, argument->Evaluate(input));
      columns.push_back(std::move(column));
    }
    if (rows == 0 || std::ranges::any_of(columns, IsNullScalar)) return NullColumn(type());
    ARROW_ASSIGN_OR_RAISE(const Nulls nulls, UnionOfNulls(columns, rows, input.pool()));
    const std::vector<AnyStrings> strings(columns.begin(), columns.end());
    Known known(OnlyDictionary(columns));
    ARROW_ASSIGN_OR_RAISE(const auto arrow_type, ToArrow(type()));
    Builder builder(arrow_type, input.pool());
    RETURN_NOT_OK(builder.Reserve(rows));
    std::vector<std::string_view> texts(strings.size());
    for (int64_t row = 0; row < rows; ++row) {
      if (!nulls.IsValid(row)) {
        RETURN_NOT_OK(builder.AppendNull());
        continue;
      }
      const Entry& entry = known.At(row, [&](Entry* made) {
        for (size_t i = 0; i < strings.size(); ++i) texts[i] = strings[i][row];
        made->tried = ToTried(function_(Texts(texts), &made->value));
      });
      if (entry.tried == Tried::kInDoubt) RETURN_NOT_OK(input.Doubt(row));
      const bool has_value = entry.tried == Tried::kValue;
      RETURN_NOT_OK(has_value ? builder.Append(entry.value) : builder.AppendNull());
    }
    ARROW_ASSIGN_OR_RAISE(auto array, builder.Finish());
    return Column{std::move(array), nullptr};
  }

 private:
  struct Entry {
    Tried tried = Tried::kInDoubt;
    Value value{};
  };

  /// The values of a dictionary's entries, once somebody has asked; of other rows the last one.
  class Known {
   public:
    explicit Known(const arrow::DictionaryArray* rows)
        : indices_(rows ? rows->data()->template GetValues<int32_t>(1) : nullptr),
          entries_(rows ? static_cast<size_t>(rows->dictionary()->length()) : 1),
          is_known_(entries_.size()) {}

    template <typename Make>
    const Entry& At(int64_t row, Make&& make) {
      const auto place = indices_ == nullptr ? 0 : static_cast<size_t>(indices_[row]);
      Entry& entry = entries_[place];
      if (indices_ != nullptr && is_known_[place]) return entry;
      // What a string has allocated serves the next one.
      if constexpr (std::is_same_v<Value, std::string>) entry.value.clear();
      make(&entry);
      is_known_[place] = true;
      return entry;
    }

   private:
    const int32_t* indices_;
    std::vector<Entry> entries_;
    std::vector<bool> is_known_;
  };

  /// The column that varies, where it is a dictionary of less entries than rows.
  static const arrow::DictionaryArray* OnlyDictionary(std::span<const Column> columns) {
    const arrow::Array* only = nullptr;
    for (const Column& column : columns) {
      if (column.is_scalar()) continue;
      if (only != nullptr) return nullptr;
      only = column.array.get();
    }
    if (only == nullptr || only->type_id() != arrow::Type::DICTIONARY) return nullptr;
    const auto& rows = static_cast<const arrow::DictionaryArray&>(*only);
    return rows.dictionary()->length() < rows.length() ? &rows : nullptr;
  }

  const std::vector<std::unique_ptr<Expression>> arguments_;
  const F function_;
};

template <typename Builder, typename F>
std::unique_ptr<Expression> MakeTriedTexts(FunctionCall call, F function) {
  return std::make_unique<TriedTexts<Builder, F>>(call.spec.type, std::move(call.arguments),
                                                  std::move(function));
}

}  // namespace reprise
