// Pass "captures": marks the operators that the user has chosen for dumping.
//
// Input:   spark.reprise.lore.idsToDump and dumpPath; the operators' ids and marks.
// Output:  the member "capture" of each chosen operator, or "capture_alone" where it is chosen by
// its stage, so that it may be dumped with others (fragment_capture_pass.cc):
// {"path":…,"loreId":5,"children":[6],"partitions":[3,4]?,"output":true,"query":…} Example:
// idsToDump "5[3 4]", Filter with id 5  ->  capture of partitions 3 and 4 of the filter
//
// A chosen operator that cannot be dumped is passed over with a warning, and so is a choice that no
// operator of the query has: the setting holds for every query of the session (missing_choices.h).
// spark.reprise.lore.strict makes the former an error of the first look, before anything has run.
#include <algorithm>

#include "rules/pipeline.h"
#include "rules/recording.h"

namespace reprise {

namespace {

/// What Spark evaluates for an operator is no column of the plan's, so that no mask covers it: of
/// such an operator the node of Spark's is dumped, with the columns that the plan gives it.
bool HidesGuests(const Planning& planning, const PlanOperator& subject) {
  return !subject.judgement.native->AllGuests().empty() && !planning.masked.masks().empty();
}

/// What Python, an aggregate function of Spark's or a join's condition computes only Spark's own
/// operator can compute again.
bool RunsOnlyThere(const NativeOperator& native) {
  return native.python.has_value() || !native.guest_functions.empty() ||
         native.guest_condition_of_pairs.has_value();
}

/// A broadcast is recorded as it is, once for all tasks, without what Spark evaluates on it.
bool HasGuestsOnBroadcast(const PlanOperator& subject) {
  const auto& guests = subject.judgement.native->guests;
  for (size_t i = 0; i < guests.size(); ++i) {
    if (!guests[i].empty() && IsBroadcast(*subject.node->children[i])) return true;
  }
  return false;
}

/// Empty: it is dumped as it runs.
std::string_view WhyLeftToSpark(const Planning& planning, const PlanOperator& subject) {
  if (subject.mark != '*') return "";
  if (RunsOnlyThere(*subject.judgement.native)) {
    return "it is to be dumped, and its functions are computed again by Spark's own operator only";
  }
  if (HidesGuests(planning, subject)) {
    return "Spark evaluates some of its expressions, and it is to be dumped with masked columns";
  }
  return HasGuestsOnBroadcast(subject)
             ? "it is to be dumped, and Spark evaluates some of its keys on a broadcast"
             : "";
}

/// Empty: the operator can be dumped.
std::string WhyUndumpable(const Planning& planning, const PlanOperator& subject) {
  const bool is_native = subject.mark == '*' && !planning.config().explain_only();
  return is_native && WhyLeftToSpark(planning, subject).empty() ? "" : WhyUnrecordable(subject);
}

std::string Dumpable(const Planning& planning) {
  std::string list;
  const auto add = [&](int64_t lore_id, std::string_view name) {
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", lore_id, name);
  };
  if (planning.known) {
    for (const KnownOperator& known : planning.known->operators) {
      if (known.undumpable.empty()) add(known.lore_id, known.name);
    }
  } else {
    for (const PlanOperator* subject : planning.tree.operators()) {
      if (subject->replaceable && WhyUndumpable(planning, *subject).empty()) {
        add(subject->lore_id, OperatorName(*subject->node));
      }
    }
  }
  return list.empty() ? "none" : list;
}

std::string WithDumpable(const Planning& planning, std::string_view reason) {
  return fmt::format("{}; operators of this query that can be dumped: {}", reason,
                     Dumpable(planning));
}

/// Where the query dumps to: the named directory, or one of the query's own below it.
std::string DumpPath(const Planning& planning) {
  const std::string base(planning.config().text("spark.reprise.lore.dumpPath"));
  if (!planning.config().boolean("spark.reprise.lore.perQuery")) return base;
  constexpr size_t kTokenShown = 8;
  const auto& execution = planning.request.execution;
  return fmt::format("{}{}query-{}{}", base, base.ends_with('/') ? "" : "/",
                     execution ? fmt::format("{}-", *execution) : "",
                     planning.request.query.substr(0, kTokenShown));
}

/// The ids of the operators whose rows it reads, one an input; 0 where the plan does not say it.
nlohmann::json ChildIds(const Planning& planning, const PlanOperator& subject) {
  nlohmann::json ids = nlohmann::json::array();
  for (size_t i = 0; i < subject.node->children.size(); ++i) {
    const PlanOperator* child = planning.tree.resolve(planning.tree.input(subject, i));
    ids.push_back(child != nullptr ? child->lore_id : 0);
  }
  return ids;
}

nlohmann::json Capture(const Planning& planning, const PlanOperator& subject,
                       const PartitionChoice& partitions) {
  const Config& config = planning.config();
  const bool is_leaf = subject.node->children.empty();
  nlohmann::json capture = {
      {"path", DumpPath(planning)},
      {"loreId", subject.lore_id},
      {"children", ChildIds(planning, subject)},
      {"output", config.boolean("spark.reprise.lore.output.enabled") || is_leaf},
      {"query", planning.request.query}};
  if (!planning.masked.masks().empty()) {
    capture["mask"] = planning.masked.Around(*subject.node);
    capture["secret"] = planning.request.secret;
    capture["hidden"] = planning.masked.HiddenIn(*subject.node);
  }
  if (partitions) capture["partitions"] = *partitions;
  if (is_leaf) capture["data"] = config.boolean("spark.reprise.lore.withData");
  const int64_t max_rows = config.integer("spark.reprise.lore.maxRows");
  const int64_t max_bytes = config.integer("spark.reprise.lore.maxBytes");
  if (max_rows > 0) capture["maxRows"] = max_rows;
  if (max_bytes > 0) capture["maxBytes"] = max_bytes;
  if (const std::string_view when = config.text("spark.reprise.lore.when"); when != "always") {
    capture["ringBytes"] = config.integer("spark.reprise.lore.ringBytes");
    capture["when"] = when;
  }
  return capture;
}

/// The first plan's judgements, kept for the later plans of the query: the first stage that runs
/// then tells of a choice that no stage can fulfil.
void NoteUndumpable(Planning* planning) {
  for (const PlanOperator* subject : planning->tree.operators()) {
    planning->known->operators[static_cast<size_t>(subject->lore_id - 1)].undumpable =
        WhyUndumpable(*planning, *subject);
  }
}

Status CheckKnown(const Planning& planning, const LoreSelection& selection) {
  for (const KnownOperator& known : planning.known->operators) {
    if (known.undumpable.empty()) continue;
    const auto insists = [&](const LoreChoice& choice) {
      return !choice.is_group() && choice.Names(known.lore_id, known.occurrence, known.fingerprint);
    };
    if (std::ranges::none_of(selection.choices, insists)) continue;
    return Status::Invalid("spark.reprise.lore.idsToDump: operator ", known.lore_id, " (",
                           known.name, ") cannot be dumped because ",
                           WithDumpable(planning, known.undumpable));
  }
  return Status::OK();
}

/// Why chosen operators cannot be dumped, of the plan at hand and of the first one, by id.
std::map<int64_t, std::string> Refused(const Planning& planning, const LoreSelection& selection) {
  std::map<int64_t, std::string> refused;
  const auto add = [&](const auto& subject, const std::string& reason) {
    if (reason.empty()) return;
    if (!selection.Find(subject.lore_id, subject.occurrence, subject.fingerprint)) return;
    refused.emplace(subject.lore_id, WithDumpable(planning, reason));
  };
  for (const PlanOperator* subject : planning.tree.operators()) {
    if (subject->replaceable) add(*subject, WhyUndumpable(planning, *subject));
  }
  if (!planning.known) return refused;
  for (const KnownOperator& known : planning.known->operators) add(known, known.undumpable);
  return refused;
}

/// The query runs without its dumps where they might show what is to be hidden; its end warns of
/// it.
bool IsLeftOut(Planning* planning) {
  const std::string& unfit = planning->masked.unfit();
  if (unfit.empty()) return false;
  planning->missing = {{"spark.reprise.lore.mask", unfit}};
  return true;
}

/// A stage ends at an exchange, whose writing side is no part of what is chosen by the stage.
bool IsExchange(const PlanOperator& subject) {
  return subject.node->class_name.ends_with("ExchangeExec");
}

void CollectStage(const PlanOperator& subject, std::set<int64_t>* ids) {
  if (subject.lore_id != 0 && subject.replaceable) ids->insert(subject.lore_id);
  for (const PlanOperator* child : subject.children) {
    if (!IsExchange(*child)) CollectStage(*child, ids);
  }
}

/// The operators of the stage in which the one with this id runs, of those that the plan at hand
/// has; with 0 those of all stages.
std::set<int64_t> StageOf(const OperatorTree& tree, int64_t lore_id) {
  std::set<int64_t> ids;
  for (const PlanOperator* subject : tree.operators()) {
    if (!subject->replaceable) continue;
    if (lore_id == 0 && subject->lore_id != 0 && !IsExchange(*subject)) {
      ids.insert(subject->lore_id);
    } else if (lore_id != 0 && subject->lore_id == lore_id) {
      while (!IsExchange(*subject) && subject->parent != nullptr && !IsExchange(*subject->parent)) {
        subject = subject->parent;
      }
      if (!IsExchange(*subject)) {
        CollectStage(*subject, &ids);
      } else {
        for (const PlanOperator* child : subject->children) CollectStage(*child, &ids);
      }
    }
  }
  return ids;
}

void Resolve(const Planning& planning, LoreSelection* selection) {
  selection->Resolve([&](int64_t lore_id) {
    const bool is_known = planning.known && lore_id <= std::ssize(planning.known->operators);
    return is_known ? planning.known->operators[static_cast<size_t>(lore_id - 1)].last : 0;
  });
  selection->ResolveStages([&](int64_t lore_id) { return StageOf(planning.tree, lore_id); });
}

/// Chooses one operator, which can be dumped.
void Choose(const Planning& planning, const LoreSelection& selection,
            const PartitionChoice& partitions, PlanOperator* subject) {
  const std::string_view why = WhyLeftToSpark(planning, *subject);
  if (!why.empty()) LeaveGuestsToSpark(subject, why);
  // Of masked columns each operator's own are told.
  const bool is_alone =
      !why.empty() || !planning.masked.masks().empty() || planning.config().explain_only() ||
      !selection.IsOfStagesAlone(subject->lore_id, subject->occurrence, subject->fingerprint);
  (is_alone ? subject->capture : subject->capture_alone) = Capture(planning, *subject, partitions);
}

Status CheckSettings(const Config& config) {
  if (!config.boolean("spark.reprise.lore.tag.enabled")) {
    return Status::Invalid(
        "spark.reprise.lore.idsToDump needs spark.reprise.lore.tag.enabled=true");
  }
  if (config.text("spark.reprise.lore.dumpPath").empty()) {
    return Status::Invalid(
        "spark.reprise.lore.idsToDump is set but spark.reprise.lore.dumpPath is not");
  }
  return Status::OK();
}

}  // namespace

Status ChooseCaptures(Planning* planning) {
  const Config& config = planning->config();
  ARROW_ASSIGN_OR_RAISE(LoreSelection selection,
                        ParseLoreSelection(config.text("spark.reprise.lore.idsToDump")));
  if (selection.empty()) return Status::OK();
  Resolve(*planning, &selection);
  RETURN_NOT_OK(CheckSettings(config));
  if (planning->is_first_look) {
    NoteUndumpable(planning);
    if (config.boolean("spark.reprise.lore.strict")) {
      RETURN_NOT_OK(CheckKnown(*planning, selection));
    }
  }
  if (planning->request.pass == PlanRequest::Pass::kTag || IsLeftOut(planning)) return Status::OK();
  for (PlanOperator* subject : planning->tree.operators()) {
    const auto chosen = selection.Find(subject->lore_id, subject->occurrence, subject->fingerprint);
    if (!subject->replaceable || !chosen) continue;
    if (!WhyUndumpable(*planning, *subject).empty()) continue;
    Choose(*planning, selection, *chosen, subject);
  }
  planning->missing =
      MissingChoices(*planning, selection.choices,
                     {"spark.reprise.lore.idsToDump", "dumped",
                      [](const PlanOperator& subject) {
                        return !subject.capture.is_null() || !subject.capture_alone.is_null();
                      },
                      Refused(*planning, selection), true});
  return Status::OK();
}

}  // namespace reprise
