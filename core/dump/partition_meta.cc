#include "dump/partition_meta.h"

#include "base/check.h"
#include "dump/digest_json.h"
#include "dump/file.h"
#include "dump/meta.h"
#include "dump/sealed_json.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

constexpr std::pair<StreamEnd, std::string_view> kEndNames[] = {
    {StreamEnd::kExhausted, "exhausted"},
    {StreamEnd::kStopped, "stopped"},
    {StreamEnd::kFailed, "failed"},
    {StreamEnd::kTruncated, "truncated"},
};

Result<StreamEnd> EndFromName(const std::string& name, const std::string& place) {
  for (const auto& [end, end_name] : kEndNames) {
    if (name == end_name) return end;
  }
  return Status::Invalid(
      place, ": member \"end\" must be exhausted, stopped, failed or truncated, found \"", name,
      "\"");
}

Result<PartitionHeader> HeaderFromJson(const Json& json, const std::string& place) {
  PartitionHeader header;
  ARROW_ASSIGN_OR_RAISE(header.lore_id, IntegerMember(json, "loreId", place));
  ARROW_ASSIGN_OR_RAISE(header.stream, StreamFromJson(json, place));
  ARROW_ASSIGN_OR_RAISE(const int64_t partition,
                        IntegerMember(json, "partition", place, kPartitionRange));
  header.partition = static_cast<int>(partition);
  ARROW_ASSIGN_OR_RAISE(const int64_t stage, IntegerMember(json, "stage", place, kIntRange));
  header.stage = static_cast<int>(stage);
  ARROW_ASSIGN_OR_RAISE(header.attempt, IntegerMember(json, "attempt", place));
  ARROW_ASSIGN_OR_RAISE(header.batch_rows, IntegerMember(json, "batchRows", place, kVolumeRange));
  header.leaf = json.value("leaf", Json());
  return header;
}

Status AddBatchLine(const Json& json, const std::string& place, PartitionMeta* meta) {
  const auto expected = static_cast<int64_t>(meta->batches.size());
  ARROW_ASSIGN_OR_RAISE(const int64_t number, IntegerMember(json, "batch", place));
  if (number != expected) {
    return Status::Invalid(place, ": expected batch ", expected, ", found batch ", number);
  }
  BatchEntry batch;
  ARROW_ASSIGN_OR_RAISE(batch.file, StringMember(json, "file", place));
  if (batch.file != BatchFileName(number)) {
    return Status::Invalid(place, ": member \"file\" must be \"", BatchFileName(number), "\"");
  }
  ARROW_ASSIGN_OR_RAISE(batch.rows, IntegerMember(json, "rows", place, kVolumeRange));
  ARROW_ASSIGN_OR_RAISE(batch.bytes, IntegerMember(json, "bytes", place, kVolumeRange));
  ARROW_ASSIGN_OR_RAISE(batch.checksum, HexMember(json, "checksum", place));
  meta->batches.push_back(std::move(batch));
  return Status::OK();
}

Status AddEndLine(const Json& json, const std::string& place, PartitionMeta* meta) {
  ARROW_ASSIGN_OR_RAISE(const std::string name, StringMember(json, "end", place));
  ARROW_ASSIGN_OR_RAISE(meta->end, EndFromName(name, place));
  ARROW_ASSIGN_OR_RAISE(const Json* digest, ObjectMember(json, "digest", place));
  const Result<StreamDigest> parsed = StreamDigestFromJson(*digest);
  if (!parsed.ok()) return WithPrefix(parsed.status(), place + ": ");
  meta->digest = *parsed;
  if (*meta->end == StreamEnd::kTruncated) {
    ARROW_ASSIGN_OR_RAISE(meta->limit, StringMember(json, "limit", place));
  }
  if (json.contains("error")) {
    ARROW_ASSIGN_OR_RAISE(meta->error, RaisedErrorFromJson(json["error"], place));
  }
  meta->digest_only = json.value("digestOnly", false) && meta->batches.empty();
  if (meta->digest.rows != meta->rows() && !meta->digest_only) {
    return Status::Invalid(place, ": the digest is of ", meta->digest.rows,
                           " rows, the batches have ", meta->rows());
  }
  return Status::OK();
}

}  // namespace

