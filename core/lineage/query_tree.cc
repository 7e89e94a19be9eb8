#include "lineage/query_tree.h"

#include <algorithm>
#include <deque>

namespace reprise {

namespace {

// What stands in Spark's descriptions of plans and has no LORE id.
bool IsTransparent(std::string_view name) {
  constexpr std::string_view kNames[] = {"AdaptiveSparkPlan", "InputAdapter",   "ColumnarToRow",
                                         "RowToColumnar",     "AQEShuffleRead", "ReusedExchange",
                                         "ReusedSubquery",    "CommandResult"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) ||
         name.starts_with("WholeStageCodegen") || name.ends_with("QueryStage");
}

// Spark shows below it the plan that filled the cache, which is a query of its own.
bool IsCacheScan(std::string_view name) {
  return name == "InMemoryTableScan" || name.starts_with("Scan In-memory table");
}

bool IsSubquery(std::string_view name) {
  return name == "ReusedSubquery" || name.starts_with("Subquery");
}

struct Numbered {
  std::string_view name;
  int64_t parent;
  size_t structure = 0;  // a number that operators share whose subtrees are described alike
};

// Numbers a plan as the core does.
class PlanNumbering {
 public:
  explicit PlanNumbering(const std::vector<LoggedOperator>& plan)
      : plan_(plan), children_(plan.size()) {
    std::vector<size_t> open;
    for (size_t i = 0; i < plan.size(); ++i) {
      while (!open.empty() && plan[open.back()].depth >= plan[i].depth) open.pop_back();
      if (!open.empty()) children_[open.back()].push_back(i);
      open.push_back(i);
    }
    if (plan.empty()) return;
    Visit(0, 0);
    while (!subqueries_.empty()) {
      const auto [node, parent] = subqueries_.front();
      subqueries_.pop_front();
      for (const size_t child : children_[node]) Visit(child, parent);
    }
  }

  /// LORE ids from 1.
  const std::vector<Numbered>& numbered() const { return numbered_; }

 private:
  // Returns the structure of the subtree. What fills a cache has no numbers here.
  size_t Visit(size_t node, int64_t parent, bool fills_cache = false) {
    const auto& [name, its_text] = std::tie(plan_[node].name, plan_[node].text);
    const size_t index = numbered_.size();
    const bool has_number = !fills_cache && !IsTransparent(name);
    std::string text = IsTransparent(name) ? "" : name + WithoutNumbers(its_text);
    if (has_number) {
      numbered_.push_back({name, parent});
      parent = static_cast<int64_t>(numbered_.size());
    }
    for (const size_t child : children_[node]) {
      if (!fills_cache && IsSubquery(plan_[child].name)) subqueries_.push_back({child, parent});
    }
    fills_cache |= IsCacheScan(name);
    for (const size_t child : children_[node]) {
      if (IsSubquery(plan_[child].name)) continue;
      text += fmt::format("<{:x}", Visit(child, parent, fills_cache));
    }
    const size_t structure = std::hash<std::string>()(text);
    if (has_number) numbered_[index].structure = structure;
    return structure;
  }

