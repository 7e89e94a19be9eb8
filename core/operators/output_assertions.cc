#include "operators/output_assertions.h"

#include <arrow/array/array_primitive.h>

#include "operators/aggregate/group_table.h"
#include "operators/asserted_rows.h"
#include "operators/output_check.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

/// Looks at the rows of a partition, one batch after the other.
class Condition {
 public:
  virtual ~Condition() = default;
  /// Notes the rows of the batch that offend; its first row is number `first` of the partition.
  virtual Status Look(const Batch& batch, int64_t first, AssertedRows* offending) = 0;
  /// What is wrong with `rows` rows so far; empty: nothing.
  virtual std::string AfterRows(int64_t /*rows*/) const { return ""; }
  /// What is wrong with all rows of a partition that has `rows`; empty: nothing.
  virtual std::string AtEnd(int64_t /*rows*/) const { return ""; }
};

class Forall final : public Condition {
 public:
  explicit Forall(std::unique_ptr<Expression> predicate) : predicate_(std::move(predicate)) {}

  Status Look(const Batch& batch, int64_t first, AssertedRows* offending) override {
    EvalInput input(batch, arrow::default_memory_pool());
    ARROW_ASSIGN_OR_RAISE(const auto evaluated, EvaluateToArray(*predicate_, input));
    const auto& holds = static_cast<const arrow::BooleanArray&>(*evaluated);
    if (holds.true_count() == holds.length()) return Status::OK();
    for (int64_t i = 0; i < holds.length(); ++i) {
      if (holds.IsNull(i) || holds.Value(i)) continue;
      RETURN_NOT_OK(offending->Note(batch, i, first + i));
    }
    return Status::OK();
  }

 private:
  const std::unique_ptr<Expression> predicate_;
};

class Exists final : public Condition {
 public:
  explicit Exists(std::unique_ptr<Expression> predicate) : predicate_(std::move(predicate)) {}

  Status Look(const Batch& batch, int64_t /*first*/, AssertedRows* /*offending*/) override {
    if (is_found_) return Status::OK();
    EvalInput input(batch, arrow::default_memory_pool());
    ARROW_ASSIGN_OR_RAISE(const auto evaluated, EvaluateToArray(*predicate_, input));
    is_found_ = static_cast<const arrow::BooleanArray&>(*evaluated).true_count() > 0;
    return Status::OK();
  }

  std::string AtEnd(int64_t rows) const override {
    return is_found_ ? "" : fmt::format("rows that hold: none of {}", rows);
  }

 private:
  const std::unique_ptr<Expression> predicate_;
  bool is_found_ = false;
};

class NoNulls final : public Condition {
 public:
  explicit NoNulls(std::vector<int> columns) : columns_(std::move(columns)) {}

  Status Look(const Batch& batch, int64_t first, AssertedRows* offending) override {
    if (!std::ranges::any_of(columns_, [&](int i) { return batch.columns[i]->null_count() > 0; })) {
      return Status::OK();
    }
    for (int64_t i = 0; i < batch.selected_count(); ++i) {
      const int64_t row = batch.has_selection() ? batch.selected()[i] : i;
      const bool has_null =
          std::ranges::any_of(columns_, [&](int c) { return batch.columns[c]->IsNull(row); });
      if (has_null) RETURN_NOT_OK(offending->Note(batch, i, first + i));
    }
    return Status::OK();
  }

 private:
  const std::vector<int> columns_;
};

class Unique final : public Condition {
 public:
  Unique(std::vector<std::unique_ptr<Expression>> keys, std::unique_ptr<GroupTable> table,
         arrow::MemoryPool* pool)
      : keys_(std::move(keys)), table_(std::move(table)), pool_(pool) {}

  Status Look(const Batch& batch, int64_t first, AssertedRows* offending) override {
    EvalInput input(batch, pool_);
    arrow::ArrayVector keys;
    for (const auto& key : keys_) {
      ARROW_ASSIGN_OR_RAISE(auto values, EvaluateToArray(*key, input));
      keys.push_back(std::move(values));
    }
    // Keys get numbers in the order in which they appear: another one than the next has been seen.
    int32_t next = table_->group_count();
    groups_.resize(static_cast<size_t>(input.row_count()));
    RETURN_NOT_OK(table_->Map(keys, input.row_count(), groups_.data()));
    for (int64_t i = 0; i < input.row_count(); ++i) {
      if (groups_[i] == next) {
        ++next;
      } else {
        RETURN_NOT_OK(offending->Note(batch, i, first + i));
      }
    }
    return Status::OK();
  }

 private:
  const std::vector<std::unique_ptr<Expression>> keys_;
  const std::unique_ptr<GroupTable> table_;
  arrow::MemoryPool* const pool_;
  std::vector<int32_t> groups_;
};

