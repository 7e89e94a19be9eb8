// Purpose: join two inputs. The build side is pulled first, wholly, into a hash table
// (join_build.h); then each batch of the probe side finds its matches there.
// Input:   two, left and right.  Output: the probe side's order is kept (Spark's HashJoin promises
// its stream side's ordering); build rows that had no match, where they are kept, come last.
//
// Nothing of the probe side is copied where each of its rows leaves at most once: the batch goes on
// under a selection, and build columns are gathered at the rows' places.
#include "operators/join_operator.h"

#include "expressions/expression.h"
#include "operators/join_build.h"
#include "operators/join_output.h"
#include "operators/join_probe.h"
#include "operators/shared_builds.h"

namespace reprise {

namespace {

// With fewer matches than one in so many rows, copying the matches is cheaper than leaving gaps.
constexpr int64_t kRowsAMatchMax = 4;

// A broadcast's table, which the first task to want it makes and others wait for.
constexpr TraceRange kTakeSharedRange = {"take broadcast build", "build", {"rows"}};
constexpr TraceRange kMakeSharedRange = {"make broadcast build", "build", {"rows"}};

using Expressions = std::vector<std::unique_ptr<Expression>>;

Result<arrow::ArrayVector> Evaluate(const Expressions& expressions, EvalInput& input) {
  arrow::ArrayVector columns;
  for (const auto& expression : expressions) {
    ARROW_ASSIGN_OR_RAISE(auto column, EvaluateToArray(*expression, input));
    columns.push_back(std::move(column));
  }
  return columns;
}

class Join final : public Operator {
 public:
  Join(OperatorSpec spec, std::vector<std::unique_ptr<Operator>> inputs, const TaskContext& context,
       JoinSpec join, Expressions build_keys, Expressions probe_keys,
       std::unique_ptr<JoinCondition> condition)
      : Operator(std::move(spec), std::move(inputs), context),
        build_pool_(context.pool),
        join_(std::move(join)),
        build_keys_(std::move(build_keys)),
        probe_keys_(std::move(probe_keys)),
        condition_(std::move(condition)),
        rows_max_(std::max<int64_t>(1, context.batch_rows_target)),
        output_(output_schema(), this->spec().inputs[join_.probe_input()], join_.build_left),
        probe_(pool()),
        walk_(condition_ != nullptr && join_.keeps_probe(), join_.keeps_probe()),
        search_(pool()),
        pairs_(pool()),
        kept_(pool()),
        places_(pool()),
        build_has_match_(&build_pool_) {
    mutable_metrics().extra.assign(2, 0);
  }

 private:
  Result<std::optional<Batch>> NextBatch() override {
    if (build_ == nullptr) RETURN_NOT_OK(TakeBuild());
    while (true) {
      if (probe_at_end_) return UnmatchedBuildRows();
      if (!in_batch_) {
        RETURN_NOT_OK(NextProbeBatch());
        continue;
      }
      ARROW_ASSIGN_OR_RAISE(auto batch, join_.is_membership() ? MembershipBatch() : JoinedBatch());
      if (batch.has_value() && batch->selected_count() > 0) return batch;
      if (context().cancelled && context().cancelled()) {
        return Status::Cancelled("the task was cancelled");
      }
    }
  }

  // --- the build side ---

  Status TakeBuild() {
    const auto broadcast = inputs()[join_.build_input()]->broadcast_id();
    if (broadcast && join_.keeps_build()) {
      return Status::Invalid("a broadcast side cannot be the one whose unmatched rows are kept");
    }
    if (broadcast && !has_capture()) {
      TraceScope takes(context().trace, kTakeSharedRange);
      ARROW_ASSIGN_OR_RAISE(build_, SharedBuilds::Instance().GetOrMake(
                                        *broadcast, SharedKey(), [&] { return MakeSharedBuild(); },
                                        context().cancelled));
      takes.Count(build_->table->row_count());
    } else {
      ARROW_ASSIGN_OR_RAISE(build_, MakeBuild(false, &build_pool_));
    }
    keys_.emplace(&build_->layout, pool());
    if (join_.keeps_build()) RETURN_NOT_OK(build_has_match_.Resize(build_->table->row_count()));
    mutable_metrics().extra[0] = build_->table->row_count();
    mutable_metrics().extra[1] = build_pool_.max_memory();
    return Status::OK();
  }

