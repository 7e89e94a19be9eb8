// A library with a fault in it, for the tests of what is to find faults: its operators of the kind
// that REPRISE_FAULT names ("filter:off_by_one") give wrong rows.
//
// The linker puts this file between those who make operators and MakeOperator (--wrap), so that the
// product itself has no place for faults.
#include <arrow/array/concatenate.h>
#include <arrow/array/util.h>
#include <arrow/scalar.h>
#include <arrow/util/decimal.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "operators/registry.h"

namespace reprise {
namespace {

using Rows = std::shared_ptr<arrow::RecordBatch>;
using Value = std::shared_ptr<arrow::Scalar>;

/// What stands in place of a value; null where it stays.
using ValueFault = std::function<Value(const arrow::Scalar& value)>;
/// What leaves in place of a batch.
using BatchFault = std::function<Result<Rows>(const Rows& rows)>;

template <typename Scalar>
const Scalar* As(const arrow::Scalar& value) {
  return value.is_valid ? dynamic_cast<const Scalar*>(&value) : nullptr;
}

template <typename Scalar, typename Number>
Value Like(const Scalar& value, Number number) {
  return std::make_shared<Scalar>(number, value.type);
}

Value Text(const arrow::Scalar& like, const std::string& text) {
  return std::make_shared<arrow::StringScalar>(arrow::Buffer::FromString(text), like.type);
}

/// Of whole numbers of 64 bits.
template <typename Change>
ValueFault OfLongs(Change change) {
  return [change](const arrow::Scalar& value) -> Value {
    const auto* number = As<arrow::Int64Scalar>(value);
    if (number == nullptr) return nullptr;
    const int64_t changed = change(number->value);
    return changed == number->value ? nullptr : Like(*number, changed);
  };
}

template <typename Change>
ValueFault OfTexts(Change change) {
  return [change](const arrow::Scalar& value) -> Value {
    const auto* text = As<arrow::StringScalar>(value);
    if (text == nullptr) return nullptr;
    const std::string before(text->view());
    const std::string after = change(before);
    return after == before ? nullptr : Text(value, after);
  };
}

struct NamedValueFault {
  const char* name;
  ValueFault change;
};

const std::vector<NamedValueFault>& NumberFaults() {
  static const std::vector<NamedValueFault> faults = {
      {"off_by_one", OfLongs([](int64_t v) { return v % 7 == 3 ? v + 1 : v; })},
      {"negated", OfLongs([](int64_t v) { return v % 5 == 2 ? -v : v; })},
      {"wrapped", OfLongs([](int64_t v) { return int64_t{static_cast<int8_t>(v)}; })},
      {"zero_as_null",
       [](const arrow::Scalar& value) -> Value {
         const auto* number = As<arrow::Int64Scalar>(value);
         return number != nullptr && number->value == 0 ? arrow::MakeNullScalar(value.type)
                                                        : nullptr;
       }},
      {"null_as_zero",
       [](const arrow::Scalar& value) -> Value {
         if (value.is_valid || value.type->id() != arrow::Type::INT64) return nullptr;
         return std::make_shared<arrow::Int64Scalar>(0);
       }},
      {"rounded",
       [](const arrow::Scalar& value) -> Value {
         const auto* number = As<arrow::DoubleScalar>(value);
         return number == nullptr ? nullptr
                                  : Like(*number, double{static_cast<float>(number->value)});
       }},
      {"minus_zero",
       [](const arrow::Scalar& value) -> Value {
         const auto* number = As<arrow::DoubleScalar>(value);
         return number != nullptr && number->value == 0 ? Like(*number, -0.0) : nullptr;
       }},
      {"a_cent_more",
       [](const arrow::Scalar& value) -> Value {
         const auto* number = As<arrow::Decimal64Scalar>(value);
         return number == nullptr ? nullptr : Like(*number, number->value + arrow::Decimal64(1));
       }},
  };
  return faults;
}

const std::vector<NamedValueFault>& OtherFaults() {
  static const std::vector<NamedValueFault> faults = {
      {"flipped",
       [](const arrow::Scalar& value) -> Value {
         const auto* truth = As<arrow::BooleanScalar>(value);
         return truth != nullptr && truth->value ? std::make_shared<arrow::BooleanScalar>(false)
                                                 : nullptr;
       }},
      {"a_day_late",
       [](const arrow::Scalar& value) -> Value {
         const auto* date = As<arrow::Date32Scalar>(value);
         return date != nullptr && date->value % 10 == 0 ? Like(*date, date->value + 1) : nullptr;
       }},
      {"an_hour_late",
       [](const arrow::Scalar& value) -> Value {
         constexpr int64_t kHour = 3'600'000'000;
         const auto* time = As<arrow::TimestampScalar>(value);
         return time == nullptr ? nullptr : Like(*time, time->value + kHour);
       }},
      {"cut_text",
       OfTexts([](const std::string& v) { return v.size() > 4 ? v.substr(0, v.size() - 1) : v; })},
      {"upper_text", OfTexts([](std::string v) {
         std::ranges::transform(v, v.begin(), [](char c) { return c == 'a' ? 'A' : c; });
         return v;
       })},
      {"trailing_space",
       OfTexts([](const std::string& v) { return v.ends_with('3') ? v + ' ' : v; })},
      {"null_as_empty",
       [](const arrow::Scalar& value) -> Value {
         const bool applies = !value.is_valid && value.type->id() == arrow::Type::STRING;
         return applies ? Text(value, "") : nullptr;
       }},
  };
  return faults;
}

/// In the first column in which anything changes.
Result<Rows> Changed(const ValueFault& fault, const Rows& rows) {
  for (int column = 0; column < rows->num_columns(); ++column) {
    arrow::ArrayVector pieces;
    bool is_changed = false;
    for (int64_t row = 0; row < rows->num_rows(); ++row) {
      ARROW_ASSIGN_OR_RAISE(const Value value, rows->column(column)->GetScalar(row));
      const Value changed = fault(*value);
      is_changed |= changed != nullptr;
      ARROW_ASSIGN_OR_RAISE(auto piece, arrow::MakeArrayFromScalar(changed ? *changed : *value, 1));
      pieces.push_back(std::move(piece));
    }
    if (!is_changed) continue;
    ARROW_ASSIGN_OR_RAISE(auto values, arrow::Concatenate(pieces));
    return rows->SetColumn(column, rows->schema()->field(column), values);
  }
  return rows;
}

struct NamedBatchFault {
  const char* name;
  BatchFault change;
};

/// The first column has this value.
constexpr int64_t kRaisesAt = 1234;

const std::vector<NamedBatchFault>& BatchFaults() {
  static const std::vector<NamedBatchFault> faults = {
      {"raises",
       [](const Rows& rows) -> Result<Rows> {
         for (int64_t row = 0; row < rows->num_rows(); ++row) {
           ARROW_ASSIGN_OR_RAISE(const Value value, rows->column(0)->GetScalar(row));
           const auto* number = As<arrow::Int64Scalar>(*value);
           if (number != nullptr && number->value == kRaisesAt) {
             return Status::Invalid("no place for ", kRaisesAt);
           }
         }
         return rows;
       }},
      {"lost_first_row", [](const Rows& rows) -> Result<Rows> { return rows->Slice(1); }},
      {"lost_last_row",
       [](const Rows& rows) -> Result<Rows> { return rows->Slice(0, rows->num_rows() - 1); }},
      {"doubled_row",
       [](const Rows& rows) -> Result<Rows> {
         return arrow::ConcatenateRecordBatches({rows->Slice(0, 1), rows});
       }},
      {"lost_batch", [](const Rows& rows) -> Result<Rows> { return rows->Slice(0, 0); }},
      {"shifted_column",
       [](const Rows& rows) -> Result<Rows> {
         const auto& column = rows->column(0);
         const int64_t last = rows->num_rows() - 1;
         ARROW_ASSIGN_OR_RAISE(
             auto shifted, arrow::Concatenate({column->Slice(last, 1), column->Slice(0, last)}));
         return rows->SetColumn(0, rows->schema()->field(0), shifted);
       }},
  };
  return faults;
}

Result<Rows> Spoiled(const std::string& fault, const Rows& rows) {
  if (rows->num_rows() == 0) return rows;
  for (const auto* faults : {&NumberFaults(), &OtherFaults()}) {
    for (const NamedValueFault& named : *faults) {
      if (fault == named.name) return Changed(named.change, rows);
    }
  }
  for (const NamedBatchFault& named : BatchFaults()) {
    if (fault == named.name) return named.change(rows);
  }
  return Status::Invalid("REPRISE_FAULT: there is no fault \"", fault, "\"");
}

/// Hands to the operator within what the one around it pulls.
class Within : public Operator {
 public:
  using Source = std::function<Result<std::optional<Batch>>()>;