class Sorted final : public Condition {
 public:
  Sorted(SortKeys keys, arrow::MemoryPool* pool) : late_(std::move(keys), pool) {}

  Status Look(const Batch& batch, int64_t first, AssertedRows* offending) override {
    return late_.Look(batch, [&](const Batch& before, int64_t position) -> Status {
      const int64_t number = first + position;
      ARROW_ASSIGN_OR_RAISE(const std::string text, offending->RowText(before, 0, number - 1));
      return offending->Note(batch, position, number, "  after " + text);
    });
  }

 private:
  LateRows late_;
};

class RowCount final : public Condition {
 public:
  RowCount(int64_t min, int64_t max) : min_(min), max_(max) {}

  Status Look(const Batch& /*batch*/, int64_t /*first*/, AssertedRows* /*offending*/) override {
    return Status::OK();
  }
  std::string AfterRows(int64_t rows) const override {
    return rows > max_ ? fmt::format("rows: {} or more, expected {} to {}", rows, min_, max_) : "";
  }
  std::string AtEnd(int64_t rows) const override {
    return rows < min_ ? fmt::format("rows: {}, expected {} to {}", rows, min_, max_) : "";
  }

 private:
  const int64_t min_;
  const int64_t max_;
};

Result<std::unique_ptr<Expression>> PredicateOf(const nlohmann::json& json,
                                                const OperatorSpec& spec) {
  ARROW_ASSIGN_OR_RAISE(const ExpressionSpec predicate, ExpressionMember(json, "predicate"));
  return MakeExpression(predicate, spec.output);
}

Result<std::vector<int>> ColumnsMember(const nlohmann::json& json, std::string_view name,
                                       const OperatorSpec& spec) {
  ARROW_ASSIGN_OR_RAISE(const auto* array, ArrayMember(json, name));
  std::vector<int> columns;
  for (const auto& item : *array) {
    if (!item.is_number_integer() || item.get<int64_t>() < 0 ||
        item.get<int64_t>() >= static_cast<int64_t>(spec.output.size())) {
      return Status::Invalid("\"", name, "\" of an assertion names no column: ", item.dump());
    }
    columns.push_back(item.get<int>());
  }
  return columns;
}

/// Keys that compare by their bits.
Result<std::unique_ptr<Condition>> MakeUnique(const std::vector<int>& columns,
                                              const OperatorSpec& spec,
                                              const TaskContext& context) {
  std::vector<std::unique_ptr<Expression>> keys;
  std::vector<DataType> types;
  for (const int column : columns) {
    const Field& field = spec.output[column];
    ExpressionSpec key{"column", field.type, field.nullable, {{"index", column}}, {}};
    if (field.type.is_floating()) {
      key = {"normalize_nan_and_zero", field.type, field.nullable, nlohmann::json::object(), {key}};
    }
    ARROW_ASSIGN_OR_RAISE(auto made, MakeExpression(key, spec.output));
    keys.push_back(std::move(made));
    types.push_back(field.type);
  }
  ARROW_ASSIGN_OR_RAISE(auto table, MakeGroupTable(types, context.pool));
  return std::make_unique<Unique>(std::move(keys), std::move(table), context.pool);
}

Result<std::unique_ptr<Condition>> MakeCondition(const std::string& kind,
                                                 const nlohmann::json& json,
                                                 const OperatorSpec& spec,
                                                 const TaskContext& context) {
  if (kind == "forall" || kind == "exists") {
    ARROW_ASSIGN_OR_RAISE(auto predicate, PredicateOf(json, spec));
    if (kind == "forall") return std::make_unique<Forall>(std::move(predicate));
    return std::make_unique<Exists>(std::move(predicate));
  }
  if (kind == "no-nulls" || kind == "unique") {
    ARROW_ASSIGN_OR_RAISE(auto columns, ColumnsMember(json, "columns", spec));
    if (kind == "unique") return MakeUnique(columns, spec, context);
    return std::make_unique<NoNulls>(std::move(columns));
  }
  if (kind == "sorted") {
    ARROW_ASSIGN_OR_RAISE(const auto* ordering, ArrayMember(json, "ordering"));
    ARROW_ASSIGN_OR_RAISE(SortKeys keys, SortKeys::Make(*ordering, spec.output));
    return std::make_unique<Sorted>(std::move(keys), context.pool);
  }
  if (kind != "count") return Status::Invalid("unknown assertion \"", kind, "\"");
  ARROW_ASSIGN_OR_RAISE(const int64_t min, IntegerMember(json, "min"));
  ARROW_ASSIGN_OR_RAISE(const int64_t max, IntegerMember(json, "max"));
  return std::make_unique<RowCount>(min, max);
}

