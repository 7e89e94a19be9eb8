#include "dump/begin.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "dump/dump_path.h"
#include "dump/hidden_values.h"
#include "dump/meta.h"
#include "dump/sealed_json.h"
#include "dump/store.h"
#include "operators/fragment_spec.h"
#include "operators/runtime_values.h"

namespace reprise {

namespace {

using Json = nlohmann::json;
using Entry = DumpStore::Entry;

// Stages of one query begin in parallel: while one has made its folder but not yet its plan.meta,
// another must not look.
std::mutex begin_mutex;

// An operator that is dumped only where a task fails or is slow.
struct KeptBack {
  DumpPlace place;
  bool made_path = false;            // the dump path was absent
  std::set<std::string> replicated;  // names of streams that are recorded whatever becomes of tasks
};
using KeptBackByFolder = std::map<std::string, KeptBack>;

// By query, until it has run. Under the mutex.
std::map<std::string, KeptBackByFolder, std::less<>>& KeptBackDumps() {
  static auto* const dumps = new std::map<std::string, KeptBackByFolder, std::less<>>();
  return *dumps;
}

Result<bool> HasRecord(const KeptBack& dump, const std::string& folder) {
  DumpStore* const store = dump.place.store.get();
  ARROW_ASSIGN_OR_RAISE(const auto streams, store->List(folder));
  for (const std::string& stream : streams) {
    if (dump.replicated.contains(stream)) continue;
    const std::string path = Within(folder, stream);
    ARROW_ASSIGN_OR_RAISE(const Entry entry, store->Look(path));
    if (entry != Entry::kFolder) continue;
    ARROW_ASSIGN_OR_RAISE(const auto names, store->List(path));
    if (std::ranges::any_of(
            names, [](const auto& name) { return ParsePartitionFolder(name).has_value(); })) {
      return true;
    }
  }
  return false;
}

Status RemoveUnwanted(const KeptBack& dump, const std::string& folder) {
  DumpStore* const store = dump.place.store.get();
  ARROW_ASSIGN_OR_RAISE(const Entry entry, store->Look(folder));
  if (entry != Entry::kFolder) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const bool is_wanted, HasRecord(dump, folder));
  if (is_wanted) return Status::OK();
  RETURN_NOT_OK(store->RemoveFolder(folder));
  if (!dump.made_path) return Status::OK();
  ARROW_ASSIGN_OR_RAISE(const auto left, store->List(dump.place.path));
  return left.empty() ? store->RemoveFolder(dump.place.path) : Status::OK();
}

Status NoteKeptBack(const DumpPlace& place, const std::string& folder, const std::string& query,
                    const std::vector<RddMeta>& streams) {
  ARROW_ASSIGN_OR_RAISE(const Entry path, place.store->Look(place.path));
  KeptBackByFolder& dumps = KeptBackDumps()[query];
  const bool made_before = std::ranges::any_of(dumps, [&](const auto& other) {
    return other.second.made_path && other.second.place.path == place.path;
  });
  KeptBack& dump = dumps[folder];
  dump.place = place;
  dump.made_path = made_before || path == Entry::kAbsent;
  for (const RddMeta& stream : streams) {
    if (stream.replicated) dump.replicated.insert(StreamName(stream.stream));
  }
  return Status::OK();
}

Status NotEmpty(const std::string& path, const std::string& found) {
  return Status::Invalid("dump path ", path, " must be empty or absent, but holds ", found,
                         "; name another folder in spark.reprise.lore.dumpPath or empty this one");
}

// The token of the query that began the folder of an operator, which stands in its plan.meta;
// nothing where none can be read, as before it is written.
std::optional<std::string> BegunBy(const DumpPlace& place, const std::string& name) {
  if (!OperatorOfFolder(name)) return std::nullopt;
  const std::string path = Within(Within(place.path, name), kPlanMetaName);
  const auto text = place.store->Read(path);
  if (!text.ok()) return std::nullopt;
  const auto query = QueryOfPlanMeta(*text, path);
  return query.ok() ? std::optional(*query) : std::nullopt;
}

// What is in a dump path.
struct Holding {
  bool ours = false;                     // something of this query's
  std::optional<std::string> other;      // the name of something else
  std::optional<std::string> its_query;  // of `other`, where a query has begun it
};

Result<Holding> HoldingOf(const DumpPlace& place, std::string_view query_token) {
  Holding holding;
  ARROW_ASSIGN_OR_RAISE(const Entry entry, place.store->Look(place.path));
  if (entry == Entry::kAbsent) return holding;
  if (entry == Entry::kFile) {
    return Status::Invalid("dump path ", place.path,
                           " must be empty or absent, but is not a directory");
  }
  ARROW_ASSIGN_OR_RAISE(const auto names, place.store->List(place.path));
  for (const std::string& name : names) {
    std::optional<std::string> query = BegunBy(place, name);
    if (query == query_token) {
      holding.ours = true;
    } else if (!holding.other || (query && (!holding.its_query || *query < *holding.its_query))) {
      holding.other = name;
      holding.its_query = std::move(query);
    }
  }
  return holding;
}

// Another application may begin a dump there at the same moment, and both find the path empty. So
// each looks again when it has begun: it withdraws where it sees the other, at once where the
// other's token is the lesser one. The other one waits for that.
constexpr auto kPatience = std::chrono::seconds(2);
constexpr auto kBetweenLooks = std::chrono::milliseconds(10);

// `has_begun`: this query has, just now.
Status CheckFolder(const DumpPlace& place, std::string_view query_token, bool has_begun) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    ARROW_ASSIGN_OR_RAISE(const Holding holding, HoldingOf(place, query_token));
    if (!holding.other) return Status::OK();
    const bool yields =
        has_begun ? holding.its_query && *holding.its_query < query_token : !holding.ours;
    if (yields || std::chrono::steady_clock::now() > end) {
      return NotEmpty(place.path, *holding.other);
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

// Makes the folder of the query's operator, which is absent.
Status MakeFolder(const DumpPlace& place, const std::string& folder, const std::string& plan_text,
                  std::string_view query_token) {
  DumpStore* const store = place.store.get();
  RETURN_NOT_OK(store->CreateFolders(place.path));
  ARROW_ASSIGN_OR_RAISE(const bool is_made, store->CreateFolder(folder));
  if (!is_made) return NotEmpty(place.path, folder.substr(place.path.size() + 1));
  RETURN_NOT_OK(store->WriteNew(Within(folder, kPlanMetaName), plan_text));
  const Status alone = CheckFolder(place, query_token, /*has_begun=*/true);
  if (!alone.ok()) RETURN_NOT_OK(store->RemoveFolder(folder));
  return alone;
}

const char kRequest[] = "begin dump";

// The specification of what is dumped: of an operator, or of a fragment with its operators.
Result<Json> SpecFromRequest(const Json& request, const Json& capture) {
  if (!request.contains("fragment")) {
    ARROW_ASSIGN_OR_RAISE(const Json* spec, ObjectMember(request, "operator", kRequest));
    return *spec;
  }
  ARROW_ASSIGN_OR_RAISE(const Json* whole, ObjectMember(capture, "fragment", kRequest));
  Json spec = *whole;
  ARROW_ASSIGN_OR_RAISE(const OperatorSpec parsed, OperatorSpecFromJson(spec));
  ARROW_ASSIGN_OR_RAISE(spec["arguments"], FragmentArguments(request["fragment"], parsed.inputs));
  return spec;
}

// What is said of a fragment's inputs: their tasks' own, or one partition that all share.
Result<Json> InputsFromRequest(const Json& request, const Json& capture, size_t count) {
  if (!request.contains("fragment")) {
    ARROW_ASSIGN_OR_RAISE(const Json* inputs, ArrayMember(request, "inputs", kRequest));
    return *inputs;
  }
  ARROW_ASSIGN_OR_RAISE(const Json* shared, ArrayMember(capture, "shared", kRequest));
  ARROW_ASSIGN_OR_RAISE(const int64_t partitions,
                        IntegerMember(request, "outputPartitions", kRequest));
  Json inputs = Json::array();
  for (size_t i = 0; i < count; ++i) {
    const bool is_shared =
        std::ranges::any_of(*shared, [&](const Json& number) { return number == i; });
    inputs.push_back({{"partitions", is_shared ? 1 : partitions}, {"replicated", is_shared}});
  }
  return inputs;
}

Result<PlanMeta> PlanFromRequest(const Json& request, const Json& capture, int64_t lore_id) {
  PlanMeta plan;
  ARROW_ASSIGN_OR_RAISE(plan.query, StringMember(capture, "query", kRequest));
  ARROW_ASSIGN_OR_RAISE(plan.output_recorded, BooleanMember(capture, "output", kRequest));
  if (capture.contains("partitions") && !capture["partitions"].is_null()) {
    ARROW_ASSIGN_OR_RAISE(const Json* list, ArrayMember(capture, "partitions", kRequest));
    ARROW_ASSIGN_OR_RAISE(plan.partitions_captured, PartitionListFromJson(*list, kRequest));
  }
  if (capture.contains("children")) {
    ARROW_ASSIGN_OR_RAISE(plan.children, ChildrenFromJson(capture["children"], kRequest));
  }
  ARROW_ASSIGN_OR_RAISE(Json spec, SpecFromRequest(request, capture));
  ARROW_ASSIGN_OR_RAISE(const HiddenValues hidden, HiddenValues::Of(capture));
  Json bound = {{"operator", std::move(spec)}};
  if (request.contains("values")) {
    bound["values"] = request["values"];
    hidden.HideIn(&bound["values"]);
    RETURN_NOT_OK(PutRuntimeValues(&bound));
  }
  ARROW_ASSIGN_OR_RAISE(plan.spec, OperatorSpecFromJson(bound["operator"]));
  if (plan.spec.lore_id == 0) plan.spec.lore_id = lore_id;
  if (plan.spec.lore_id != lore_id) {
    return Status::Invalid(kRequest, ": the capture is of LORE id ", lore_id,
                           ", the operator's is ", plan.spec.lore_id);
  }
  plan.streams_apart = request.value("apart", false);
  if (!plan.streams_apart) {
    ARROW_ASSIGN_OR_RAISE(const int64_t partitions,
                          IntegerMember(request, "outputPartitions", kRequest));
    plan.partition_count = static_cast<int>(partitions);
  }
  plan.spark = request.value("spark", Json());
  plan.masked = capture.value("mask", Json::object());
  hidden.HideIn(&plan);
  ARROW_ASSIGN_OR_RAISE(const Json* conf, ObjectMember(request, "conf", kRequest));
  ARROW_ASSIGN_OR_RAISE(const Json* versions, ObjectMember(request, "versions", kRequest));
  plan.conf = *conf;
  plan.versions = *versions;
  return plan;
}

Result<std::vector<RddMeta>> StreamsFromRequest(const Json& request, const Json& capture,
                                                const PlanMeta& plan, int64_t lore_id) {
  ARROW_ASSIGN_OR_RAISE(const Json inputs,
                        InputsFromRequest(request, capture, plan.spec.inputs.size()));
  if (inputs.size() != plan.spec.inputs.size()) {
    return Status::Invalid(kRequest, ": member \"inputs\" has ", inputs.size(),
                           " elements, the operator has ", plan.spec.inputs.size(), " inputs");
  }
  std::vector<RddMeta> streams;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (plan.streams_apart && inputs[i].is_null()) continue;
    const std::string place = fmt::format("{}: inputs[{}]", kRequest, i);
    if (!inputs[i].is_object()) return Status::Invalid(place, " must be an object");
    ARROW_ASSIGN_OR_RAISE(const int64_t partitions, IntegerMember(inputs[i], "partitions", place));
    ARROW_ASSIGN_OR_RAISE(const bool replicated, BooleanMember(inputs[i], "replicated", place));
    streams.push_back({lore_id, static_cast<int>(i), static_cast<int>(partitions), replicated,
                       plan.spec.inputs[i]});
  }
  if (!plan.output_recorded || (plan.streams_apart && !request.contains("outputPartitions"))) {
    return streams;
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t partitions,
                        IntegerMember(request, "outputPartitions", kRequest));
  const bool replicated = request.value("outputReplicated", false);
  streams.push_back(
      {lore_id, kOutputStream, static_cast<int>(partitions), replicated, plan.spec.output});
  return streams;
}

Status WriteStreams(DumpStore* store, const std::string& folder,
                    const std::vector<RddMeta>& streams) {
  for (const RddMeta& stream : streams) {
    const std::string stream_folder = Within(folder, StreamName(stream.stream));
    const std::string path = Within(stream_folder, kRddMetaName);
    ARROW_ASSIGN_OR_RAISE(const std::string text, ToText(stream));
    ARROW_ASSIGN_OR_RAISE(const Entry entry, store->Look(path));
    if (entry != Entry::kAbsent) {
      ARROW_ASSIGN_OR_RAISE(const std::string begun, store->Read(path));
      if (begun == text) continue;
      return Status::Invalid(path, " was begun by the same query with other partitions or columns");
    }
    RETURN_NOT_OK(store->CreateFolders(stream_folder));
    RETURN_NOT_OK(store->WriteNew(path, text));
  }
  return Status::OK();
}

}  // namespace

