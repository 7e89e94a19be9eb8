// Feeds damaged and hostile dumps to their readers: whatever a folder holds, they must say what is
// wrong or read it, in bounded time and memory, and a failed `unpack` leaves nothing. The corpus is
// what was once believed; each is tried as it is, and then with random damage whose checksums are
// right. `dump_fuzz [ROUNDS [SEED]]`; without arguments those of REPRISE_FUZZ_ROUNDS and
// REPRISE_FUZZ_SEED, else 400 rounds from seed 1. What goes wrong is found again by its seed and
// round.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/fuzz_testing.h"
#include "checksums/digest.h"
#include "dump/batch_file.h"
#include "dump/pack.h"
#include "dump/reader.h"
#include "dump/sealed_json.h"
#include "replay/replay.h"

namespace reprise {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int64_t kMemoryMax = int64_t{256} << 20;  // of a round, beyond what there was before it
constexpr int64_t kManyRows = 20'000'000;
constexpr unsigned kSecondsMax = 60;

std::string Contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void Write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

/// A file of a dump's whose checksums are right, whatever stands in it.
void WriteSealed(const fs::path& path, const std::vector<std::string>& bodies) {
  const bool is_file = path.filename() != "partition.meta";
  std::string text;
  uint64_t seed = 0;
  for (const std::string& body : bodies) {
    seed = Checksum(body, is_file ? 0 : seed);
    text += is_file ? body + ",\n  \"check\": \"" + Hex(seed) + "\"\n}\n"
                    : body + ",\"check\":\"" + Hex(seed) + "\"}\n";
  }
  Write(path, text);
}

/// What stands before the checksum, of the file or of each line.
std::vector<std::string> BodiesOf(const fs::path& path) {
  const std::string text = Contents(path);
  if (path.filename() != "partition.meta") return {text.substr(0, text.rfind(",\n  \"check\""))};
  std::vector<std::string> bodies;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    bodies.push_back(line.substr(0, line.rfind(",\"check\"")));
    begin = end == std::string::npos ? text.size() : end + 1;
  }
  return bodies;
}

void ChangePlan(const fs::path& dump, const std::function<void(Json&)>& change) {
  const fs::path path = dump / "plan.meta";
  Json plan = Json::parse(Contents(path));
  plan.erase("check");
  change(plan);
  Write(path, Seal(plan, SealLayout::kFile).ValueOrDie());
}

/// Puts text into plan.meta where the value of this member stands, or a new member.
void PutIntoPlan(const fs::path& dump, const std::string& member, const std::string& value) {
  std::vector<std::string> bodies = BodiesOf(dump / "plan.meta");
  const size_t begin = bodies[0].find("\"" + member + "\":");
  bodies[0].insert(begin == std::string::npos ? bodies[0].size() : begin,
                   begin == std::string::npos ? ",\"" + member + "\":" + value
                                              : "\"" + member + "\":" + value + ",");
  WriteSealed(dump / "plan.meta", bodies);
}

/// Another file in place of the first input's first batch, listed with its size and checksum.
void ReplaceBatch(const fs::path& dump, const std::string& bytes) {
  const fs::path folder = dump / "input-0/partition-0";
  Write(folder / "batch-0.parquet", bytes);
  std::vector<std::string> bodies = BodiesOf(folder / "partition.meta");
  for (std::string& body : bodies) {
    Json line = Json::parse(body + "}", nullptr, /*allow_exceptions=*/false);
    if (!line.contains("file")) continue;
    line["bytes"] = bytes.size();
    line["checksum"] = Hex(Checksum(bytes));
    body = line.dump();
    body.pop_back();
  }
  WriteSealed(folder / "partition.meta", bodies);
}

std::string Repeated(std::string_view text, int count) {
  std::string repeated;
  for (int i = 0; i < count; ++i) repeated += text;
  return repeated;
}

void ChangeTypes(const fs::path& dump, const std::string& type) {
  for (const auto& entry : fs::recursive_directory_iterator(dump)) {
    if (entry.path().extension() != ".meta" || entry.path().filename() == "partition.meta")
      continue;
    std::vector<std::string> bodies = BodiesOf(entry.path());
    const std::string member = "\"type\": \"";
    for (size_t at = bodies[0].find(member); at != std::string::npos;
         at = bodies[0].find(member, at + 1)) {
      const size_t begin = at + member.size();
      bodies[0].replace(begin, bodies[0].find('"', begin) - begin, type);
    }
    WriteSealed(entry.path(), bodies);
  }
}