  Result<std::shared_ptr<const JoinBuild>> MakeSharedBuild() {
    TraceScope makes(context().trace, kMakeSharedRange);
    auto build = MakeBuild(true, arrow::default_memory_pool());
    if (build.ok()) makes.Count((*build)->table->row_count());
    return build;
  }

  Result<std::shared_ptr<const JoinBuild>> MakeBuild(bool is_shared, arrow::MemoryPool* pool) {
    std::vector<DataType> key_types;
    for (const auto& key : build_keys_) key_types.push_back(key->type());
    JoinBuilder builder(spec().inputs[join_.build_input()], key_types, is_shared, pool);
    while (true) {
      ARROW_ASSIGN_OR_RAISE(const std::optional<Batch> batch, Pull(join_.build_input()));
      if (!batch.has_value()) return builder.Finish();
      // The columns, and about as much for the table. What tasks share is no task's memory.
      if (!is_shared) RETURN_NOT_OK(Reserve(2 * ByteSize(*batch)));
      EvalInput input(*batch, this->pool());
      ARROW_ASSIGN_OR_RAISE(const auto keys, Evaluate(build_keys_, input));
      RETURN_NOT_OK(builder.Add(*batch, keys));
    }
  }

  // Everything that a build depends on beside what was broadcast.
  std::string SharedKey() const {
    nlohmann::json json = {{"columns", ToJson(spec().inputs[join_.build_input()])},
                           {"keys", nlohmann::json::array()}};
    for (const auto& key : join_.build_left ? join_.left_keys : join_.right_keys) {
      json["keys"].push_back(ToJson(key));
    }
    return json.dump();
  }

  // --- the probe side ---

  Status NextProbeBatch() {
    ARROW_ASSIGN_OR_RAISE(std::optional<Batch> batch, Pull(join_.probe_input()));
    probe_at_end_ = !batch.has_value();
    if (probe_at_end_ || batch->selected_count() == 0) return Status::OK();
    EvalInput input(*batch, pool());
    ARROW_ASSIGN_OR_RAISE(const auto keys, Evaluate(probe_keys_, input));
    RETURN_NOT_OK(probe_.Start(*std::move(batch), keys, *build_, &*keys_));
    walk_.Start();
    row_has_match_ = false;
    in_batch_ = true;
    return Status::OK();
  }

  // Semi, anti and existence joins.
  Result<std::optional<Batch>> MembershipBatch() {
    in_batch_ = false;
    RETURN_NOT_OK(search_.Run(probe_, *build_, condition_.get(), rows_max_, context().cancelled));
    Batch batch = probe_.batch();
    batch.schema = output_schema();
    if (join_.type == JoinType::kExistence) {
      ARROW_ASSIGN_OR_RAISE(auto exists, ExistsColumn());
      batch.columns.push_back(std::move(exists));
      return batch;
    }
    if (join_.type == JoinType::kSemi) {
      return Select(std::move(batch), [&](int64_t row) { return search_.has_match(row); });
    }
    const JoinTable& table = *build_->table;
    if (!join_.null_aware || table.row_count() == 0) {
      return Select(std::move(batch), [&](int64_t row) { return search_.has_match(row) == 0; });
    }
    // NOT IN: null on either side makes the answer unknown, but for an empty list.
    if (table.has_null_key()) return std::nullopt;
    return Select(std::move(batch),
                  [&](int64_t row) { return search_.has_match(row) == 0 && !probe_.is_null(row); });
  }