struct OperatorAssertion {
  std::string kind;
  std::string text;
  std::unique_ptr<Condition> condition;
};

class OutputAssertions final : public OutputCheck {
 public:
  OutputAssertions(const OperatorSpec& of, std::unique_ptr<Operator> checked,
                   const TaskContext& context, std::string subject, std::vector<bool> masked,
                   std::vector<OperatorAssertion> assertions)
      : OutputCheck("assertions", of, std::move(checked), context),
        subject_(std::move(subject)),
        masked_(std::move(masked)),
        assertions_(std::move(assertions)) {}

 private:
  Status Look(const Batch& batch, int64_t first) override {
    const int64_t rows = first + batch.selected_count();
    for (const OperatorAssertion& assertion : assertions_) {
      AssertedRows offending(this->spec().output, masked_);
      const Status looked = assertion.condition->Look(batch, first, &offending);
      if (!looked.ok()) return Uncheckable(assertion, looked);
      if (offending.count() > 0) {
        std::string found =
            fmt::format("offending rows: {} of the first {}", offending.count(), rows);
        for (const std::string& row : offending.sample()) found += "\n    " + row;
        return Failure(assertion, found);
      }
      RETURN_NOT_OK(Judge(assertion, assertion.condition->AfterRows(rows)));
    }
    return Status::OK();
  }

  Status LookBack(int64_t rows) override {
    for (const OperatorAssertion& assertion : assertions_) {
      RETURN_NOT_OK(Judge(assertion, assertion.condition->AtEnd(rows)));
    }
    return Status::OK();
  }

  /// An error of the predicate's own. It says nothing but that it is one where its text may tell a
  /// masked value, and has no condition, of which Spark would make an error of the query's.
  Status Uncheckable(const OperatorAssertion& assertion, const Status& why) const {
    if (why.IsCancelled() || why.IsOutOfMemory()) return why;
    const bool is_masked = std::ranges::find(masked_, true) != masked_.end();
    return Status::Invalid(
        "Operator ", assertion.kind, "-assertion error:\n", subject_,
        "\n  assertion: ", assertion.text, "\n  partition: ", context().partition,
        "\n  cannot be checked: ",
        is_masked ? "its predicate fails for a row, whose values are masked" : why.message());
  }

  Status Judge(const OperatorAssertion& assertion, const std::string& wrong) const {
    return wrong.empty() ? Status::OK() : Failure(assertion, wrong);
  }

  Status Failure(const OperatorAssertion& assertion, const std::string& found) const {
    return Status::Invalid("Operator ", assertion.kind, "-assertion error:\n", subject_,
                           "\n  assertion: ", assertion.text,
                           "\n  partition: ", context().partition, "\n  ", found);
  }

  const std::string subject_;
  const std::vector<bool> masked_;
  const std::vector<OperatorAssertion> assertions_;
};

}  // namespace

Result<std::vector<bool>> MaskedByAssertions(const nlohmann::json& assertions,
                                             const OperatorSpec& spec) {
  ARROW_ASSIGN_OR_RAISE(const auto columns, ColumnsMember(assertions, "masked", spec));
  std::vector<bool> masked(spec.output.size(), false);
  for (const int column : columns) masked[column] = true;
  return masked;
}

Result<std::unique_ptr<Operator>> MakeOutputAssertions(const nlohmann::json& assertions,
                                                       const OperatorSpec& spec,
                                                       std::unique_ptr<Operator> checked,
                                                       const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto* all, ArrayMember(assertions, "all"));
  ARROW_ASSIGN_OR_RAISE(std::vector<bool> masked, MaskedByAssertions(assertions, spec));
  std::vector<OperatorAssertion> made;
  for (const nlohmann::json& json : *all) {
    ARROW_ASSIGN_OR_RAISE(std::string kind, StringMember(json, "kind"));
    ARROW_ASSIGN_OR_RAISE(std::string text, StringMember(json, "text"));
    ARROW_ASSIGN_OR_RAISE(auto condition, MakeCondition(kind, json, spec, context));
    made.push_back({std::move(kind), std::move(text), std::move(condition)});
  }
  ARROW_ASSIGN_OR_RAISE(const std::string occurrence, StringMember(assertions, "operator"));
  ARROW_ASSIGN_OR_RAISE(const int64_t lore_id, IntegerMember(assertions, "loreId"));
  return std::make_unique<OutputAssertions>(
      spec, std::move(checked), context,
      fmt::format("  operator: {}\n  LORE id: {}", occurrence, lore_id), std::move(masked),
      std::move(made));
}

}  // namespace reprise
