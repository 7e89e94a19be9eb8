#include "operators/aggregate/accumulator.h"

namespace reprise {

std::unique_ptr<Accumulator> MakeAccumulator(const AggregateSpec& spec, arrow::MemoryPool* pool) {
  const bool decimal = spec.input_type.is(TypeKind::kDecimal);
  switch (spec.function) {
    case AggregateFunction::kCount:
      return MakeCount(spec, pool);
    case AggregateFunction::kSum:
      return decimal ? MakeDecimalSum(spec, pool) : MakeSum(spec, pool);
    case AggregateFunction::kAvg:
      return decimal ? MakeDecimalSum(spec, pool) : MakeAverage(spec, pool);
    case AggregateFunction::kFirst:
    case AggregateFunction::kFirstNotNull:
    case AggregateFunction::kLast:
    case AggregateFunction::kLastNotNull:
      return MakeFirstLast(spec, pool);
    case AggregateFunction::kVarPop:
    case AggregateFunction::kVarSamp:
    case AggregateFunction::kStddevPop:
    case AggregateFunction::kStddevSamp:
      return MakeCentralMoment(spec, pool);
    case AggregateFunction::kMin:
    case AggregateFunction::kMax:
      return MakeMinMax(spec, pool);
    case AggregateFunction::kCollectList:
    case AggregateFunction::kCollectSet:
      return MakeCollect(spec, pool);
    case AggregateFunction::kBloomFilter:
      return MakeBloomFilter(spec, pool);
    case AggregateFunction::kGuest:
      return MakeGuest(spec, pool);
  }
  FailCheck(__FILE__, __LINE__, "known function", "");
}

}  // namespace reprise
