#include "dump/begin.h"

#include <filesystem>
#include <mutex>

#include "dump/dump_path.h"
#include "dump/file.h"
#include "dump/meta.h"
#include "dump/sealed_json.h"
#include "operators/runtime_values.h"

namespace reprise {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// Stages of one query begin in parallel: while one has made its folder but not yet its plan.meta,
// another must not look.
std::mutex begin_mutex;

Status NotEmpty(const std::string& path, const std::string& found) {
  return Status::Invalid("dump path ", path, " must be empty or absent, but holds ", found,
                         "; name another folder in spark.reprise.lore.dumpPath or empty this one");
}

// The folder of an operator that this query began holds a plan.meta with the query's token.
bool BegunBy(const fs::path& entry, std::string_view query_token) {
  if (!OperatorOfFolder(entry.filename().string())) return false;
  const auto plan = ReadPlanMeta((entry / kPlanMetaName).string());
  return plan.ok() && plan->query == query_token;
}

Status CheckFolder(const std::string& path, std::string_view query_token) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return Status::OK();
  if (error) return SystemError(path, "look at", error.value());
  if (!fs::is_directory(status)) {
    return Status::Invalid("dump path ", path, " must be empty or absent, but is not a directory");
  }
  fs::directory_iterator entries(path, error);
  if (error) return SystemError(path, "list", error.value());
  for (const fs::directory_iterator end; entries != end; entries.increment(error)) {
    if (error) return SystemError(path, "list", error.value());
    if (!BegunBy(entries->path(), query_token)) {
      return NotEmpty(path, entries->path().filename().string());
    }
  }
  return Status::OK();
}

Status CreateFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? SystemError(path.string(), "create", error.value()) : Status::OK();
}

const char kRequest[] = "begin dump";

Result<PlanMeta> PlanFromRequest(const Json& request, const Json& capture, int64_t lore_id) {
  PlanMeta plan;
  ARROW_ASSIGN_OR_RAISE(plan.query, StringMember(capture, "query", kRequest));
  ARROW_ASSIGN_OR_RAISE(plan.output_recorded, BooleanMember(capture, "output", kRequest));
  if (capture.contains("partitions") && !capture["partitions"].is_null()) {
    ARROW_ASSIGN_OR_RAISE(const Json* list, ArrayMember(capture, "partitions", kRequest));
    ARROW_ASSIGN_OR_RAISE(plan.partitions_captured, PartitionListFromJson(*list, kRequest));
  }
  ARROW_ASSIGN_OR_RAISE(const Json* spec, ObjectMember(request, "operator", kRequest));
  Json bound = {{"operator", *spec}};
  if (request.contains("values")) {
    bound["values"] = request["values"];
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
  ARROW_ASSIGN_OR_RAISE(const Json* conf, ObjectMember(request, "conf", kRequest));
  ARROW_ASSIGN_OR_RAISE(const Json* versions, ObjectMember(request, "versions", kRequest));
  plan.conf = *conf;
  plan.versions = *versions;
  return plan;
}

Result<std::vector<RddMeta>> StreamsFromRequest(const Json& request, const PlanMeta& plan,
                                                int64_t lore_id) {
  ARROW_ASSIGN_OR_RAISE(const Json* inputs, ArrayMember(request, "inputs", kRequest));
  if (inputs->size() != plan.spec.inputs.size()) {
    return Status::Invalid(kRequest, ": member \"inputs\" has ", inputs->size(),
                           " elements, the operator has ", plan.spec.inputs.size(), " inputs");
  }
  std::vector<RddMeta> streams;
  for (size_t i = 0; i < inputs->size(); ++i) {
    if (plan.streams_apart && (*inputs)[i].is_null()) continue;
    const std::string place = fmt::format("{}: inputs[{}]", kRequest, i);
    if (!(*inputs)[i].is_object()) return Status::Invalid(place, " must be an object");
    ARROW_ASSIGN_OR_RAISE(const int64_t partitions,
                          IntegerMember((*inputs)[i], "partitions", place));
    ARROW_ASSIGN_OR_RAISE(const bool replicated, BooleanMember((*inputs)[i], "replicated", place));
    streams.push_back({lore_id, static_cast<int>(i), static_cast<int>(partitions), replicated,
                       plan.spec.inputs[i]});
  }
  if (!plan.output_recorded || (plan.streams_apart && !request.contains("outputPartitions"))) {
    return streams;
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t partitions,
                        IntegerMember(request, "outputPartitions", kRequest));
  streams.push_back(
      {lore_id, kOutputStream, static_cast<int>(partitions), false, plan.spec.output});
  return streams;
}

Status WriteStreams(const fs::path& folder, const std::vector<RddMeta>& streams) {
  for (const RddMeta& stream : streams) {
    const fs::path stream_folder = folder / StreamName(stream.stream);
    const std::string path = (stream_folder / kRddMetaName).string();
    ARROW_ASSIGN_OR_RAISE(const std::string text, ToText(stream));
    std::error_code error;
    if (fs::exists(path, error)) {
      ARROW_ASSIGN_OR_RAISE(const std::string begun, ReadWholeFile(path));
      if (begun == text) continue;
      return Status::Invalid(path, " was begun by the same query with other partitions or columns");
    }
    RETURN_NOT_OK(CreateFolder(stream_folder));
    RETURN_NOT_OK(WriteNewFile(path, text));
  }
  return Status::OK();
}

}  // namespace

Status CheckDumpPath(std::string_view path, std::string_view query_token) {
  ARROW_ASSIGN_OR_RAISE(const std::string local, LocalDumpPath(path));
  const std::lock_guard lock(begin_mutex);
  return CheckFolder(local, query_token);
}

Status BeginDump(const Json& request) {
  if (!request.is_object()) return Status::Invalid(kRequest, ": the request must be an object");
  ARROW_ASSIGN_OR_RAISE(const Json* capture, ObjectMember(request, "capture", kRequest));
  ARROW_ASSIGN_OR_RAISE(const std::string uri, StringMember(*capture, "path", kRequest));
  ARROW_ASSIGN_OR_RAISE(const int64_t lore_id, IntegerMember(*capture, "loreId", kRequest));
  ARROW_ASSIGN_OR_RAISE(const std::string path, LocalDumpPath(uri));
  ARROW_ASSIGN_OR_RAISE(const PlanMeta plan, PlanFromRequest(request, *capture, lore_id));
  ARROW_ASSIGN_OR_RAISE(const auto streams, StreamsFromRequest(request, plan, lore_id));
  ARROW_ASSIGN_OR_RAISE(const std::string text, ToText(plan));

  const std::lock_guard lock(begin_mutex);
  RETURN_NOT_OK(CheckFolder(path, plan.query));
  const fs::path folder = fs::path(path) / OperatorFolder(lore_id);
  std::error_code error;
  const std::string plan_path = (folder / kPlanMetaName).string();
  if (!fs::exists(folder, error)) {
    RETURN_NOT_OK(CreateFolder(folder));
    RETURN_NOT_OK(WriteNewFile(plan_path, text));
    return WriteStreams(folder, streams);
  }
  ARROW_ASSIGN_OR_RAISE(const std::string begun, ReadWholeFile(plan_path));
  if (begun == text) return WriteStreams(folder, streams);
  return Status::Invalid(folder.string(), " was begun by the same query for another operator; ",
                         "two operators of a query must not share LORE id ", lore_id);
}

}  // namespace reprise
