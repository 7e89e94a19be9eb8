#include "operators/aggregate/aggregate_spec.h"

#include <algorithm>

#include "base/check.h"
#include "operators/fixed_values.h"
#include "operators/spec_members.h"
#include "plan/value_form.h"
#include "vocabulary/aggregates.h"

namespace reprise {

namespace {

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr Named<AggregateFunction> kFunctions[] = {
    {"count", AggregateFunction::kCount},
    {"sum", AggregateFunction::kSum},
    {"min", AggregateFunction::kMin},
    {"max", AggregateFunction::kMax},
    {"avg", AggregateFunction::kAvg},
    {"var_pop", AggregateFunction::kVarPop},
    {"var_samp", AggregateFunction::kVarSamp},
    {"stddev_pop", AggregateFunction::kStddevPop},
    {"stddev_samp", AggregateFunction::kStddevSamp},
    {"first", AggregateFunction::kFirst},
    {"first_not_null", AggregateFunction::kFirstNotNull},
    {"last", AggregateFunction::kLast},
    {"last_not_null", AggregateFunction::kLastNotNull},
    {"collect_list", AggregateFunction::kCollectList},
    {"collect_set", AggregateFunction::kCollectSet},
    {"bloom_filter", AggregateFunction::kBloomFilter},
    {kGuestFunction, AggregateFunction::kGuest},
};

constexpr Named<AggregateMode> kModes[] = {
    {"partial", AggregateMode::kPartial},
    {"partial_merge", AggregateMode::kPartialMerge},
    {"final", AggregateMode::kFinal},
    {"complete", AggregateMode::kComplete},
};

constexpr Named<Commons> kCommons[] = {
    {"all", Commons::kOfAll},
    {"unfiltered", Commons::kOfUnfiltered},
    {"none", Commons::kNone},
};

template <typename Value, size_t kSize>
Result<Value> NamedMember(const nlohmann::json& json, std::string_view member,
                          const Named<Value> (&names)[kSize]) {
  ARROW_ASSIGN_OR_RAISE(const std::string name, StringMember(json, member));
  const auto found = std::ranges::find(names, name, &Named<Value>::name);
  if (found == std::end(names)) {
    return Status::NotImplemented("\"", member, "\" is \"", name, "\", which is not known");
  }
  return found->value;
}

constexpr std::string_view kNotNull = "_not_null";

const AggregateRow& RowOf(AggregateFunction function) {
  const auto* named = std::ranges::find(kFunctions, function, &Named<AggregateFunction>::value);
  std::string_view name = named->name;
  if (name.ends_with(kNotNull)) name.remove_suffix(kNotNull.size());
  const AggregateRow* row = FindAggregateFunction(name);
  REPRISE_CHECK(row != nullptr, "the vocabulary has an aggregate function {}", name);
  return *row;
}

Status CheckTypes(const AggregateSpec& spec) {
  if (spec.function == AggregateFunction::kGuest) return Status::OK();
  const AggregateRow& row = RowOf(spec.function);
  const bool counts = spec.function == AggregateFunction::kCount;
  if (!counts && !row.input_types.has(spec.input_type)) {
    return Status::NotImplemented("is not made for arguments of type ", spec.input_type.ToString());
  }
  const DataType expected = row.result(spec.input_type);
  if (spec.result != expected) {
    return Status::Invalid("\"result\" is ", spec.result.ToString(), ", expected ",
                           expected.ToString());
  }
  return Status::OK();
}

Status CheckBuffer(const AggregateSpec& spec, const std::vector<Field>& input) {
  const std::vector<DataType> expected = BufferTypes(spec);
  if (spec.buffer.size() != expected.size()) {
    return Status::Invalid("\"buffer\" has ", spec.buffer.size(), " fields, expected ",
                           expected.size());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!HaveSameForm(spec.buffer[i].type, expected[i])) {
      return Status::Invalid("field ", i, " of \"buffer\" is ", spec.buffer[i].type.ToString(),
                             ", expected ", expected[i].ToString());
    }
    if (!spec.merges()) continue;
    const size_t column = static_cast<size_t>(spec.buffer_index) + i;
    if (spec.buffer_index < 0 || column >= input.size()) {
      return Status::Invalid("\"bufferIndex\" ", spec.buffer_index, " is outside the input of ",
                             input.size(), " columns");
    }
    if (!HaveSameForm(input[column].type, expected[i])) {
      return Status::Invalid("\"bufferIndex\" names input column ", column, " (",
                             input[column].name, "), which is ", input[column].type.ToString(),
                             ", expected ", expected[i].ToString());
    }
  }
  return Status::OK();
}

Status ReadInputs(const nlohmann::json& json, AggregateSpec* spec) {
  ARROW_ASSIGN_OR_RAISE(spec->inputs, ExpressionsMember(json, "inputs"));
  const auto filter = json.find("filter");
  if (filter != json.end() && !filter->is_null()) {
    ARROW_ASSIGN_OR_RAISE(spec->filter, ExpressionMember(json, "filter"));
    if (!spec->filter->type.is(TypeKind::kBoolean)) {
      return Status::Invalid("\"filter\" is ", spec->filter->type.ToString(), ", expected boolean");
    }
  }
  if (spec->function == AggregateFunction::kCount || spec->function == AggregateFunction::kGuest) {
    return Status::OK();
  }
  if (spec->inputs.size() != 1) {
    return Status::Invalid("\"inputs\" has ", spec->inputs.size(), " expressions, expected 1");
  }
  if (!HaveSameForm(spec->inputs[0].type, spec->input_type)) {
    return Status::Invalid("\"inputs\" holds a ", spec->inputs[0].type.ToString(),
                           ", but \"inputType\" is ", spec->input_type.ToString());
  }
  return Status::OK();
}

/// Filters of more bits than Spark takes, by default or else, are refused.
constexpr int64_t kBloomFilterBitsMax = int64_t{1} << 36;

Result<BloomFilterShape> ReadBloomFilter(const nlohmann::json& json) {
  ARROW_ASSIGN_OR_RAISE(const int64_t version, IntegerMember(json, "version"));
  ARROW_ASSIGN_OR_RAISE(const int64_t items, IntegerMember(json, "items"));
  ARROW_ASSIGN_OR_RAISE(const int64_t bits, IntegerMember(json, "bits"));
  const bool is_known = version == 1 || version == 2;
  if (!is_known || items <= 0 || bits <= 0 || bits > kBloomFilterBitsMax) {
    return Status::Invalid("version ", version, " of a Bloom filter of ", items, " items in ", bits,
                           " bits is not known");
  }
  return BloomFilterShape::For(static_cast<int32_t>(version), items, bits);
}

// Spark plans either buffers for all or results for all: the output would have no layout otherwise.
Status CheckAggregateOutput(const HashAggregateSpec& spec) {
  const auto evaluates = [](const AggregateSpec& aggregate) { return aggregate.evaluates(); };
  const bool all = std::ranges::all_of(spec.aggregates, evaluates);
  const bool any = std::ranges::any_of(spec.aggregates, evaluates);
  if (any && !all) {
    return Status::Invalid(
        "\"aggregates\" mixes modes that yield buffers with modes that yield results");
  }
  if (any && !spec.results.has_value()) {
    return Status::Invalid("there is no \"results\", which final and complete aggregates need");
  }
  if (!all && spec.results.has_value()) {
    return Status::Invalid("there are \"results\", but the aggregates yield buffers");
  }
  return Status::OK();
}

}  // namespace