  Within(const OperatorSpec& input, const TaskContext& context, Source source)
      : Operator(input, {}, context), source_(std::move(source)) {}

 private:
  Result<std::optional<Batch>> NextBatch() override { return source_(); }

  Source source_;
};

/// The operator as others see it: what they show to captures and to the ledger is wrong too.
class Faulty : public Operator {
 public:
  Faulty(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
         const TaskContext& context, std::string fault)
      : Operator(std::move(spec), std::move(inputs), context), fault_(std::move(fault)) {}

  std::unique_ptr<Operator> InputWithin(size_t index) {
    return std::make_unique<Within>(inputs()[index]->spec(), context(),
                                    [this, index] { return Pull(static_cast<int>(index)); });
  }
  void set_right(std::unique_ptr<Operator> right) { right_ = std::move(right); }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    ARROW_ASSIGN_OR_RAISE(auto batch, right_->Next());
    mutable_metrics().extra = right_->metrics().extra;
    if (!batch || batch->errors != nullptr) return batch;
    ARROW_ASSIGN_OR_RAISE(const Rows rows, ToRecordBatch(*batch, pool()));
    ARROW_ASSIGN_OR_RAISE(const Rows spoiled, Spoiled(fault_, rows));
    return ToBatch(spoiled);
  }

  std::string fault_;
  std::unique_ptr<Operator> right_;
};

using Made = Result<std::unique_ptr<Operator>>;

Made RealMakeOperator(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                      const TaskContext& context) asm("__real_" REPRISE_MAKE_OPERATOR);

}  // namespace

// NOLINTNEXTLINE(misc-use-internal-linkage): the linker calls it
Made WrappedMakeOperator(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                         const TaskContext& context) asm("__wrap_" REPRISE_MAKE_OPERATOR);

Made WrappedMakeOperator(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                         const TaskContext& context) {
  const char* planted = std::getenv("REPRISE_FAULT");
  const std::string_view text = planted == nullptr ? "" : planted;
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || spec.kind != text.substr(0, colon)) {
    return RealMakeOperator(std::move(spec), std::move(inputs), context);
  }
  auto faulty = std::make_unique<Faulty>(spec, std::move(inputs), context,
                                         std::string(text.substr(colon + 1)));
  std::vector<std::unique_ptr<Operator>> within;
  for (size_t i = 0; i < faulty->inputs().size(); ++i) within.push_back(faulty->InputWithin(i));
  ARROW_ASSIGN_OR_RAISE(auto right, RealMakeOperator(std::move(spec), std::move(within), context));
  faulty->set_right(std::move(right));
  return faulty;
}

}  // namespace reprise