  template <typename Wanted>
  Result<std::optional<Batch>> Select(Batch batch, Wanted&& wanted) {
    const int64_t rows = probe_.size();
    ARROW_ASSIGN_OR_RAISE(
        std::unique_ptr<arrow::ResizableBuffer> selection,
        arrow::AllocateResizableBuffer(rows * static_cast<int64_t>(sizeof(int32_t)), pool()));
    int32_t* out = reinterpret_cast<int32_t*>(selection->mutable_data());
    int64_t count = 0;
    for (int64_t row = 0; row < rows; ++row) {
      out[count] = probe_.physical(row);
      count += wanted(row);
    }
    if (count == rows) return batch;
    RETURN_NOT_OK(selection->Resize(count * static_cast<int64_t>(sizeof(int32_t)), false));
    batch.selection = std::move(selection);
    return batch;
  }

  Result<std::shared_ptr<arrow::Array>> ExistsColumn() {
    const int64_t rows = probe_.batch().row_count;
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bits,
                          arrow::AllocateEmptyBitmap(rows, pool()));
    for (int64_t row = 0; row < probe_.size(); ++row) {
      if (search_.has_match(row)) {
        arrow::bit_util::SetBit(bits->mutable_data(), probe_.physical(row));
      }
    }
    return std::make_shared<arrow::BooleanArray>(rows, std::move(bits));
  }

  // Inner and outer joins.
  Result<std::optional<Batch>> JoinedBatch() {
    if (condition_ == nullptr && build_->table->is_unique()) {
      int64_t matches = 0;
      for (int64_t row = 0; row < probe_.size(); ++row) matches += probe_.heads()[row] >= 0;
      if (join_.keeps_probe() || matches * kRowsAMatchMax >= probe_.batch().row_count) {
        in_batch_ = false;
        return BatchInPlace();
      }
    }
    RETURN_NOT_OK(walk_.Next(probe_, *build_->table, rows_max_, &pairs_));
    if (condition_ != nullptr) RETURN_NOT_OK(KeepPassingPairs());
    in_batch_ = !walk_.AtEnd(probe_);
    if (join_.keeps_build()) MarkMatched(pairs_.build_rows());
    if (pairs_.size() == 0) return std::nullopt;
    return output_.Pairs(probe_.batch(), build_->columns, pairs_, pool());
  }

  // Each probe row has one match or none.
  Result<std::optional<Batch>> BatchInPlace() {
    const std::span<const int32_t> heads(probe_.heads(), static_cast<size_t>(probe_.size()));
    if (join_.keeps_build()) MarkMatched(heads);
    std::span<const int32_t> places = heads;
    if (probe_.batch().has_selection()) {
      RETURN_NOT_OK(places_.ResizeUninitialised(probe_.batch().row_count));
      std::fill_n(places_.data(), places_.size(), JoinTable::kNone);
      for (size_t row = 0; row < heads.size(); ++row) {
        places_[probe_.physical(static_cast<int64_t>(row))] = heads[row];
      }
      places = {places_.data(), static_cast<size_t>(places_.size())};
    }
    if (join_.keeps_probe()) {
      return output_.InPlace(probe_.batch(), probe_.batch().selection, build_->columns, places,
                             Missing::kNull, pool());
    }
    ARROW_ASSIGN_OR_RAISE(auto selected,
                          Select(probe_.batch(), [&](int64_t row) { return heads[row] >= 0; }));
    return output_.InPlace(probe_.batch(), std::move(selected->selection), build_->columns, places,
                           Missing::kUndefined, pool());
  }