std::string_view Name(StreamEnd end) {
  for (const auto& [known, name] : kEndNames) {
    if (known == end) return name;
  }
  return "";
}

int64_t PartitionMeta::rows() const {
  int64_t rows = 0;
  for (const auto& batch : batches) rows += batch.rows;
  return rows;
}

int64_t PartitionMeta::bytes() const {
  int64_t bytes = 0;
  for (const auto& batch : batches) bytes += batch.bytes;
  return bytes;
}

std::string BatchFileName(int64_t batch) { return fmt::format("batch-{}.parquet", batch); }

Result<PartitionMetaWriter> PartitionMetaWriter::Create(DumpStore* store, const std::string& path,
                                                        const PartitionHeader& header) {
  PartitionMetaWriter writer;
  ARROW_ASSIGN_OR_RAISE(writer.file_, store->CreateGrowing(path));
  nlohmann::ordered_json line = NewMeta("partition");
  line["loreId"] = header.lore_id;
  if (header.stream == kOutputStream) {
    line["stream"] = StreamName(kOutputStream);
  } else {
    line["stream"] = header.stream;
  }
  line["partition"] = header.partition;
  line["stage"] = header.stage;
  line["attempt"] = header.attempt;
  line["batchRows"] = header.batch_rows;
  if (!header.leaf.is_null()) line["leaf"] = header.leaf;
  RETURN_NOT_OK(writer.AddLine(line));
  return writer;
}

Status PartitionMetaWriter::AddBatch(const BatchEntry& batch) {
  return AddLine({{"batch", batches_++},
                  {"file", batch.file},
                  {"rows", batch.rows},
                  {"bytes", batch.bytes},
                  {"checksum", Hex(batch.checksum)}});
}

Status PartitionMetaWriter::End(StreamEnd end, const StreamDigest& digest, std::string_view limit,
                                const std::optional<RaisedError>& error) {
  nlohmann::ordered_json line = {{"end", Name(end)}, {"digest", ToJson(digest)}};
  if (!limit.empty()) line["limit"] = limit;
  if (error) line["error"] = ToJson(*error);
  if (batches_ == 0 && digest.rows > 0) line["digestOnly"] = true;
  RETURN_NOT_OK(AddLine(line));
  return file_->Close();
}

Status PartitionMetaWriter::AddLine(const nlohmann::ordered_json& line) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, Seal(line, SealLayout::kLine, check_));
  REPRISE_CHECK(ParseHex(std::string_view(text).substr(text.size() - 19, 16), &check_));
  return file_->Append(text);
}

Result<PartitionMeta> ReadPartitionMeta(const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, ReadWholeFile(path));
  PartitionMeta meta;
  uint64_t check = 0;
  int line_number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t newline = text.find('\n', begin);
    if (newline == std::string::npos) {
      // A crash cuts the line that it writes, and after the last one nothing is written.
      if (meta.end) return Status::Invalid(path, " has bytes behind the end of the record");
      meta.torn = true;
      break;
    }
    const std::string_view line = std::string_view(text).substr(begin, newline + 1 - begin);
    begin = newline + 1;
    const std::string place = fmt::format("{} line {}", path, ++line_number);
    if (line_number == 1) RETURN_NOT_OK(CheckMeta(line, "partition", place));
    ARROW_ASSIGN_OR_RAISE(const Json json, Unseal(line, SealLayout::kLine, place, check, &check));
    if (meta.end) return Status::Invalid(place, ": nothing may follow the end of the record");
    if (line_number == 1) {
      ARROW_ASSIGN_OR_RAISE(meta.header, HeaderFromJson(json, place));
    } else if (json.contains("end")) {
      RETURN_NOT_OK(AddEndLine(json, place, &meta));
    } else {
      RETURN_NOT_OK(AddBatchLine(json, place, &meta));
    }
  }
  if (line_number == 0) {
    return Status::Invalid(path, " is incomplete: it stops before the end of its first line");
  }
  return meta;
}

}  // namespace reprise
