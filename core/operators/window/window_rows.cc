#include "operators/window/window_rows.h"

#include <algorithm>
#include <cmath>

#include "expressions/deferred_values.h"
#include "operators/fixed_values.h"

namespace reprise {

namespace {

/// How a row stands to the bound of another row's frame: below 0 before it, above 0 behind it.
class BoundOrder {
 public:
  virtual ~BoundOrder() = default;
  virtual int Compare(int32_t row, int32_t of) const = 0;
  /// The error of a bound that was compared with.
  virtual Status status() const { return Status::OK(); }
};

class RowBound final : public BoundOrder {
 public:
  explicit RowBound(int64_t offset) : offset_(offset) {}
  int Compare(int32_t row, int32_t of) const override {
    const int64_t bound = of + offset_;
    return row < bound ? -1 : (row > bound ? 1 : 0);
  }

 private:
  const int64_t offset_;
};

/// The current row of a range: its peers are no other rows.
class PeerBound final : public BoundOrder {
 public:
  explicit PeerBound(const WindowRows& rows) : peer_of_(static_cast<size_t>(rows.count)) {
    for (size_t i = 0; i + 1 < rows.peers.size(); ++i) {
      std::fill(peer_of_.begin() + rows.peers[i], peer_of_.begin() + rows.peers[i + 1],
                static_cast<int32_t>(i));
    }
  }
  int Compare(int32_t row, int32_t of) const override {
    return peer_of_[static_cast<size_t>(row)] - peer_of_[static_cast<size_t>(of)];
  }

 private:
  std::vector<int32_t> peer_of_;
};

/// The values of a bound, by row. Of those that cannot be computed only what is compared with
/// fails: Spark doesn't look at a bound where no row is left.
struct BoundValues {
  std::shared_ptr<arrow::Array> values;
  ValueErrors errors;
};

/// Numbers as Spark orders them: NaN equals NaN and is above all else.
template <typename T>
int CompareNumbers(const T& left, const T& right) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool left_nan = std::isnan(left);
    const bool right_nan = std::isnan(right);
    if (left_nan || right_nan) return static_cast<int>(left_nan) - static_cast<int>(right_nan);
  }
  return left < right ? -1 : (right < left ? 1 : 0);
}

template <typename T>
class ValueBound final : public BoundOrder {
 public:
  ValueBound(std::shared_ptr<arrow::Array> keys, BoundValues bounds, bool ascending,
             bool nulls_first)
      : key_array_(std::move(keys)),
        bound_values_(std::move(bounds)),
        keys_(*key_array_),
        bounds_(*bound_values_.values),
        has_key_(*key_array_),
        has_bound_(*bound_values_.values),
        sign_(ascending ? 1 : -1),
        null_sign_(nulls_first ? -1 : 1) {}

  Status status() const override { return failed_; }

  int Compare(int32_t row, int32_t of) const override {
    if (!bound_values_.errors.empty()) [[unlikely]]
      LookForError(of);
    const bool has_key = has_key_[row];
    const bool has_bound = has_bound_[of];
    if (!has_key || !has_bound) {
      return has_key == has_bound ? 0 : (has_key ? -null_sign_ : null_sign_);
    }
    return sign_ * CompareNumbers<T>(keys_[row], bounds_[of]);
  }

 private:
  void LookForError(int32_t of) const {
    const auto found = std::ranges::lower_bound(bound_values_.errors, of, {}, &ValueError::row);
    if (found == bound_values_.errors.end() || found->row != of || !failed_.ok()) return;
    failed_ = found->status;
  }

  const std::shared_ptr<arrow::Array> key_array_;
  const BoundValues bound_values_;
  const FixedValues<T> keys_;
  const FixedValues<T> bounds_;
  const Validity has_key_;
  const Validity has_bound_;
  const int sign_;
  const int null_sign_;
  mutable Status failed_;
};