Status BeginDump(const Json& request) {
  if (!request.is_object()) return Status::Invalid(kRequest, ": the request must be an object");
  ARROW_ASSIGN_OR_RAISE(const Json* capture, ObjectMember(request, "capture", kRequest));
  ARROW_ASSIGN_OR_RAISE(const std::string uri, StringMember(*capture, "path", kRequest));
  ARROW_ASSIGN_OR_RAISE(const int64_t lore_id, IntegerMember(*capture, "loreId", kRequest));
  ARROW_ASSIGN_OR_RAISE(const DumpPlace place, OpenDumpPlace(uri));
  ARROW_ASSIGN_OR_RAISE(const PlanMeta plan, PlanFromRequest(request, *capture, lore_id));
  ARROW_ASSIGN_OR_RAISE(const auto streams, StreamsFromRequest(request, *capture, plan, lore_id));
  ARROW_ASSIGN_OR_RAISE(const std::string text, ToText(plan));

  const std::lock_guard lock(begin_mutex);
  RETURN_NOT_OK(CheckFolder(place, plan.query, /*has_begun=*/false));
  DumpStore* const store = place.store.get();
  const std::string folder = Within(place.path, OperatorFolder(lore_id));
  const std::string plan_path = Within(folder, kPlanMetaName);
  if (capture->contains("when")) RETURN_NOT_OK(NoteKeptBack(place, folder, plan.query, streams));
  ARROW_ASSIGN_OR_RAISE(const Entry entry, store->Look(folder));
  if (entry == Entry::kAbsent) {
    const Status made = MakeFolder(place, folder, text, plan.query);
    if (!made.ok()) KeptBackDumps()[plan.query].erase(folder);  // it may be another's
    RETURN_NOT_OK(made);
    return WriteStreams(store, folder, streams);
  }
  const std::string name = OperatorFolder(lore_id);
  if (BegunBy(place, name) != plan.query) return NotEmpty(place.path, name);
  ARROW_ASSIGN_OR_RAISE(const std::string begun, store->Read(plan_path));
  if (begun == text) return WriteStreams(store, folder, streams);
  return Status::Invalid(folder, " was begun by the same query for another operator; ",
                         "two operators of a query must not share LORE id ", lore_id);
}

Status EndDumps(std::string_view query_token) {
  const std::lock_guard lock(begin_mutex);
  auto& dumps = KeptBackDumps();
  const auto found = dumps.find(query_token);
  if (found == dumps.end()) return Status::OK();
  const KeptBackByFolder of_query = std::move(found->second);
  dumps.erase(found);
  Status status;
  for (const auto& [folder, dump] : of_query) status &= RemoveUnwanted(dump, folder);
  return status;
}

}  // namespace reprise
