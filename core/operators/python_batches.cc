// Purpose: give Python rows in the batches that Spark would give it.
// Input:   one, any columns.  Output: its rows and columns, in other batches.
// Example: with "rows":3, batches of [2, 2, 3] rows leave as [3, 3, 1].
#include "operators/python_batches.h"

#include "operators/python_rows.h"
#include "operators/sort.h"
#include "transitions/foreign_columns.h"

namespace reprise {

namespace {

class PythonBatches final : public Operator {
 public:
  PythonBatches(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
                const TaskContext& context, PythonRows rows, std::shared_ptr<arrow::Schema> schema)
      : Operator(std::move(spec), std::move(inputs), context),
        rows_(std::move(rows)),
        schema_(std::move(schema)) {}

 private:
  bool may_be_cut() const override { return false; }

  Result<std::optional<Batch>> NextBatch() override {
    while (!rows_.is_full(bounds())) {
      ARROW_ASSIGN_OR_RAISE(const std::optional<Batch> batch, Pull());
      if (!batch.has_value()) break;
      if (batch->selected_count() == 0) continue;
      ARROW_ASSIGN_OR_RAISE(const auto plain, ToRecordBatch(*batch, pool()));
      RETURN_NOT_OK(rows_.Add(ToBatch(plain), pool()));
    }
    if (rows_.empty()) return std::nullopt;
    RETURN_NOT_OK(Reserve(rows_.bytes()));
    ARROW_ASSIGN_OR_RAISE(Batch batch, rows_.Take(pool()));
    batch.schema = schema_;
    return batch;
  }

  PythonRows rows_;
  const std::shared_ptr<arrow::Schema> schema_;
};

}  // namespace

Result<std::unique_ptr<Operator>> MakePythonBatches(OperatorSpec spec,
                                                    std::vector<std::unique_ptr<Operator>> inputs,
                                                    const TaskContext& context) {
  RETURN_NOT_OK(CheckSameColumns(spec));
  ARROW_ASSIGN_OR_RAISE(PythonRows rows, ReadPythonRows(spec.arguments, spec.output));
  ARROW_ASSIGN_OR_RAISE(auto schema, ForeignSchema(spec.output));
  return std::make_unique<PythonBatches>(std::move(spec), std::move(inputs), context,
                                         std::move(rows), std::move(schema));
}

}  // namespace reprise