/// As the frames of one partition are found row by row. A bound that is null has no limit.
void FindInPartition(int32_t begin, int32_t end, int32_t wanted_end, const BoundOrder* lower,
                     const BoundOrder* upper, Frames* frames) {
  int32_t first = begin;
  int32_t behind = upper == nullptr ? end : begin;
  for (int32_t row = begin; row < wanted_end; ++row) {
    if (lower != nullptr) {
      while (first < behind && lower->Compare(first, row) < 0) ++first;
    }
    if (upper != nullptr) {
      while (behind < end && upper->Compare(behind, row) <= 0) {
        if (first == behind && lower != nullptr && lower->Compare(behind, row) < 0) ++first;
        ++behind;
      }
    }
    frames->begins[row] = first;
    frames->ends[row] = behind;
  }
}

}  // namespace

Result<FrameFinder> FrameFinder::Make(const WindowFrame& frame, const WindowSpec& window) {
  FrameFinder finder;
  finder.frame_ = frame;
  if (!frame.lower.value && !frame.upper.value) return finder;
  const OrderKeySpec& key = window.ordering[0];
  finder.ascending_ = key.ascending;
  finder.nulls_first_ = key.nulls_first;
  const std::vector<Field> fields = {{"key", key.expression.type, true}};
  ARROW_ASSIGN_OR_RAISE(finder.key_schema_, ToArrowSchema(fields));
  if (frame.lower.value) {
    ARROW_ASSIGN_OR_RAISE(finder.lower_, MakeExpression(*frame.lower.value, fields));
  }
  if (frame.upper.value) {
    ARROW_ASSIGN_OR_RAISE(finder.upper_, MakeExpression(*frame.upper.value, fields));
  }
  return finder;
}

Status FrameFinder::Find(const WindowRows& rows, int32_t wanted, arrow::MemoryPool* pool,
                         Frames* frames) const {
  RETURN_NOT_OK(frames->begins.ResizeUninitialised(wanted));
  RETURN_NOT_OK(frames->ends.ResizeUninitialised(wanted));
  const auto order_of = [&](const FrameBound& bound,
                            const Expression* value) -> Result<std::unique_ptr<BoundOrder>> {
    switch (bound.kind) {
      case FrameBound::Kind::kUnbounded:
        return nullptr;
      case FrameBound::Kind::kRows:
        return std::make_unique<RowBound>(bound.rows);
      case FrameBound::Kind::kCurrentRow:
        if (!frame_.is_range) return std::make_unique<RowBound>(0);
        return std::make_unique<PeerBound>(rows);
      case FrameBound::Kind::kValue:
        break;
    }
    const Batch keys{key_schema_, {rows.order_key->Slice(0, wanted)}, wanted, nullptr};
    EvalInput input(keys, pool);
    BoundValues bounds;
    ARROW_ASSIGN_OR_RAISE(bounds.values, EvaluateDeferred(*value, input, 0, &bounds.errors));
    return VisitFixedType(value->type(), [&](auto zero) -> std::unique_ptr<BoundOrder> {
      return std::make_unique<ValueBound<decltype(zero)>>(rows.order_key, std::move(bounds),
                                                          ascending_, nulls_first_);
    });
  };
  ARROW_ASSIGN_OR_RAISE(const auto lower, order_of(frame_.lower, lower_.get()));
  ARROW_ASSIGN_OR_RAISE(const auto upper, order_of(frame_.upper, upper_.get()));
  for (size_t i = 0; i + 1 < rows.partitions.size() && rows.partitions[i] < wanted; ++i) {
    FindInPartition(rows.partitions[i], rows.partitions[i + 1],
                    std::min(rows.partitions[i + 1], wanted), lower.get(), upper.get(), frames);
  }
  if (lower != nullptr) RETURN_NOT_OK(lower->status());
  if (upper != nullptr) RETURN_NOT_OK(upper->status());
  return Status::OK();
}

}  // namespace reprise
