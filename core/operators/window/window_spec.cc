#include "operators/window/window_spec.h"

#include <algorithm>

#include "operators/fixed_values.h"
#include "plan/value_form.h"

namespace reprise {

namespace {

struct NamedWindowFunction {
  std::string_view name;
  WindowFunction function;
};

constexpr NamedWindowFunction kWindowFunctions[] = {
    {"row_number", WindowFunction::kRowNumber},   {"rank", WindowFunction::kRank},
    {"dense_rank", WindowFunction::kDenseRank},   {"percent_rank", WindowFunction::kPercentRank},
    {"cume_dist", WindowFunction::kCumeDist},     {"ntile", WindowFunction::kNtile},
    {"offset", WindowFunction::kOffset},          {"nth_value", WindowFunction::kNthValue},
    {"frame_begin", WindowFunction::kFrameBegin}, {"frame_end", WindowFunction::kFrameEnd},
};

bool HasFrame(WindowFunction function) {
  return function == WindowFunction::kNthValue || function == WindowFunction::kFrameBegin ||
         function == WindowFunction::kFrameEnd;
}

Result<FrameBound> ReadBound(const nlohmann::json& frame, std::string_view name,
                             const WindowSpec& window) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* json, Member(frame, name));
  FrameBound bound;
  if (json->is_null()) return bound;
  if (json->is_number_integer()) {
    bound.kind = FrameBound::Kind::kRows;
    bound.rows = json->get<int64_t>();
    return bound;
  }
  if (*json == "current") {
    bound.kind = FrameBound::Kind::kCurrentRow;
    return bound;
  }
  bound.kind = FrameBound::Kind::kValue;
  ARROW_ASSIGN_OR_RAISE(bound.value, ExpressionSpecFromJson(*json));
  if (window.ordering.size() != 1) {
    return Status::Invalid("\"", name, "\" is a value, and there are ", window.ordering.size(),
                           " keys of the order");
  }
  const DataType& key = window.ordering[0].expression.type;
  if (bound.value->type != key || !IsFixedType(key)) {
    return Status::Invalid("\"", name, "\" is ", bound.value->type.ToString(),
                           ", the key of the order ", key.ToString());
  }
  return bound;
}

Result<WindowFrame> ReadFrame(const nlohmann::json& json, const WindowSpec& window) {
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* member, Member(json, "frame"));
  WindowFrame frame;
  ARROW_ASSIGN_OR_RAISE(frame.is_range, BooleanMember(*member, "range"));
  ARROW_ASSIGN_OR_RAISE(frame.lower, ReadBound(*member, "lower", window));
  ARROW_ASSIGN_OR_RAISE(frame.upper, ReadBound(*member, "upper", window));
  for (const FrameBound* bound : {&frame.lower, &frame.upper}) {
    const bool fits = frame.is_range ? bound->kind != FrameBound::Kind::kRows
                                     : bound->kind != FrameBound::Kind::kValue;
    if (!fits) return Status::Invalid("a frame mixes rows and values");
  }
  return frame;
}

Status CheckResult(const WindowFunctionSpec& spec) {
  DataType expected{TypeKind::kInteger};
  switch (spec.function) {
    case WindowFunction::kPercentRank:
    case WindowFunction::kCumeDist:
      expected = DataType{TypeKind::kDouble};
      break;
    case WindowFunction::kOffset:
    case WindowFunction::kNthValue:
      if (spec.inputs.size() != 1) {
        return Status::Invalid("\"inputs\" has ", spec.inputs.size(), " expressions, expected 1");
      }
      expected = spec.inputs[0].type;
      break;
    default:
      break;
  }
  if (!HaveSameForm(spec.result, expected)) {
    return Status::Invalid("\"result\" is ", spec.result.ToString(), ", expected ",
                           expected.ToString());
  }
  if (spec.fallback && !HaveSameForm(spec.fallback->type, expected)) {
    return Status::Invalid("\"default\" is ", spec.fallback->type.ToString(), ", expected ",
                           expected.ToString());
  }
  return Status::OK();
}