  // Leaves those of pairs_ for which the condition is true, and a pair without a build row for each
  // probe row that is kept and was closed without one.
  Status KeepPassingPairs() {
    ARROW_ASSIGN_OR_RAISE(const auto passed,
                          condition_->Select(probe_.batch(), build_->columns, pairs_, pool()));
    const auto* numbers = reinterpret_cast<const int32_t*>(passed->data());
    const int64_t passed_count = passed->size() / static_cast<int64_t>(sizeof(int32_t));
    int64_t kept = 0;
    const auto keep = [&](int64_t pair) {
      pairs_.probe[kept] = pairs_.probe[pair];
      pairs_.build[kept++] = pairs_.build[pair];
    };
    if (!join_.keeps_probe()) {
      for (int64_t i = 0; i < passed_count; ++i) keep(numbers[i]);
    } else {
      int64_t next = 0;
      const int64_t count = pairs_.size();
      for (int64_t pair = 0; pair < count; ++pair) {
        const bool closes_row = pairs_.build[pair] == JoinTable::kNone;
        if (!closes_row && next < passed_count && numbers[next] == pair) {
          ++next;
          row_has_match_ = true;
          keep(pair);
        } else if (closes_row) {
          if (!row_has_match_) keep(pair);
          row_has_match_ = false;
        }
      }
    }
    RETURN_NOT_OK(pairs_.probe.ResizeUninitialised(kept));
    return pairs_.build.ResizeUninitialised(kept);
  }

  void MarkMatched(std::span<const int32_t> build_rows) {
    for (int32_t row : build_rows) {
      if (row >= 0) build_has_match_[row] = 1;
    }
  }

  // --- the end ---

  Result<std::optional<Batch>> UnmatchedBuildRows() {
    const int32_t rows = join_.keeps_build() ? build_->table->row_count() : 0;
    RETURN_NOT_OK(kept_.ResizeUninitialised(std::min<int64_t>(rows, rows_max_)));
    int64_t count = 0;
    for (; next_unmatched_ < rows && count < rows_max_; ++next_unmatched_) {
      kept_[count] = next_unmatched_;
      count += build_has_match_[next_unmatched_] == 0;
    }
    if (count == 0) return std::nullopt;
    return output_.BuildRows(build_->columns, {kept_.data(), static_cast<size_t>(count)}, pool());
  }

  arrow::ProxyMemoryPool build_pool_;  // counts the build's memory; outlives what comes from it
  JoinSpec join_;
  Expressions build_keys_;
  Expressions probe_keys_;
  std::unique_ptr<JoinCondition> condition_;  // null: none
  int64_t rows_max_;                          // of an output batch
  JoinOutput output_;
  std::shared_ptr<const JoinBuild> build_;

  std::optional<JoinKeys> keys_;  // of the probe batch
  ProbeBatch probe_;
  PairWalk walk_;
  MatchSearch search_;
  RowPairs pairs_;
  PoolVector<int32_t> kept_;
  PoolVector<int32_t> places_;  // the build row of each physical probe row
  bool in_batch_ = false;
  bool row_has_match_ = false;  // the row that the walk is inside of
  bool probe_at_end_ = false;

  PoolVector<uint8_t> build_has_match_;  // by build row, where unmatched ones are kept
  int32_t next_unmatched_ = 0;
};

Result<Expressions> MakeKeys(const std::vector<ExpressionSpec>& specs,
                             const std::vector<Field>& input) {
  Expressions keys;
  for (const ExpressionSpec& spec : specs) {
    ARROW_ASSIGN_OR_RAISE(auto key, MakeExpression(spec, input));
    keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace

Result<std::unique_ptr<Operator>> MakeJoin(OperatorSpec spec,
                                           std::vector<std::unique_ptr<Operator>> inputs,
                                           const TaskContext& context, JoinSpec join) {
  ARROW_ASSIGN_OR_RAISE(auto left_keys, MakeKeys(join.left_keys, spec.inputs[0]));
  ARROW_ASSIGN_OR_RAISE(auto right_keys, MakeKeys(join.right_keys, spec.inputs[1]));
  std::unique_ptr<JoinCondition> condition;
  if (join.condition) {
    ARROW_ASSIGN_OR_RAISE(condition, JoinCondition::Make(*join.condition, spec.inputs[0],
                                                         spec.inputs[1], join.build_left));
  }
  if (join.build_left) std::swap(left_keys, right_keys);
  return std::make_unique<Join>(std::move(spec), std::move(inputs), context, std::move(join),
                                std::move(right_keys), std::move(left_keys), std::move(condition));
}

}  // namespace reprise
