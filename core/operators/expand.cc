// Purpose: give each row once for every projection: grouping sets, several distinct aggregates.
// Input:   one, any columns.  Output: as many rows as projections for each of the input.
// Example: projections [[a, 0], [null, 1]] over a = [5, 6] gives (5, 0), (6, 0) and (null, 1),
// (null, 1), a batch for each projection; ordered (5, 0), (null, 1), (6, 0), (null, 1), as Spark's
// ExpandExec.
#include "operators/expand.h"

#include <algorithm>

#include "expressions/expression.h"
#include "expressions/row_error.h"
#include "operators/interleave.h"
#include "operators/spec_members.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

using Projection = std::vector<std::unique_ptr<Expression>>;

class Expand final : public Operator {
 public:
  Expand(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
         const TaskContext& context, std::vector<Projection> projections, bool ordered)
      : Operator(std::move(spec), std::move(inputs), context),
        projections_(std::move(projections)),
        ordered_(ordered) {}

 private:
  Result<std::optional<Batch>> NextBatch() override {
    return ordered_ ? NextOfRows() : NextOfProjection();
  }

  Result<std::optional<Batch>> NextOfProjection() {
    if (next_ == projections_.size()) {
      RETURN_NOT_OK(due_.status());
      rows_.reset();
      ARROW_ASSIGN_OR_RAISE(batch_, Pull());
      if (!batch_.has_value()) return std::nullopt;
      rows_.emplace(*batch_, pool());
      next_ = 0;
    }
    auto output = Projected(*rows_, projections_[next_]);
    if (!output.ok()) {
      // A row is given for every projection before the next one is looked at.
      RETURN_NOT_OK(due_.Cut(&*batch_, output.status(), [this](const Batch& rows) {
        EvalInput input(rows, pool());
        for (size_t i = next_; i < projections_.size(); ++i) {
          RETURN_NOT_OK(Projected(input, projections_[i]));
        }
        return Status::OK();
      }));
      rows_.emplace(*batch_, pool());
      output = Projected(*rows_, projections_[next_]);
    }
    ++next_;
    return output;
  }

  /// Of so many rows of the input as make about one batch.
  Result<std::optional<Batch>> NextOfRows() {
    while (!batch_ || given_ == batch_->selected_count()) {
      RETURN_NOT_OK(due_.status());
      ARROW_ASSIGN_OR_RAISE(batch_, Pull());
      if (!batch_.has_value()) return std::nullopt;
      given_ = 0;
    }
    const int64_t count = std::clamp<int64_t>(bounds().rows / std::ssize(projections_), 1,
                                              batch_->selected_count() - given_);
    const Batch rows = SelectedRows(*batch_, given_, given_ + count);
    given_ += count;
    BatchPile pile(output_schema());
    const Status status = ProjectInto(rows, &pile);
    if (!status.ok()) return RowsBefore(rows, status);
    return pile.Take(Together(count), pool());
  }

  /// `rows`, over which some projection fails, up to that one of the first row that fails.
  Result<std::optional<Batch>> RowsBefore(const Batch& rows, const Status& error) {
    RowError first = FindRowError(rows, error, [this](const Batch& some) {
      BatchPile unused(output_schema());
      return ProjectInto(some, &unused);
    });
    if (!IsOfRow(first.status)) return std::move(first.status);
    due_.Set(std::move(first.status));
    batch_.reset();
    BatchPile pile(output_schema());
    if (first.row > 0) RETURN_NOT_OK(ProjectInto(SelectedRows(rows, 0, first.row), &pile));
    std::vector<RowOfBatch> given = Together(first.row);
    const Batch failing = SelectedRows(rows, first.row, first.row + 1);
    EvalInput input(failing, pool());
    for (const Projection& projection : projections_) {
      auto output = Projected(input, projection);
      if (!output.ok()) break;
      ARROW_ASSIGN_OR_RAISE(Batch compacted, Compacted(**output, pool()));
      given.push_back({pile.size(), 0});
      pile.Add(std::move(compacted));
    }
    if (given.empty()) return due_.status();
    return pile.Take(given, pool());
  }

  /// Adds a batch for every projection.
  Status ProjectInto(const Batch& rows, BatchPile* pile) const {
    EvalInput input(rows, pool());
    for (const Projection& projection : projections_) {
      ARROW_ASSIGN_OR_RAISE(const auto output, Projected(input, projection));
      ARROW_ASSIGN_OR_RAISE(Batch compacted, Compacted(*output, pool()));
      pile->Add(std::move(compacted));
    }
    return Status::OK();
  }

  /// Of `count` rows, which each projection has a batch of, all projections of each together.
  std::vector<RowOfBatch> Together(int64_t count) const {
    std::vector<RowOfBatch> rows;
    for (int32_t row = 0; row < count; ++row) {
      for (int32_t i = 0; i < std::ssize(projections_); ++i) rows.push_back({i, row});
    }
    return rows;
  }

  Result<std::optional<Batch>> Projected(EvalInput& input, const Projection& projection) const {
    Batch output{output_schema(), {}, input.row_count(), nullptr};
    for (const auto& expression : projection) {
      ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*expression, input));
      output.columns.push_back(std::move(column));
    }
    return output;
  }

  const std::vector<Projection> projections_;
  const bool ordered_;
  size_t next_ = projections_.size();
  std::optional<Batch> batch_;
  std::optional<EvalInput> rows_;  // of batch_
  int64_t given_ = 0;              // where ordered: rows of batch_
  DueError due_;
};

Result<Projection> ParseProjection(const nlohmann::json& json, const OperatorSpec& spec) {
  Projection projection;
  if (!json.is_array() || json.size() != spec.output.size()) {
    return Status::Invalid("a projection must have ", spec.output.size(),
                           " expressions, one an output column");
  }
  for (size_t i = 0; i < json.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(const ExpressionSpec expression, ExpressionSpecFromJson(json[i]));
    ARROW_ASSIGN_OR_RAISE(auto made, MakeExpression(expression, spec.inputs[0]));
    if (!HaveSameForm(made->type(), spec.output[i].type)) {
      return Status::Invalid("expression ", i, " of a projection is ", made->type().ToString(),
                             ", its output column ", spec.output[i].name, " is ",
                             spec.output[i].type.ToString());
    }
    projection.push_back(std::move(made));
  }
  return projection;
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeExpand(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context) {
  ARROW_ASSIGN_OR_RAISE(const auto* list, ArrayMember(spec.arguments, "projections"));
  if (list->empty()) return Status::Invalid("\"projections\" is empty");
  std::vector<Projection> projections;
  for (const auto& json : *list) {
    ARROW_ASSIGN_OR_RAISE(auto projection, ParseProjection(json, spec));
    projections.push_back(std::move(projection));
  }
  bool ordered = false;
  if (spec.arguments.contains("ordered")) {
    ARROW_ASSIGN_OR_RAISE(ordered, BooleanMember(spec.arguments, "ordered"));
  }
  return std::make_unique<Expand>(std::move(spec), std::move(inputs), context,
                                  std::move(projections), ordered);
}

}  // namespace reprise