Result<AggregateSpec> ReadAggregateSpec(const nlohmann::json& json,
                                        const std::vector<Field>& input) {
  AggregateSpec spec;
  ARROW_ASSIGN_OR_RAISE(spec.function, NamedMember(json, "function", kFunctions));
  ARROW_ASSIGN_OR_RAISE(spec.mode, NamedMember(json, "mode", kModes));
  ARROW_ASSIGN_OR_RAISE(const std::string result, StringMember(json, "result"));
  spec.result = ParseDataType(result);
  if (spec.function == AggregateFunction::kGuest) {
    ARROW_ASSIGN_OR_RAISE(spec.guest_number, IntegerMember(json, "guest"));
  } else if (spec.function != AggregateFunction::kCount) {
    ARROW_ASSIGN_OR_RAISE(const std::string input_type, StringMember(json, "inputType"));
    spec.input_type = ParseDataType(input_type);
  }
  if (spec.function == AggregateFunction::kBloomFilter) {
    ARROW_ASSIGN_OR_RAISE(spec.bloom_filter, ReadBloomFilter(json));
  }
  ARROW_ASSIGN_OR_RAISE(spec.ansi, BooleanMember(json, "ansi"));
  if (json.contains("context")) {
    ARROW_ASSIGN_OR_RAISE(spec.context, StringMember(json, "context"));
  }
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* buffer, ArrayMember(json, "buffer"));
  ARROW_ASSIGN_OR_RAISE(spec.buffer, FieldsFromJson(*buffer));
  if (spec.merges()) {
    ARROW_ASSIGN_OR_RAISE(const int64_t index, IntegerMember(json, "bufferIndex"));
    spec.buffer_index = static_cast<int>(index);
  } else {
    RETURN_NOT_OK(ReadInputs(json, &spec));
  }
  RETURN_NOT_OK(CheckTypes(spec));
  RETURN_NOT_OK(CheckBuffer(spec, input));
  return spec;
}

