#include "replay/links.h"

#include <algorithm>
#include <map>

namespace reprise {

namespace {

// Of all partitions of a stream; Status::Invalid says what is missing.
Result<StreamDigest> DigestOf(const OperatorDump& dump, const RddMeta& rdd) {
  if (dump.plan().partitions_captured) {
    return Status::Invalid("only some of its partitions were recorded");
  }
  StreamDigest digest;
  digest.columns.resize(rdd.schema.size());
  for (int partition = 0; partition < rdd.partitions; ++partition) {
    auto found = [&]() -> Result<StreamRecord> {
      if (dump.plan().streams_apart) return dump.StreamPartition(rdd.stream, partition);
      ARROW_ASSIGN_OR_RAISE(PartitionRecord record, dump.Partition(partition));
      if (rdd.stream == kOutputStream) return *std::move(record.output);
      return std::move(record.inputs[static_cast<size_t>(rdd.stream)]);
    }();
    if (!found.ok()) return Status::Invalid("partition ", partition, " has no whole record");
    const PartitionMeta& meta = found->meta;
    if (meta.end != StreamEnd::kExhausted) {
      return Status::Invalid("partition ", partition, " was not read to its end");
    }
    digest = Followed(digest, meta.digest);
  }
  return digest;
}

bool HaveSameTypes(const std::vector<Field>& given, const std::vector<Field>& read) {
  return std::ranges::equal(given, read, {}, &Field::type, &Field::type);
}

bool IsShuffled(const OperatorDump& dump) {
  return std::ranges::any_of(dump.plan().masked,
                             [](const nlohmann::json& mask) { return mask == "shuffle"; });
}

bool IsExchange(const OperatorDump& dump) {
  return dump.plan().spec.name.find("Exchange") != std::string::npos;
}

/// Whether both have the same rows. Of rows with their partitions the values of each column are
/// compared, since the partition goes into the checksum of the row.
bool HaveSameRows(const StreamDigest& given, const StreamDigest& read, bool tells_partitions) {
  if (!tells_partitions) return given.SameRows(read);
  return given.rows == read.rows &&
         std::equal(read.columns.begin(), read.columns.end(), given.columns.begin());
}

Status Compare(Link* link) {
  const RddMeta& input = *link->reader->inputs()[static_cast<size_t>(link->input)];
  const auto& output = link->giver->output();
  if (!output) return Status::Invalid("its output was not recorded");
  const bool tells_partitions = TellsPartitions(link->giver->plan().spec);
  std::vector<Field> given_columns = output->schema;
  if (tells_partitions) given_columns.pop_back();
  if (!HaveSameTypes(given_columns, input.schema)) {
    return Status::Invalid("Spark computes further columns in between");
  }
  if (IsShuffled(*link->reader)) return Status::Invalid("its columns are shuffled by a mask");
  ARROW_ASSIGN_OR_RAISE(const StreamDigest given, DigestOf(*link->giver, *output));
  ARROW_ASSIGN_OR_RAISE(const StreamDigest read, DigestOf(*link->reader, input));
  link->rows_given = given.rows;
  link->rows_read = read.rows;
  if (HaveSameRows(given, read, tells_partitions)) {
    link->verdict = Link::Verdict::kSame;
  } else if (IsExchange(*link->giver) && read.rows > given.rows) {
    return Status::Invalid("partitions of the exchange are read more than once");
  } else {
    link->verdict = Link::Verdict::kDiffers;
  }
  return Status::OK();
}

}  // namespace

std::vector<Link> LinksOf(const std::vector<OperatorDump>& operators) {
  std::map<int64_t, const OperatorDump*> by_id;
  for (const OperatorDump& dump : operators) by_id.emplace(dump.plan().spec.lore_id, &dump);
  std::vector<Link> links;
  for (const OperatorDump& dump : operators) {
    const size_t count = std::min(dump.plan().children.size(), dump.inputs().size());
    for (size_t input = 0; input < count; ++input) {
      const auto giver = by_id.find(dump.plan().children[input]);
      if (giver == by_id.end()) continue;
      Link& link = links.emplace_back();
      link.reader = &dump;
      link.input = static_cast<int>(input);
      link.giver = giver->second;
      link.why = Compare(&link).message();
    }
  }
  return links;
}

}  // namespace reprise
