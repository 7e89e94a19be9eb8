// Purpose: keep rows by chance, without replacement.
// Input:   one, any columns.  Output: the same columns and a selection; nothing is copied.
// Example: lower 0.0, upper 0.5 over rows whose numbers are [0.7, 0.2, 0.4] keeps the rows 1 and 2
// (Spark's SampleExec over a BernoulliCellSampler).
#include "operators/sample.h"

#include "base/selected_rows.h"
#include "expressions/xor_shift_random.h"
#include "operators/sort.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

class Sample final : public Operator {
 public:
  Sample(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs,
         const TaskContext& context, double lower, double upper, int64_t seed)
      : Operator(std::move(spec), std::move(inputs), context),
        lower_(lower),
        upper_(upper),
        random_(seed) {}

 private:
  bool hands_on(int /*index*/, int /*column*/) const override { return true; }

  Result<std::optional<Batch>> NextBatch() override {
    while (true) {
      ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull());
      if (!batch.has_value()) return std::nullopt;
      ARROW_ASSIGN_OR_RAISE(batch->selection,
                            SelectionOf(*batch, pool(), [this](int64_t) { return IsDrawn(); }));
      if (batch->selected_count() == 0) continue;
      batch->schema = output_schema();
      return batch;
    }
  }

  bool IsDrawn() {
    if (upper_ <= lower_) return false;
    const double number = random_.NextDouble();
    return number >= lower_ && number < upper_;
  }

  const double lower_;
  const double upper_;
  XorShiftRandom random_;
};

Result<double> DoubleMember(const nlohmann::json& arguments, std::string_view name) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* member, Member(arguments, name));
  if (!member->is_number()) return Status::Invalid("\"", name, "\" is not a number");
  return member->get<double>();
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeSample(OperatorSpec spec,
                                             std::vector<std::unique_ptr<Operator>> inputs,
                                             const TaskContext& context) {
  RETURN_NOT_OK(CheckSameColumns(spec));
  ARROW_ASSIGN_OR_RAISE(const double lower, DoubleMember(spec.arguments, "lower"));
  ARROW_ASSIGN_OR_RAISE(const double upper, DoubleMember(spec.arguments, "upper"));
  ARROW_ASSIGN_OR_RAISE(const int64_t seed, IntegerMember(spec.arguments, "seed"));
  // As Java adds longs.
  const auto of_partition =
      static_cast<int64_t>(static_cast<uint64_t>(seed) + static_cast<uint64_t>(context.partition));
  return std::make_unique<Sample>(std::move(spec), std::move(inputs), context, lower, upper,
                                  of_partition);
}

}  // namespace reprise
