#include "rules/fingerprint.h"

#include <xxhash.h>

#include <algorithm>
#include <memory_resource>
#include <vector>

#include "rules/class_names.h"

namespace reprise {

namespace {

/// A hash built part by part. Most have few parts, for which no memory is asked.
class Hasher {
 public:
  void Add(uint64_t part) {
    if (count_ < std::size(few_)) {
      few_[count_] = part;
    } else {
      if (many_.empty()) many_.assign(std::begin(few_), std::end(few_));
      many_.push_back(part);
    }
    ++count_;
  }
  void Add(std::string_view text) { Add(XXH3_64bits(text.data(), text.size())); }
  uint64_t Value() const {
    return XXH3_64bits(many_.empty() ? few_ : many_.data(), count_ * sizeof(uint64_t));
  }

 private:
  size_t count_ = 0;
  uint64_t few_[12];
  std::vector<uint64_t> many_;  // all of them, where they are more
};

/// Arguments that name things by numbers of this run, or that only say how, not what.
constexpr std::string_view kIgnoredArguments[] = {
    "exprId",
    "context",  // where in the text of a query it stands
    "zoneRules",
    "buffer",  // of an aggregate function: follows from the function
    "slices",
    "resultId",
    "qualifier",
    "metadata",
    "explicitMetadata",
    "nonInheritableMetadataKeys",
    "numShufflePartitions",
    "numPartitions",
    "requiredChildDistributionExpressions",
    "shuffleOrigin",
    "advisoryPartitionSize",
    "optionalNumCoalescedBuckets",
    "isSkewJoin",
    "stateInfo",  // of a stream: the run, the batch, and where its state is
    "eventTimeWatermarkForLateEvents",
    "eventTimeWatermarkForEviction",
    "batchTimestampMs",
    "child",
    "left",
    "right",
};

constexpr std::string_view kJoins[] = {
    "SortMergeJoinExec",           "BroadcastHashJoinExec", "ShuffledHashJoinExec",
    "BroadcastNestedLoopJoinExec", "CartesianProductExec",
};

/// Expressions whose operands Spark reorders when it compares plans (Expression.canonicalized), to
/// reuse an exchange.
constexpr std::string_view kCommutative[] = {"And",      "Or",      "Add",
                                             "Multiply", "EqualTo", "EqualNullSafe"};
/// Longer chains are hashed as they are written: a hostile document could make one by references.
constexpr size_t kChainMax = 10'000;
constexpr std::string_view kAssociative[] = {"And", "Or", "Add", "Multiply"};

struct Mirrored {
  std::string_view name;
  std::string_view mirror;
};
constexpr Mirrored kMirrored[] = {{"GreaterThan", "LessThan"},
                                  {"GreaterThanOrEqual", "LessThanOrEqual"}};

constexpr std::string_view kLookedThrough[] = {"ShuffleExchangeExec", "BroadcastExchangeExec",
                                               "SortExec"};

/// Names that Spark makes from a number of this run: "_gen_alias_17", "_common_expr_2",
/// "scalar-subquery#17 [...]".
std::string_view WithoutNumber(std::string_view name) {
  name = name.substr(0, name.find('#'));
  if (!name.starts_with('_')) return name;
  return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

/// Lambdas are named by the JVM's addresses.
std::string_view StableClassName(std::string_view name) {
  return name.substr(0, name.find("$$Lambda"));
}

/// Hashes the arguments of one node.
class ArgumentHasher {
 public:
  explicit ArgumentHasher(const PlanNode& node) {
    for (const PlanNode* child : node.children) {
      for (const PlanValue& value : child->output) {
        const auto attribute = AttributeOf(value);
        if (attribute) Number(attribute->expr_id);
      }
    }
    inputs_ = numbers_.size();
  }

  uint64_t Value(const PlanValue& value);
  uint64_t Object(const PlanObject& object);
  uint64_t Schema(std::span<const PlanValue> output);

 private:
  uint64_t Number(int64_t expr_id) {
    return numbers_.emplace(expr_id, numbers_.size()).first->second;
  }
  uint64_t Attribute(const reprise::Attribute& attribute);
  uint64_t Expression(const PlanObject& object);
  std::vector<uint64_t> Operands(const PlanObject& object);
  void FlattenOperands(const PlanObject& object, std::vector<uint64_t>* operands);
  void AddArguments(const PlanObject& object, Hasher* hasher);

  std::byte first_memory_[2048];
  std::pmr::monotonic_buffer_resource memory_{first_memory_, sizeof(first_memory_)};
  // Inputs by position, others as they appear.
  std::pmr::unordered_map<int64_t, uint64_t> numbers_{&memory_};
  size_t inputs_ = 0;
  std::pmr::unordered_map<const PlanObject*, uint64_t> objects_{&memory_};
};

uint64_t ArgumentHasher::Attribute(const reprise::Attribute& attribute) {
  Hasher hasher;
  const uint64_t number = Number(attribute.expr_id);
  hasher.Add("attribute");
  hasher.Add(number);
  // A column of the input is its position; any other attribute is known by its name only.
  if (number >= inputs_) hasher.Add(WithoutNumber(attribute.name));
  hasher.Add(JsonName(attribute.type));
  return hasher.Value();
}

uint64_t ArgumentHasher::Value(const PlanValue& value) {
  using Kind = PlanValue::Kind;
  Hasher hasher;
  hasher.Add(static_cast<uint64_t>(value.kind));
  switch (value.kind) {
    case Kind::kNull:
    case Kind::kPlan:
      break;
    case Kind::kBoolean:
      hasher.Add(static_cast<uint64_t>(value.boolean));
      break;
    case Kind::kInteger:
    case Kind::kChild:
      hasher.Add(static_cast<uint64_t>(value.integer));
      break;
    case Kind::kType:
      hasher.Add(JsonName(value.data_type->type));
      break;
    case Kind::kObject:
      hasher.Add(Object(*value.object));
      break;
    case Kind::kOpaque:
      hasher.Add(StableClassName(value.text));
      break;
    default:
      hasher.Add(value.text);
      hasher.Add(value.items.size());
      for (const PlanValue& item : value.items) hasher.Add(Value(item));
  }
  return hasher.Value();
}

uint64_t ArgumentHasher::Object(const PlanObject& object) {
  const auto known = objects_.find(&object);
  if (known != objects_.end()) return known->second;
  const auto attribute = AttributeOf(object);
  const std::string_view name = ShortClassName(object.class_name);
  uint64_t hash = 0;
  if (attribute && name == "AttributeReference") {
    hash = Attribute(*attribute);
  } else if (name == "DynamicPruningExpression") {
    hash = 1;  // adaptive execution replaces it once the pruning values are there
  } else {
    hash = Expression(object);
  }
  objects_.emplace(&object, hash);
  return hash;
}

uint64_t ArgumentHasher::Expression(const PlanObject& object) {
  Hasher hasher;
  const auto mirrored =
      std::ranges::find(kMirrored, ShortClassName(object.class_name), &Mirrored::name);
  if (mirrored != std::end(kMirrored)) {
    const size_t package = object.class_name.size() - mirrored->name.size();
    hasher.Add(std::string(object.class_name.substr(0, package)) + std::string(mirrored->mirror));
  } else {
    hasher.Add(object.class_name);
  }
  if (object.type) hasher.Add(JsonName(*object.type));
  for (const uint64_t operand : Operands(object)) hasher.Add(operand);
  AddArguments(object, &hasher);
  return hasher.Value();
}

/// The operands' hashes, in an order that does not depend on how commutative expressions are
/// written.
std::vector<uint64_t> ArgumentHasher::Operands(const PlanObject& object) {
  const std::string_view name = ShortClassName(object.class_name);
  std::vector<uint64_t> operands;
  if (Has(kAssociative, name)) {
    FlattenOperands(object, &operands);
  } else {
    for (const PlanValue& child : object.children) operands.push_back(Value(child));
  }
  if (Has(kCommutative, name)) {
    std::ranges::sort(operands);
  } else if (name == "In" && !operands.empty()) {
    std::sort(operands.begin() + 1, operands.end());
  } else if (std::ranges::find(kMirrored, name, &Mirrored::name) != std::end(kMirrored)) {
    std::ranges::reverse(operands);
  }
  return operands;
}

void ArgumentHasher::FlattenOperands(const PlanObject& object, std::vector<uint64_t>* operands) {
  std::vector<const PlanObject*> chain = {&object};
  while (!chain.empty()) {
    const PlanObject& link = *chain.back();
    chain.pop_back();
    for (const PlanValue& child : link.children) {
      const bool same = child.object != nullptr && child.object->class_name == object.class_name &&
                        child.object->type == object.type && operands->size() < kChainMax;
      if (same) {
        chain.push_back(child.object);
      } else {
        operands->push_back(Value(child));
      }
    }
  }
}

void ArgumentHasher::AddArguments(const PlanObject& object, Hasher* hasher) {
  for (const auto& [argument, value] : object.arguments) {
    if (Has(kIgnoredArguments, argument)) continue;
    hasher->Add(argument);
    if (argument == "name" && value.is(PlanValue::Kind::kString)) {
      hasher->Add(WithoutNumber(value.text));
    } else if (argument == "hset") {
      // A set has no order.
      std::vector<uint64_t> elements;
      for (const PlanValue& item : value.items) elements.push_back(Value(item));
      std::ranges::sort(elements);
      for (const uint64_t element : elements) hasher->Add(element);
    } else {
      hasher->Add(Value(value));
    }
  }
}

uint64_t ArgumentHasher::Schema(std::span<const PlanValue> output) {
  Hasher hasher;
  for (const PlanValue& value : output) {
    const auto attribute = AttributeOf(value);
    if (!attribute) continue;
    hasher.Add(WithoutNumber(attribute->name));
    hasher.Add(JsonName(attribute->type));
  }
  return hasher.Value();
}

/// A join says what it joins, not how; the order of its keys follows the exchanges below.
void AddJoin(const PlanNode& node, ArgumentHasher* arguments, Hasher* hasher) {
  hasher->Add("join");
  const PlanValue* type = node.argument("joinType");
  PlanValue inner;
  inner.kind = PlanValue::Kind::kEnum;
  inner.text = "Inner";
  hasher->Add(arguments->Value(type != nullptr ? *type : inner));
  const PlanValue* left = node.argument("leftKeys");
  const PlanValue* right = node.argument("rightKeys");
  std::vector<uint64_t> pairs;
  const size_t count = left && right ? std::min(left->items.size(), right->items.size()) : 0;
  for (size_t i = 0; i < count; ++i) {
    Hasher pair;
    pair.Add(arguments->Value(left->items[i]));
    pair.Add(arguments->Value(right->items[i]));
    pairs.push_back(pair.Value());
  }
  std::ranges::sort(pairs);
  for (const uint64_t pair : pairs) hasher->Add(pair);
  const PlanValue* condition = node.argument("condition");
  hasher->Add(condition != nullptr ? arguments->Value(*condition) : arguments->Value(PlanValue()));
}

/// Everything but the children's hashes.
uint64_t OwnHash(const PlanNode& node) {
  ArgumentHasher arguments(node);
  Hasher hasher;
  if (Has(kJoins, ShortClassName(node.class_name))) {
    AddJoin(node, &arguments, &hasher);
  } else {
    hasher.Add(node.class_name);
    for (const auto& [name, value] : node.arguments) {
      if (Has(kIgnoredArguments, name)) continue;
      hasher.Add(name);
      hasher.Add(arguments.Value(value));
    }
  }
  hasher.Add(node.children.size());
  for (const PlanNode* child : node.children) hasher.Add(arguments.Schema(child->output));
  hasher.Add(arguments.Schema(node.output));
  return hasher.Value();
}

}  // namespace

const OperatorHashes& Fingerprints::Of(const PlanOperator& subject) {
  const auto known = computed_.find(&subject);
  if (known != computed_.end()) return known->second;
  const uint64_t own = OwnHash(*subject.node);
  Hasher fingerprint;
  Hasher key;
  fingerprint.Add(own);
  key.Add(own);
  for (const PlanOperator* child : subject.children) {
    fingerprint.Add(Of(*child).fingerprint);
    key.Add(KeyThroughExchanges(*child));
  }
  for (const PlanOperator* plan : subject.subplans) fingerprint.Add(Of(*plan).fingerprint);
  const uint64_t tagged_key = known_key_(subject);
  return computed_[&subject] = {fingerprint.Value(), tagged_key != 0 ? tagged_key : key.Value(),
                                own};
}

uint64_t Fingerprints::KeyThroughExchanges(const PlanOperator& subject) {
  const PlanOperator* below = &subject;
  while (IsExchangeOrSort(*below->node) && below->children.size() == 1) {
    below = below->children[0];
  }
  return Of(*below).key;
}

bool IsExchangeOrSort(const PlanNode& node) {
  return Has(kLookedThrough, ShortClassName(node.class_name));
}

std::string HashText(uint64_t hash) {
  std::string text(16, '0');
  for (size_t i = text.size(); hash != 0; hash >>= 4) text[--i] = "0123456789abcdef"[hash & 15];
  return text;
}

}  // namespace reprise
