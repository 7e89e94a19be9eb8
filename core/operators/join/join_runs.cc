#include "operators/join/join_runs.h"

namespace reprise {

Result<std::unique_ptr<JoinRuns>> JoinRuns::Make(const std::vector<Field>& fields,
                                                 int number_column, ChainOrder chains,
                                                 const SpillPlace* place) {
  const ExpressionSpec number{"column",
                              fields[static_cast<size_t>(number_column)].type,
                              true,
                              {{"index", number_column}},
                              {}};
  const nlohmann::json ordering = {
      {{"expression", ToJson(number)}, {"ascending", true}, {"nullsFirst", false}}};
  ARROW_ASSIGN_OR_RAISE(SortKeys keys, SortKeys::Make(ordering, fields));
  ARROW_ASSIGN_OR_RAISE(const auto schema, ToArrowSchema(fields));
  return std::unique_ptr<JoinRuns>(new JoinRuns(std::move(keys), schema, chains, place));
}

Status JoinRuns::Write(const Batch& batch) {
  ARROW_ASSIGN_OR_RAISE(const Batch compacted, Compacted(batch, pool_));
  return runs_.Write(compacted, &run_);
}

Status JoinRuns::EndRun() {
  if (!run_) return Status::OK();
  runs_.Add(std::move(run_));
  return runs_.MergeMany();
}

Result<std::optional<Batch>> JoinRuns::Next(const BatchBounds& bounds) {
  RETURN_NOT_OK(EndRun());
  return runs_.Next(bounds);
}

}  // namespace reprise
