// dump_cost DUMP/loreId-N WORK-FOLDER ROUNDS
//   purpose  what recording costs beside writing the same batches by Arrow in a plain loop
//   input    an operator's folder; the batches of its first input, partition by partition
//   output   a JSON object: for each round seconds of both, and the bytes written
#include <arrow/io/file.h>
#include <arrow/table.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "dump/attempt_writer.h"
#include "dump/reader.h"

namespace reprise {

namespace {

namespace fs = std::filesystem;
using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

struct Cost {
  double seconds = 0;
  int64_t bytes = 0;
};

int64_t BytesIn(const fs::path& folder) {
  int64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) bytes += static_cast<int64_t>(entry.file_size());
  }
  return bytes;
}

template <typename Function>
Result<Cost> Measure(const fs::path& folder, Function&& write) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto start = std::chrono::steady_clock::now();
  RETURN_NOT_OK(write());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return Cost{took.count(), BytesIn(folder)};
}

// Decoded before: the columns as the dump stores them, dictionaries included.
Status WritePlainly(const Batches& batches, const fs::path& folder) {
  const auto properties = parquet::WriterProperties::Builder()
                              .compression(parquet::Compression::ZSTD)
                              ->compression_level(1)
                              ->build();
  const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  for (size_t i = 0; i < batches.size(); ++i) {
    arrow::FieldVector fields;
    for (int k = 0; k < batches[i]->num_columns(); ++k) {
      fields.push_back(arrow::field(batches[i]->column_name(k), batches[i]->column(k)->type()));
    }
    const auto table = arrow::Table::Make(arrow::schema(std::move(fields)), batches[i]->columns());
    ARROW_ASSIGN_OR_RAISE(auto file, arrow::io::FileOutputStream::Open(
                                         (folder / fmt::format("{}.parquet", i)).string()));
    RETURN_NOT_OK(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), file,
                                             std::max<int64_t>(table->num_rows(), 1), properties,
                                             arrow_properties));
    RETURN_NOT_OK(file->Close());
  }
  return Status::OK();
}

Status Record(const Batches& batches, const std::vector<Field>& schema, const fs::path& folder) {
  AttemptToWrite what;
  what.store = LocalStore();
  what.folder = folder.string();
  what.lore_id = 1;
  what.streams = {{0, schema}};
  ARROW_ASSIGN_OR_RAISE(const auto writer, AttemptWriter::Open(std::move(what), TaskContext()));
  for (const auto& batch : batches) RETURN_NOT_OK(writer->Add(0, ToBatch(batch)));
  writer->SetExhausted(0);
  return writer->Finish(CaptureEnd::kSucceeded);
}

Result<Batches> ReadInput(const OperatorDump& dump) {
  Batches batches;
  for (const AttemptName& name : dump.attempts()) {
    ARROW_ASSIGN_OR_RAISE(const PartitionRecord record, dump.Partition(name.partition));
    BatchReader reader(record.inputs.at(0), arrow::default_memory_pool());
    while (true) {
      ARROW_ASSIGN_OR_RAISE(auto batch, reader.Next());
      if (batch == nullptr) break;
      batches.push_back(std::move(batch));
    }
  }
  return batches;
}

Status Run(const std::string& folder, const fs::path& work, int rounds) {
  ARROW_ASSIGN_OR_RAISE(const auto dump, OperatorDump::Open(folder));
  ARROW_ASSIGN_OR_RAISE(const Batches batches, ReadInput(dump));
  const std::vector<Field>& schema = dump.inputs().at(0)->schema;
  nlohmann::json result = {{"batches", batches.size()}, {"rounds", nlohmann::json::array()}};
  int64_t rows = 0;
  for (const auto& batch : batches) rows += batch->num_rows();
  result["rows"] = rows;
  const auto plain = [&] {
    return Measure(work / "plain", [&] { return WritePlainly(batches, work / "plain"); });
  };
  const auto record = [&] {
    return Measure(work / "dump", [&] { return Record(batches, schema, work / "dump"); });
  };
  // The first round warms up; who goes first changes from round to round.
  for (int round = 0; round <= rounds; ++round) {
    Cost plain_cost, record_cost;
    if (round % 2 == 0) {
      ARROW_ASSIGN_OR_RAISE(plain_cost, plain());
    }
    ARROW_ASSIGN_OR_RAISE(record_cost, record());
    if (round % 2 == 1) {
      ARROW_ASSIGN_OR_RAISE(plain_cost, plain());
    }
    if (round == 0) continue;
    result["rounds"].push_back({{"plainSeconds", plain_cost.seconds},
                                {"dumpSeconds", record_cost.seconds},
                                {"plainBytes", plain_cost.bytes},
                                {"dumpBytes", record_cost.bytes}});
  }
  fmt::print("{}\n", result.dump());
  return Status::OK();
}

}  // namespace
}  // namespace reprise

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: dump_cost DUMP/loreId-N WORK-FOLDER ROUNDS\n");
    return 2;
  }
  const auto status = reprise::Run(argv[1], argv[2], std::atoi(argv[3]));
  if (status.ok()) return 0;
  fmt::print(stderr, "dump_cost: {}\n", status.message());
  return 1;
}
