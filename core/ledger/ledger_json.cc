#include "ledger/ledger_json.h"

#include "ledger/ledger_graph.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

Json Hex(uint64_t sum) { return fmt::format("{:016x}", sum); }

std::string_view NameOf(SubjectKind kind) {
  constexpr std::string_view kNames[] = {"operator", "shuffle", "result"};
  return kNames[static_cast<size_t>(kind)];
}

Json SubjectJson(const LedgerGraph& graph, size_t index) {
  const LedgerSubject& subject = graph.ledger().subjects[index];
  Json json = {{"of", NameOf(subject.kind)},
               {"name", graph.NameOf(index)},
               {"place", graph.PlaceOf(index)},
               {"stages", graph.StagesOf(index)}};
  if (subject.kind == SubjectKind::kOperator) {
    json["query"] = subject.query;
    json["loreId"] = subject.lore_id;
    return json;
  }
  json["rdd"] = subject.rdd;
  json["pythonBatches"] = subject.python_batches;
  if (subject.kind == SubjectKind::kShuffle) json["shuffle"] = subject.shuffle;
  json["rdds"] = graph.RddsOf(index);
  json["indeterminate"] = graph.Indeterminate(index);
  return json;
}

Json AttemptJson(const Ledger& ledger, const LedgerChecksums& checksums, size_t version) {
  const LedgerTask& task = ledger.tasks[checksums.task];
  return {{"task", task.id},
          {"stage", task.stage},
          {"stageAttempt", task.stage_attempt},
          {"attempt", task.attempt},
          {"executor", ledger.executors[task.executor]},
          {"success", task.success},
          {"rows", checksums.rows},
          {"unordered", Hex(checksums.unordered)},
          {"ordered", checksums.has_ordered ? Hex(checksums.ordered) : Json()},
          {"value", checksums.has_value ? Hex(checksums.value) : Json()},
          {"result", version}};
}

Json PartitionJson(const Ledger& ledger, const LedgerSubject& subject,
                   const CheckedPartition& partition) {
  Json attempts = Json::array();
  for (size_t i = 0; i < partition.attempts.size(); ++i) {
    attempts.push_back(AttemptJson(ledger, *partition.attempts[i], partition.versions[i]));
  }
  return {{"partition", partition.partition},
          {"differ", NameOf(partition.agreement)},
          {"origin", NameOf(partition.origin)},
          {"ofActionOnly", partition.of_value},
          {"columns", ColumnNames(subject, partition.columns)},
          {"attempts", std::move(attempts)}};
}

Json PairJson(const LedgerGraph& left, const LedgerGraph& right, const LedgerDiff& diff,
              const ComparedPair& pair) {
  Json inputs = Json::array();
  for (const size_t input : pair.inputs) {
    inputs.push_back({{"name", left.NameOf(diff.pairs[input].left)},
                      {"differ", NameOf(diff.pairs[input].agreement)},
                      {"rows", diff.pairs[input].left_rows}});
  }
  return {{"first", SubjectJson(left, pair.left)},
          {"second", SubjectJson(right, pair.right)},
          {"differ", NameOf(pair.agreement)},
          {"origin", NameOf(pair.origin)},
          {"absorbed", pair.absorbed},
          {"inTotal", pair.in_total},
          {"partitions", pair.partitions},
          {"partitionsNotCompared", pair.partitions_uncompared},
          {"columns", ColumnNames(left.ledger().subjects[pair.left], pair.columns)},
          {"rows", {pair.left_rows, pair.right_rows}},
          {"inputs", std::move(inputs)},
          {"inputDistributedOtherwise", pair.input_distributed},
          {"readerDistributedOtherwise", pair.reader_distributed},
          {"lookedAtFor", pair.looked_at_for},
          {"cachedRdd", pair.cached < 0 ? Json() : Json(pair.cached)},
          {"explainedByDistribution", pair.explained},
          {"between", pair.between}};
}

Json NameList(const LedgerGraph& graph, const std::vector<size_t>& subjects) {
  Json names = Json::array();
  for (const size_t subject : subjects) names.push_back(SubjectJson(graph, subject));
  return names;
}

}  // namespace

Json HeadJson(const Ledger& ledger) {
  Json damages = Json::array();
  for (const LogDamage& damage : ledger.damages.kept()) damages.push_back(damage.ToString());
  Json gaps = Json::array();
  for (const Ledger::Gap& gap : ledger.Gaps()) {
    gaps.push_back({{"stage", gap.stage}, {"partitions", gap.partitions}, {"of", gap.of}});
  }
  return {{"path", ledger.path},
          {"application", {{"name", ledger.application}, {"id", ledger.application_id}}},
          {"reprise", ledger.reprise_version},
          {"spark", ledger.spark_version},
          {"operators", ledger.all_operators ? "all" : "native"},
          {"ended", ledger.lineage.ended() != 0},
          {"subjects", ledger.subjects.size()},
          {"tasks", ledger.tasks.size()},
          {"damages", std::move(damages)},
          {"damageCount", ledger.damages.count()},
          {"missing", std::move(gaps)}};
}

Json ToJson(const LedgerGraph& graph, const LedgerCheck& check) {
  const Ledger& ledger = graph.ledger();
  Json differences = Json::array();
  for (const CheckedSubject& each : check.differences) {
    Json partitions = Json::array();
    for (const CheckedPartition& partition : each.partitions) {
      partitions.push_back(PartitionJson(ledger, ledger.subjects[each.subject], partition));
    }
    Json json = SubjectJson(graph, each.subject);
    json["readers"] = Json::array();
    for (const size_t reader : each.readers) json["readers"].push_back(graph.PlaceOf(reader));
    json["differ"] = NameOf(each.agreement);
    json["origin"] = NameOf(each.origin);
    json["columns"] = each.columns;
    json["between"] = each.between;
    json["partitions"] = std::move(partitions);
    differences.push_back(std::move(json));
  }
  return {{"ledger", HeadJson(ledger)},
          {"differs", check.Differs()},
          {"subjects", check.subjects},
          {"subjectsRepeated", check.subjects_repeated},
          {"partitionsRepeated", check.partitions_repeated},
          {"partitionsNotCompared", check.partitions_uncompared},
          {"differences", std::move(differences)}};
}

Json ToJson(const LedgerGraph& left, const LedgerGraph& right, const LedgerDiff& diff) {
  const auto listed = [&](const std::vector<size_t>& indexes) {
    Json json = Json::array();
    for (const size_t index : indexes) {
      json.push_back(PairJson(left, right, diff, diff.pairs[index]));
    }
    return json;
  };
  Json unknown = Json::array();
  Json distributed = Json::array();
  for (const ComparedPair& pair : diff.pairs) {
    if (pair.agreement == Agreement::kDistribution) distributed.push_back(left.NameOf(pair.left));
    if (pair.agreement != Agreement::kUnknown) continue;
    unknown.push_back({{"first", SubjectJson(left, pair.left)},
                       {"second", SubjectJson(right, pair.right)},
                       {"why", pair.unknown}});
  }
  return {{"ledgers", {HeadJson(left.ledger()), HeadJson(right.ledger())}},
          {"differs", diff.Differs()},
          {"compared", diff.compared},
          {"differences", listed(diff.differences)},
          {"orders", listed(diff.orders)},
          {"distributedOtherwise", std::move(distributed)},
          {"notCompared", std::move(unknown)},
          {"onlyFirst", NameList(left, diff.matched.left_only)},
          {"onlySecond", NameList(right, diff.matched.right_only)}};
}

}  // namespace reprise