Status ReadNumbers(const nlohmann::json& json, WindowFunctionSpec* spec) {
  const bool is_offset = spec->function == WindowFunction::kOffset;
  const bool is_nth = spec->function == WindowFunction::kNthValue;
  if (spec->function == WindowFunction::kNtile || is_offset || is_nth) {
    ARROW_ASSIGN_OR_RAISE(spec->number, IntegerMember(json, "number"));
    if ((is_nth && spec->number == 0) || (!is_offset && !is_nth && spec->number < 1)) {
      return Status::Invalid("\"number\" is ", spec->number);
    }
  }
  if (!is_offset && !is_nth) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(spec->inputs, ExpressionsMember(json, "inputs"));
  ARROW_ASSIGN_OR_RAISE(spec->skips_nulls, BooleanMember(json, "skipsNulls"));
  const auto fallback = json.find("default");
  if (fallback != json.end() && !fallback->is_null()) {
    ARROW_ASSIGN_OR_RAISE(spec->fallback, ExpressionMember(json, "default"));
  }
  return Status::OK();
}

/// Any row of a frame is found by its place; what begins with the partition is added up as it
/// comes.
void FindFirstAndLastByPlace(WindowFunctionSpec* spec) {
  if (spec->frame.lower.kind == FrameBound::Kind::kUnbounded) return;
  const AggregateFunction function = spec->aggregate->function;
  const bool first =
      function == AggregateFunction::kFirst || function == AggregateFunction::kFirstNotNull;
  const bool last =
      function == AggregateFunction::kLast || function == AggregateFunction::kLastNotNull;
  if (!first && !last) return;
  spec->function = WindowFunction::kNthValue;
  spec->number = first ? 1 : -1;
  spec->skips_nulls =
      function == AggregateFunction::kFirstNotNull || function == AggregateFunction::kLastNotNull;
}

Result<WindowFunctionSpec> ReadFunction(const nlohmann::json& json, const WindowSpec& window,
                                        const std::vector<Field>& input) {
  ARROW_ASSIGN_OR_RAISE(const std::string name, StringMember(json, "function"));
  WindowFunctionSpec spec;
  const auto* found = std::ranges::find(kWindowFunctions, name, &NamedWindowFunction::name);
  if (found == std::end(kWindowFunctions)) {
    spec.function = WindowFunction::kAggregate;
    ARROW_ASSIGN_OR_RAISE(spec.aggregate, ReadAggregateSpec(json, input));
    if (spec.aggregate->mode != AggregateMode::kComplete || spec.aggregate->filter) {
      return Status::Invalid("it is not complete, or has a filter");
    }
    spec.aggregate->bounded_sums = false;
    spec.inputs = spec.aggregate->inputs;
    spec.result = spec.aggregate->result;
    ARROW_ASSIGN_OR_RAISE(spec.frame, ReadFrame(json, window));
    FindFirstAndLastByPlace(&spec);
    return spec;
  }
  spec.function = found->function;
  ARROW_ASSIGN_OR_RAISE(const std::string result, StringMember(json, "result"));
  spec.result = ParseDataType(result);
  RETURN_NOT_OK(ReadNumbers(json, &spec));
  if (HasFrame(spec.function)) {
    ARROW_ASSIGN_OR_RAISE(spec.frame, ReadFrame(json, window));
  }
  RETURN_NOT_OK(CheckResult(spec));
  return spec;
}

}  // namespace

Result<WindowSpec> ReadWindowKeys(const nlohmann::json& arguments) {
  WindowSpec spec;
  ARROW_ASSIGN_OR_RAISE(spec.partition, ExpressionsMember(arguments, "partition"));
  ARROW_ASSIGN_OR_RAISE(spec.ordering, OrderKeysMember(arguments, "ordering"));
  return spec;
}

Result<WindowSpec> ReadWindowSpec(const nlohmann::json& arguments,
                                  const std::vector<Field>& input) {
  ARROW_ASSIGN_OR_RAISE(WindowSpec spec, ReadWindowKeys(arguments));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* functions, ArrayMember(arguments, "functions"));
  for (const nlohmann::json& json : *functions) {
    Result<WindowFunctionSpec> function = ReadFunction(json, spec, input);
    if (!function.ok()) {
      return WithPrefix(function.status(),
                        fmt::format("window function {}: ", spec.functions.size()));
    }
    spec.functions.push_back(*std::move(function));
  }
  return spec;
}

}  // namespace reprise