/// Rows of one column of nulls take nothing in the file.
std::string ManyRows(int64_t rows) {
  const std::vector<Field> fields = {{"a", {TypeKind::kLong}}};
  const auto schema = arrow::schema({arrow::field("a", arrow::int64())});
  const Batch batch{schema, {arrow::MakeArrayOfNull(arrow::int64(), rows).ValueOrDie()}, rows, {}};
  return EncodeBatch(batch, fields, arrow::default_memory_pool()).ValueOrDie()->ToString();
}

/// The first page's header: its type is field 1, what it says to have uncompressed field 2.
std::string WithLyingPage(std::string bytes) {
  const size_t end = bytes.find_first_not_of("\x80\x81\x82\x83", 7);
  return end == std::string::npos ? bytes : bytes.replace(7, 1, "\xFE\xFF\xFF\xFF\x0F");
}

struct Hostile {
  std::string name;
  std::function<void(const fs::path& dump)> make;
  bool is_read = false;  ///< all others are refused
};

std::vector<Hostile> Corpus() {
  std::vector<Hostile> corpus = {
      {"a sound dump", [](const fs::path&) {}, /*is_read=*/true},
      {"nested arrays",
       [](const fs::path& dump) {
         PutIntoPlan(dump, "deep", Repeated("[", 200'000) + Repeated("]", 200'000));
       }},
      {"nested expressions",
       [](const fs::path& dump) {
         const std::string opening = R"({"function":"not","type":"boolean","arguments":[)";
         PutIntoPlan(dump, "arguments", Repeated(opening, 100'000) + Repeated("]}", 100'000));
       }},
      {"expressions below the limit",
       [](const fs::path& dump) {
         const std::string opening = R"({"function":"not","type":"boolean","arguments":[)";
         PutIntoPlan(dump, "arguments", Repeated(opening, 1'900) + Repeated("]}", 1'900));
       },
       /*is_read=*/true},
      {"a FIFO",
       [](const fs::path& dump) {
         fs::remove(dump / "plan.meta");
         ::mkfifo((dump / "plan.meta").c_str(), 0600);
       }},
      {"a batch that is a FIFO",
       [](const fs::path& dump) {
         const fs::path batch = dump / "input-0/partition-0/batch-0.parquet";
         fs::remove(batch);
         ::mkfifo(batch.c_str(), 0600);
       }},
      {"a Parquet file of 20 million rows",
       [bytes = ManyRows(kManyRows)](const fs::path& dump) { ReplaceBatch(dump, bytes); }},
      {"a page that lies about its size", [](const fs::path& dump) {
         ReplaceBatch(dump, WithLyingPage(Contents(dump / "input-0/partition-0/batch-0.parquet")));
       }}};
  for (const char* type : {"decimal(0,0)", "decimal(99,1)", "decimal(-5,1)", "decimal(10,2000)"}) {
    corpus.push_back({type, [type](const fs::path& dump) { ChangeTypes(dump, type); }});
  }
  for (const int64_t count : {int64_t{-1}, int64_t{2'000'000'000}, int64_t{4'294'967'297}}) {
    corpus.push_back({fmt::format("{} partitions", count), [count](const fs::path& dump) {
                        ChangePlan(dump, [count](Json& plan) { plan["partitions"] = count; });
                      }});
  }
  return corpus;
}

/// Some file of the dump, damaged; where it has checksums they are right, but for some.
void DamageSome(const fs::path& dump, Random* random) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(dump)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  const fs::path path = files[Below(files.size(), random)];
  const fs::path batch = dump / "input-0/partition-0/batch-0.parquet";
  const bool is_batch = path.extension() != ".meta" && fs::is_regular_file(batch);
  if (Below(8, random) == 0) {
    std::string text = Contents(path);
    Damage(&text, random);
    Write(path, text);
  } else if (path.extension() == ".meta") {
    std::vector<std::string> bodies = BodiesOf(path);
    Damage(&bodies[Below(bodies.size(), random)], random);
    WriteSealed(path, bodies);
  } else if (is_batch) {
    std::string bytes = Contents(batch);
    Damage(&bytes, random);
    ReplaceBatch(dump, bytes);
  }
}

