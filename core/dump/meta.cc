#include "dump/meta.h"

#include <algorithm>

#include "dump/file.h"
#include "dump/sealed_json.h"
#include "plan/mask_kind.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

Result<Json> ReadMeta(const std::string& path, std::string_view kind) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, ReadWholeFile(path));
  RETURN_NOT_OK(CheckMeta(text, kind, path));
  return Unseal(text, SealLayout::kFile, path);
}

}  // namespace

Result<int> StreamFromJson(const Json& meta, const std::string& place) {
  const Json stream = meta.value("stream", Json());
  if (stream == StreamName(kOutputStream)) return kOutputStream;
  if (!stream.is_number_integer()) {
    return Status::Invalid(place, ": member \"stream\" must be an input's number or \"output\"");
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t number, IntegerMember(meta, "stream", place, kIntRange));
  return static_cast<int>(number);
}

bool PlanMeta::Captures(int partition) const {
  return !partitions_captured ||
         std::binary_search(partitions_captured->begin(), partitions_captured->end(), partition);
}

bool PlanMeta::HasMaskedColumn() const {
  const auto is_masked = [&](const Field& field) {
    return std::ranges::any_of(
        masked.items(), [&](const auto& mask) { return SameColumnName(mask.key(), field.name); });
  };
  return std::ranges::any_of(spec.output, is_masked) ||
         std::ranges::any_of(spec.inputs, [&](const std::vector<Field>& input) {
           return std::ranges::any_of(input, is_masked);
         });
}

Result<std::vector<int>> PartitionListFromJson(const Json& list, const std::string& place) {
  std::vector<int> partitions;
  for (const auto& partition : list) {
    if (!partition.is_number_integer() || partition < 0 || partition >= kPartitionsMax) {
      return Status::Invalid(place, ": expected a list of partition numbers, found ",
                             partition.dump());
    }
    partitions.push_back(partition.get<int>());
  }
  std::sort(partitions.begin(), partitions.end());
  return partitions;
}

Result<std::vector<int64_t>> ChildrenFromJson(const Json& list, const std::string& place) {
  std::vector<int64_t> children;
  for (const auto& child : list) {
    if (!child.is_number_integer() || child < 0) {
      return Status::Invalid(place, ": expected a list of LORE ids, found ", child.dump());
    }
    children.push_back(child.get<int64_t>());
  }
  return children;
}

std::string StreamName(int stream) {
  return stream == kOutputStream ? "output" : fmt::format("input-{}", stream);
}

Result<std::string> ToText(const PlanMeta& meta) {
  nlohmann::ordered_json json = NewMeta("plan");
  json["query"] = meta.query;
  json["versions"] = meta.versions;
  json["operator"] = ToJson(meta.spec);
  if (!meta.children.empty()) json["children"] = meta.children;
  json["partitions"] = meta.partition_count;
  if (meta.partitions_captured) json["partitionsCaptured"] = *meta.partitions_captured;
  json["outputRecorded"] = meta.output_recorded;
  if (meta.streams_apart) json["streams"] = "apart";
  json["conf"] = meta.conf;
  if (!meta.masked.empty()) json["masked"] = meta.masked;
  if (!meta.spark.is_null()) json["spark"] = meta.spark;
  return Seal(json, SealLayout::kFile);
}

Result<std::string> ToText(const RddMeta& meta) {
  nlohmann::ordered_json json = NewMeta("rdd");
  json["loreId"] = meta.lore_id;
  if (meta.stream == kOutputStream) {
    json["stream"] = StreamName(kOutputStream);
  } else {
    json["stream"] = meta.stream;
  }
  json["partitions"] = meta.partitions;
  json["replicated"] = meta.replicated;
  json["schema"] = ToJson(meta.schema);
  return Seal(json, SealLayout::kFile);
}

Result<std::string> QueryOfPlanMeta(std::string_view text, const std::string& path) {
  RETURN_NOT_OK(CheckMeta(text, "plan", path));
  ARROW_ASSIGN_OR_RAISE(const Json json, Unseal(text, SealLayout::kFile, path));
  return StringMember(json, "query", path);
}

Result<PlanMeta> ReadPlanMeta(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const Json json, ReadMeta(path, "plan"));
  PlanMeta meta;
  ARROW_ASSIGN_OR_RAISE(meta.query, StringMember(json, "query", path));
  ARROW_ASSIGN_OR_RAISE(const Json* versions, ObjectMember(json, "versions", path));
  meta.versions = *versions;
  ARROW_ASSIGN_OR_RAISE(const Json* spec, ObjectMember(json, "operator", path));
  Result<OperatorSpec> parsed = OperatorSpecFromJson(*spec);
  if (!parsed.ok()) return WithPrefix(parsed.status(), path + ": ");
  meta.spec = *std::move(parsed);
  if (json.contains("children")) {
    ARROW_ASSIGN_OR_RAISE(meta.children, ChildrenFromJson(json["children"], path));
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t partitions,
                        IntegerMember(json, "partitions", path, kPartitionRange));
  meta.partition_count = static_cast<int>(partitions);
  if (json.contains("partitionsCaptured")) {
    ARROW_ASSIGN_OR_RAISE(const Json* list, ArrayMember(json, "partitionsCaptured", path));
    ARROW_ASSIGN_OR_RAISE(meta.partitions_captured, PartitionListFromJson(*list, path));
  }
  ARROW_ASSIGN_OR_RAISE(meta.output_recorded, BooleanMember(json, "outputRecorded", path));
  ARROW_ASSIGN_OR_RAISE(const Json* conf, ObjectMember(json, "conf", path));
  meta.conf = *conf;
  meta.streams_apart = json.value("streams", Json("together")) == Json("apart");
  if (json.contains("masked")) {
    ARROW_ASSIGN_OR_RAISE(const Json* masked, ObjectMember(json, "masked", path));
    meta.masked = *masked;
  }
  if (json.contains("spark")) {
    ARROW_ASSIGN_OR_RAISE(const Json* spark, ObjectMember(json, "spark", path));
    meta.spark = *spark;
  }
  return meta;
}

Result<RddMeta> ReadRddMeta(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const Json json, ReadMeta(path, "rdd"));
  RddMeta meta;
  ARROW_ASSIGN_OR_RAISE(meta.lore_id, IntegerMember(json, "loreId", path));
  ARROW_ASSIGN_OR_RAISE(meta.stream, StreamFromJson(json, path));
  ARROW_ASSIGN_OR_RAISE(const int64_t partitions,
                        IntegerMember(json, "partitions", path, kPartitionRange));
  meta.partitions = static_cast<int>(partitions);
  ARROW_ASSIGN_OR_RAISE(meta.replicated, BooleanMember(json, "replicated", path));
  ARROW_ASSIGN_OR_RAISE(const Json* schema, ArrayMember(json, "schema", path));
  Result<std::vector<Field>> fields = FieldsFromJson(*schema);
  if (!fields.ok()) return WithPrefix(fields.status(), path + ": ");
  meta.schema = *std::move(fields);
  const Status status = ToArrowSchema(meta.schema).status();
  if (!status.ok()) return WithPrefix(status, path + ": member \"schema\": ");
  return meta;
}

}  // namespace reprise