std::vector<DataType> BufferTypes(const AggregateSpec& spec) {
  const std::vector<Field> buffer = spec.function == AggregateFunction::kGuest
                                        ? spec.buffer
                                        : RowOf(spec.function).buffer(spec.input_type);
  std::vector<DataType> types;
  for (const Field& field : buffer) types.push_back(field.type);
  return types;
}

Result<HashAggregateSpec> ReadHashAggregateSpec(const nlohmann::json& arguments,
                                                const std::vector<Field>& input) {
  HashAggregateSpec spec;
  ARROW_ASSIGN_OR_RAISE(spec.keys, ExpressionsMember(arguments, "keys"));
  ARROW_ASSIGN_OR_RAISE(const nlohmann::json* aggregates, ArrayMember(arguments, "aggregates"));
  bool bounded_sums = !spec.keys.empty();
  if (arguments.contains("boundedSums")) {
    ARROW_ASSIGN_OR_RAISE(bounded_sums, BooleanMember(arguments, "boundedSums"));
  }
  for (const nlohmann::json& json : *aggregates) {
    Result<AggregateSpec> aggregate = ReadAggregateSpec(json, input);
    if (!aggregate.ok()) {
      const auto name = json.is_object() ? json.find("function") : json.end();
      return WithPrefix(aggregate.status(), fmt::format("aggregate {}{}: ", spec.aggregates.size(),
                                                        name != json.end() && name->is_string()
                                                            ? " (" + name->get<std::string>() + ")"
                                                            : ""));
    }
    aggregate->bounded_sums = bounded_sums;
    spec.aggregates.push_back(*std::move(aggregate));
  }
  const auto results = arguments.find("results");
  if (results != arguments.end() && !results->is_null()) {
    ARROW_ASSIGN_OR_RAISE(spec.results, ExpressionsMember(arguments, "results"));
  }
  if (arguments.contains("sorted")) {
    ARROW_ASSIGN_OR_RAISE(spec.sorted, BooleanMember(arguments, "sorted"));
  }
  if (arguments.contains("commons")) {
    ARROW_ASSIGN_OR_RAISE(spec.commons, NamedMember(arguments, "commons", kCommons));
  }
  if (arguments.contains("deferred")) {
    ARROW_ASSIGN_OR_RAISE(spec.deferred, BooleanMember(arguments, "deferred"));
  }
  RETURN_NOT_OK(CheckAggregateOutput(spec));
  return spec;
}

}  // namespace reprise