  const std::vector<LoggedOperator>& plan_;
  std::vector<std::vector<size_t>> children_;
  std::deque<std::pair<size_t, int64_t>> subqueries_;
  std::vector<Numbered> numbered_;
};

// Whether Spark's name of a node can be that of an operator. Scans are called by what they read,
// exchanges by nothing.
bool Fits(const OperatorNode& node, std::string_view spark) {
  const std::string first = node.occurrence.substr(0, node.occurrence.find('#'));
  const std::string& name = first.empty() ? node.name : first;
  if (name.find("Scan") != std::string::npos) return spark.find("Scan") != std::string_view::npos;
  if (name == "ShuffleExchange") return spark == "Exchange";
  return name == spark || spark.starts_with(name) || name.starts_with(spark);
}

bool IsAncestor(const std::vector<Numbered>& plan, int64_t ancestor, int64_t of) {
  for (int64_t at = plan[of - 1].parent; at > 0; at = plan[at - 1].parent) {
    if (at == ancestor) return true;
  }
  return false;
}

// Whether the numbers say the same as the events.
bool Agrees(const QueryTree& tree, const std::vector<Numbered>& plan) {
  const auto count = static_cast<int64_t>(plan.size());
  bool any = false;
  for (const auto& [id, node] : tree) {
    if (id > count) continue;
    any = true;
    if (!Fits(node, plan[id - 1].name)) return false;
    if (node.parent > 0 && node.parent <= count && !IsAncestor(plan, node.parent, id)) return false;
  }
  return any;
}

void TakeOver(const std::vector<Numbered>& plan, QueryTree* tree) {
  std::map<size_t, std::string> fingerprints;
  for (size_t i = 0; i < plan.size(); ++i) {
    OperatorNode& node = (*tree)[static_cast<int64_t>(i) + 1];
    node.parent = plan[i].parent;
    if (node.name.empty())
      node.name = plan[i].name.substr(0, plan[i].name.find_last_not_of(' ') + 1);
    if (!node.fingerprint.empty()) fingerprints.emplace(plan[i].structure, node.fingerprint);
  }
  // Where adaptive execution reads an equal exchange again, nobody tells of the operators that did
  // not run.
  for (size_t i = 0; i < plan.size(); ++i) {
    OperatorNode& node = (*tree)[static_cast<int64_t>(i) + 1];
    const auto equal = fingerprints.find(plan[i].structure);
    if (node.fingerprint.empty() && equal != fingerprints.end()) node.fingerprint = equal->second;
  }
}

// How many inputs an operator has, where only its name is known.
size_t InputsMax(const std::string& name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  if (has("Scan") || name == "Range" || name == "OneRowRelation") return 0;
  if (has("Union")) return std::numeric_limits<size_t>::max();
  return has("Join") || has("CartesianProduct") || has("CoGroup") ? 2 : 1;
}

// Puts roots of stages where pre-order and the numbers of inputs leave room for them.
void AttachRoots(QueryTree* tree) {
  std::map<int64_t, size_t> inputs;
  for (const auto& [id, node] : *tree) ++inputs[node.parent];
  int64_t before = 0;
  for (auto& [id, node] : *tree) {
    size_t steps = 0;
    for (int64_t at = node.parent == 0 ? before : 0; at > 0 && steps++ < tree->size();) {
      const OperatorNode& candidate = tree->at(at);
      if (inputs[at] < InputsMax(candidate.name)) {
        node.parent = at;
        ++inputs[at];
        break;
      }
      at = candidate.parent;
    }
    before = id;
  }
}

// What adaptive execution has added stands where the last plan of a query shows it.
void LinkAdded(const std::vector<LoggedOperator>& plan, int64_t first_plan, QueryTree* tree) {
  std::vector<const LoggedOperator*> open;
  for (const LoggedOperator& each : plan) {
    while (!open.empty() && open.back()->depth >= each.depth) open.pop_back();
    if (!each.lore_id) continue;
    const int64_t id = *each.lore_id;
    if (!open.empty() && tree->contains(id) && tree->contains(*open.back()->lore_id)) {
      const int64_t consumer = *open.back()->lore_id;
      if (id > first_plan) (*tree)[id].parent = consumer;
      if (consumer > first_plan) (*tree)[consumer].children.push_back(id);
    }
    open.push_back(&each);
  }
}

// A damaged log may say that operators consume each other.
void BreakCircles(QueryTree* tree) {
  for (auto& [id, node] : *tree) {
    size_t steps = 0;
    for (int64_t at = node.parent; at > 0;) {
      const auto found = tree->find(at);
      if (found == tree->end() || at == id || ++steps > tree->size()) {
        node.parent = 0;
        break;
      }
      at = found->second.parent;
    }
  }
}

}  // namespace

std::string WithoutNumbers(std::string_view text) {
  std::string kept;
  bool drawn = false;
  for (const char letter : text) {
    const bool digit = letter >= '0' && letter <= '9';
    if (!(drawn && digit)) kept += letter;
    drawn = letter == '#' || letter == '=' || (drawn && digit);
  }
  return kept;
}

QueryTree BuildQueryTree(const LogModel& model, const ExplainedQuery& query) {
  QueryTree tree;
  for (const auto& [id, each] : query.operators) {
    tree[id] = {.name = each.name,
                .occurrence = each.occurrence,
                .fingerprint = each.fingerprint,
                .native = each.native,
                .reasons = each.reasons,
                .explained = true,
                .parent = each.parent,
                .cached_by = each.cached_by};
  }
  BreakCircles(&tree);
  int64_t first_plan = std::numeric_limits<int64_t>::max();
  bool numbered = false;
  for (const int64_t id : query.executions) {
    const auto execution = model.executions().find(id);
    if (execution == model.executions().end()) continue;
    const SqlExecution& ran = execution->second;
    const PlanNumbering numbering(ran.first_plan.empty() ? ran.plan : ran.first_plan);
    if (!Agrees(tree, numbering.numbered())) continue;
    TakeOver(numbering.numbered(), &tree);
    first_plan = static_cast<int64_t>(numbering.numbered().size());
    numbered = true;
    LinkAdded(ran.plan, first_plan, &tree);
    break;
  }
  if (!numbered) AttachRoots(&tree);
  BreakCircles(&tree);
  for (auto& [id, node] : tree) {
    if (node.parent == 0) continue;
    std::vector<int64_t>& siblings = tree.at(node.parent).children;
    if (std::find(siblings.begin(), siblings.end(), id) == siblings.end()) siblings.push_back(id);
  }
  for (auto& [id, node] : tree) node.linked = id <= first_plan || !node.children.empty();
  return tree;
}

std::vector<const ExplainedQuery*> QueriesToldOf(const LogModel& model, int64_t execution) {
  std::vector<const ExplainedQuery*> queries;
  for (const auto& [token, query] : model.queries()) {
    const bool is_its =
        execution < 0 ? std::ranges::all_of(query.executions, [](int64_t id) { return id < 0; })
                      : std::ranges::count(query.executions, execution) > 0;
    if (is_its && !query.replaced) queries.push_back(&query);
  }
  std::ranges::sort(queries, {}, &ExplainedQuery::planning);
  return queries;
}

std::vector<const ExplainedQuery*> QueriesOf(const LogModel& model, int64_t execution) {
  std::vector<const ExplainedQuery*> queries = QueriesToldOf(model, execution);
  std::erase_if(queries, [](const ExplainedQuery* query) { return query->operators.empty(); });
  return queries;
}

}  // namespace reprise