/// What is wrong with an outcome; empty: nothing.
std::string Judge(const Status& status, std::string_view what) {
  return !status.ok() && status.message().empty() ? fmt::format("{}: an error without a text", what)
                                                  : "";
}

/// `is_read`: whether it must be; nothing: it may be.
std::string Replayed(const fs::path& dump, std::optional<bool> is_read) {
  ReplayOptions options;
  options.recorded_only = true;
  // Some operators repeat their rows as often as an argument says.
  options.conf = {{"spark.memory.offHeap.size", "32m"}};
  int64_t rows = 0;
  options.take_output = [&rows](const std::shared_ptr<arrow::RecordBatch>& records) {
    rows += records->num_rows();
    return rows > 100'000 ? Status::Cancelled("enough") : Status::OK();
  };
  const Status status = Replay(dump.string(), options).status();
  if (is_read && *is_read != status.ok()) return "replay: " + status.ToString();
  return Judge(status, "replay");
}

std::string Unpacked(const fs::path& dump, const fs::path& work, Random* random) {
  const fs::path pack = work / "pack";
  const fs::path folder = work / "unpacked";
  if (!PackDump(dump.string(), pack.string()).ok()) {
    return fs::exists(pack) ? "a failed pack left its file" : "";
  }
  std::string bytes = Contents(pack);
  Damage(&bytes, random);
  Write(pack, bytes);
  const Status status = UnpackDump(pack.string(), folder.string()).status();
  if (!status.ok() && std::distance(fs::directory_iterator(work), {}) != 2) {
    return "a failed unpack left something";
  }
  return Judge(status, "unpack");
}

std::string Play(const fs::path& dump, const fs::path& work, std::optional<bool> is_read,
                 Random* random) {
  std::string wrong = Replayed(dump, is_read);
  if (wrong.empty()) wrong = Unpacked(dump, work, random);
  return wrong;
}

/// A line of /proc/self/status, in KiB there: VmRSS or VmHWM, its peak since ForgetPeak.
int64_t MemoryBytes(std::string_view name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) return std::atoll(line.c_str() + name.size() + 1) << 10;
  }
  return 0;
}

void ForgetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

int FuzzDumps(const FuzzRounds& rounds) {
  const std::vector<Hostile> corpus = Corpus();
  std::vector<fs::path> dumps;
  for (const auto& entry : fs::directory_iterator(fs::path(REPRISE_DUMPS) / "format-1")) {
    dumps.push_back(entry.path());
  }
  std::sort(dumps.begin(), dumps.end());
  std::string name = fs::temp_directory_path() / "reprise-fuzz-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) return 1;
  const int result =
      Fuzz(rounds, kSecondsMax, [&](int64_t round, Random* random, const auto& reads) {
        const auto number = static_cast<size_t>(round);
        const bool is_first = number < corpus.size();
        const Hostile& hostile =
            corpus[is_first ? number : Below(2, random) * Below(corpus.size(), random)];
        const fs::path& source = dumps[is_first ? 0 : Below(dumps.size(), random)];
        reads(hostile.name);
        const fs::path work = name;
        fs::remove_all(work);
        fs::create_directory(work);
        const fs::path dump = work / source.filename();
        fs::copy(source, dump, fs::copy_options::recursive);
        hostile.make(dump);
        if (!is_first) DamageSome(dump, random);
        ForgetPeak();
        const int64_t before = MemoryBytes("VmRSS");
        std::string wrong =
            Play(dump, work, is_first ? std::optional(hostile.is_read) : std::nullopt, random);
        const int64_t taken = MemoryBytes("VmHWM") - before;
        if (wrong.empty() && taken > kMemoryMax) wrong = fmt::format("took {} MiB", taken >> 20);
        return wrong;
      });
  fs::remove_all(name);
  fmt::print("{} rounds from seed {}\n", rounds.rounds, rounds.seed);
  return result;
}

}  // namespace
}  // namespace reprise

int main(int count, char** arguments) {
  return reprise::FuzzDumps(reprise::FuzzRounds::Of(count, arguments, 400));
}
