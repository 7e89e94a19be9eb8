#include "operators/fragment.h"

#include <limits>

#include "operators/order_check.h"
#include "operators/output_assertions.h"
#include "operators/output_check.h"
#include "operators/registry.h"
#include "operators/runtime_values.h"
#include "operators/spec_members.h"

namespace reprise {

namespace {

struct Builder {
  const TaskContext& context;
  const LeafFactory& make_leaf;
  const CaptureFactory& make_capture;

  /// `dumped`: the capture of the fragment that the node stands in; null: none.
  Result<std::unique_ptr<Operator>> Build(const nlohmann::json& node,
                                          const nlohmann::json* dumped = nullptr) const {
    if (!node.is_object()) {
      return Status::Invalid("fragment: a node must be an object, not ", node.type_name());
    }
    const auto spec_json = node.find("operator");
    if (spec_json == node.end()) return Status::Invalid("fragment: a node has no \"operator\"");
    Result<OperatorSpec> parsed = OperatorSpecFromJson(*spec_json);
    if (!parsed.ok()) return WithPrefix(parsed.status(), "fragment: \"operator\": ");
    const OperatorSpec& spec = *parsed;
    const auto capture = node.find("capture");
    const bool is_root = capture != node.end() && capture->contains("fragment");
    if (is_root) dumped = &*capture;
    const auto streams = spec_json->find("streams");
    if (streams == spec_json->end()) dumped = nullptr;
    ARROW_ASSIGN_OR_RAISE(std::unique_ptr<Operator> made, node.contains("leaf")
                                                              ? BuildLeaf(node, spec)
                                                              : BuildInner(node, spec, dumped));
    if (dumped != nullptr) {
      nlohmann::json part = *dumped;
      part["part"] = {{"inputs", *streams}, {"output", is_root}};
      RETURN_NOT_OK(AddCapture(part, std::nullopt, spec, made.get()));
    } else if (capture != node.end() && !capture->is_null()) {
      RETURN_NOT_OK(AddCapture(*capture, LeafOf(node), spec, made.get()));
    }
    if (node.contains("checksummedAs")) {
      Result<int64_t> lore_id = IntegerMember(node, "checksummedAs");
      if (!lore_id.ok()) return WithPrefix(lore_id.status(), "fragment: " + spec.name + ": ");
      made->set_checksummed_as(*lore_id);
    }
    ARROW_ASSIGN_OR_RAISE(made, InOrder(node, spec, std::move(made)));
    return Checked(*spec_json, spec, std::move(made));
  }

  Result<std::unique_ptr<Operator>> BuildLeaf(const nlohmann::json& node,
                                              const OperatorSpec& spec) const {
    Result<int64_t> leaf = IntegerMember(node, "leaf");
    if (!leaf.ok()) return WithPrefix(leaf.status(), "fragment: " + spec.name + ": ");
    if (node.contains("inputs")) {
      return Status::Invalid("fragment: ", spec.name, ": a leaf cannot have \"inputs\"");
    }
    if (!make_leaf || *leaf < 0 || *leaf > std::numeric_limits<int>::max()) {
      return Status::Invalid("fragment: ", spec.name, ": there is no leaf ", *leaf);
    }
    return make_leaf(static_cast<int>(*leaf), spec);
  }

  Result<std::unique_ptr<Operator>> BuildInner(const nlohmann::json& node, const OperatorSpec& spec,
                                               const nlohmann::json* dumped) const {
    Result<const nlohmann::json*> input_nodes = ArrayMember(node, "inputs");
    if (!input_nodes.ok()) {
      return WithPrefix(input_nodes.status(), "fragment: " + spec.name + ": ");
    }
    std::vector<std::unique_ptr<Operator>> inputs;
    for (const nlohmann::json& input_node : **input_nodes) {
      ARROW_ASSIGN_OR_RAISE(auto input, Build(input_node, dumped));
      inputs.push_back(std::move(input));
    }
    if (!node.contains("guest")) return MakeOperator(spec, std::move(inputs), context);
    OperatorSpec with_guest = spec;
    for (const char* name : {"guest", "fragment"}) {
      if (node.contains(name)) with_guest.arguments[name] = node[name];
    }
    return MakeOperator(std::move(with_guest), std::move(inputs), context);
  }

  /// The number of the leaf that the node is, or that its operator alone reads.
  static std::optional<int> LeafOf(const nlohmann::json& node) {
    if (node.contains("leaf")) return node["leaf"].get<int>();
    const auto& inputs = node["inputs"];
    if (inputs.size() == 1 && inputs[0].contains("leaf")) return inputs[0]["leaf"].get<int>();
    return std::nullopt;
  }

  /// The operator below a check of the order that is promised of it, where that is asked for.
  Result<std::unique_ptr<Operator>> InOrder(const nlohmann::json& node, const OperatorSpec& spec,
                                            std::unique_ptr<Operator> made) const {
    if (!node.contains("ordering")) return made;
    std::vector<bool> masked(spec.output.size(), false);
    const nlohmann::json& spec_json = node["operator"];
    if (const auto assertions = spec_json.find("assertions"); assertions != spec_json.end()) {
      ARROW_ASSIGN_OR_RAISE(masked, MaskedByAssertions(*assertions, spec));
    }
    auto check =
        MakeOrderCheck(node["ordering"], spec, std::move(made), std::move(masked), context);
    return check.ok() ? std::move(check) : WithPrefix(check.status(), ErrorPrefix(spec));
  }

  /// The operator below a check of what is asserted of it, if anything is.
  Result<std::unique_ptr<Operator>> Checked(const nlohmann::json& spec_json,
                                            const OperatorSpec& spec,
                                            std::unique_ptr<Operator> made) const {
    const auto assertions = spec_json.find("assertions");
    if (assertions == spec_json.end()) return made;
    auto check = MakeOutputAssertions(*assertions, spec, std::move(made), context);
    return check.ok() ? std::move(check) : WithPrefix(check.status(), ErrorPrefix(spec));
  }

  Status AddCapture(const nlohmann::json& request, std::optional<int> leaf,
                    const OperatorSpec& spec, Operator* made) const {
    if (!make_capture) {
      return Status::Invalid("fragment: ", spec.name,
                             " is to be captured, but nothing can capture here");
    }
    ARROW_ASSIGN_OR_RAISE(auto capture, make_capture(spec, request, leaf));
    // A factory may decide that this task is not to be captured.
    if (capture != nullptr) made->set_capture(std::move(capture));
    return Status::OK();
  }
};

void Collect(const Operator& op, std::vector<const Operator*>* all) {
  if (op.spec().kind != kOutputCheckKind) all->push_back(&op);
  for (const auto& input : op.inputs()) Collect(*input, all);
}

}  // namespace

Result<std::unique_ptr<Operator>> BuildFragment(const nlohmann::json& fragment,
                                                const TaskContext& context, const LeafFactory& leaf,
                                                const CaptureFactory& capture) {
  try {
    if (!fragment.contains("values")) return Builder{context, leaf, capture}.Build(fragment);
    nlohmann::json whole = fragment;
    RETURN_NOT_OK(PutRuntimeValues(&whole));
    return Builder{context, leaf, capture}.Build(whole);
  } catch (const nlohmann::json::exception& error) {
    return Status::Invalid("fragment: malformed JSON: ", error.what());
  }
}

std::vector<const Operator*> OperatorsOf(const Operator& root) {
  std::vector<const Operator*> all;
  Collect(root, &all);
  return all;
}

}  // namespace reprise
