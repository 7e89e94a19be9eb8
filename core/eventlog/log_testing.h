// Small event logs for tests, and the codecs of Spark written by hand.
#pragma once

#include <arrow/util/compression.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <xxhash.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace reprise {

/// A new empty folder, removed with everything in it when the object goes.
class LogFolder {
 public:
  LogFolder() {
    static int made = 0;
    // In memory where there is such a folder: the tests write tens of thousands of files.
    const char* memory = "/dev/shm";
    path_ = std::filesystem::path(std::filesystem::exists(memory) ? memory : testing::TempDir()) /
            ("lineage-" + std::to_string(::getpid()) + "-" + std::to_string(made++));
    std::filesystem::create_directories(path_);
  }
  ~LogFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

  /// Writes a file, and the folders to it, and returns its path.
  std::string Write(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return *this / name;
  }

 private:
  std::filesystem::path path_;
};

/// The end of a task for this reason, `ms` milliseconds after it began, with all of its figures.
inline std::string TaskEndLine(int stage, int id, int index, const std::string& end, int ms) {
  return fmt::format(
      R"({{"Event":"SparkListenerTaskEnd","Stage ID":{},"Stage Attempt ID":0,)"
      R"("Task Type":"ResultTask","Task End Reason":{},"Task Info":{{"Task ID":{},"Index":{},)"
      R"("Attempt":0,"Partition ID":{},"Launch Time":1000,"Executor ID":"7","Host":"h",)"
      R"("Locality":"ANY","Speculative":false,"Getting Result Time":0,"Finish Time":{},)"
      R"("Failed":false,"Killed":false,"Accumulables":[{{"ID":11,"Name":"x","Update":1,)"
      R"("Value":1,"Internal":true}},{{"ID":3,"Name":"y"}}]}},"Task Metrics":{{)"
      R"("Executor Run Time":5,"Executor CPU Time":6,"JVM GC Time":7,"Disk Bytes Spilled":8,)"
      R"("Shuffle Read Metrics":{{"Remote Bytes Read":10,"Local Bytes Read":20,)"
      R"("Total Records Read":30,"Push Based Shuffle":{{"Remote Bytes Read":99}}}},)"
      R"("Shuffle Write Metrics":{{"Shuffle Bytes Written":40,"Shuffle Records Written":50}},)"
      R"("Input Metrics":{{"Bytes Read":60,"Records Read":70}},)"
      R"("Output Metrics":{{"Bytes Written":80,"Records Written":90}},"Updated Blocks":[]}}}})",
      stage, end, id, index, index, 1000 + ms);
}

/// One job of two stages: 0 shuffles RDDs 0 and 1 to stage 1 with RDD 2, which is cached; stage 0
/// has two tasks, the second of which failed once; then a job that skips stage 2.
inline std::vector<std::string> SmallLogLines() {
  const std::string level =
      R"("Storage Level":{"Use Disk":false,"Use Memory":false,"Use Off Heap":false,)"
      R"("Deserialized":false,"Replication":1},"Barrier":false,"DeterministicLevel":"DETERMINATE",)"
      R"("Number of Partitions":2,"Number of Cached Partitions":0,"Memory Size":0,"Disk Size":0})";
  const std::string cached =
      R"("Storage Level":{"Use Disk":true,"Use Memory":true,"Use Off Heap":false,)"
      R"("Deserialized":true,"Replication":1},"Barrier":false,"DeterministicLevel":"UNORDERED",)"
      R"("Number of Partitions":3})";
  const std::string rdds0 =
      R"([{"RDD ID":1,"Name":"MapPartitionsRDD","Scope":"{\"id\":\"4\",\"name\":\"map\"}",)"
      R"("Callsite":"map at <console>:14","Parent IDs":[0],)" +
      level +
      R"(,{"RDD ID":0,"Name":"ParallelCollectionRDD","Callsite":"makeRDD at <console>:12",)"
      R"("Parent IDs":[],)" +
      level + "]";
  const std::string rdds1 =
      R"([{"RDD ID":2,"Name":"ShuffledRDD","Callsite":"reduceByKey at <console>:16",)"
      R"("Parent IDs":[1],)" +
      cached + "]";
  const auto stage = [](int id, int tasks, const std::string& rdds, const std::string& parents,
                        const std::string& more) {
    return fmt::format(
        R"({{"Stage ID":{},"Stage Attempt ID":0,"Stage Name":"stage {}","Number of Tasks":{},)"
        R"("RDD Info":{},"Parent IDs":{},"Details":"a\nb",{}"Accumulables":[]}})",
        id, id, tasks, rdds, parents, more);
  };
  const std::string success = R"({"Reason":"Success"})";
  const std::string failure =
      R"({"Reason":"ExceptionFailure","Class Name":"java.lang.ArithmeticException",)"
      R"("Description":"/ by zero\nmore","Stack Trace":[],"Full Stack Trace":"…"})";
  const std::string times0 = R"("Submission Time":5,"Completion Time":9,)";
  const std::string open = R"({"Event":"SparkListener)";
  return {
      open + R"(LogStart","Spark Version":"4.1.3"})",
      open + R"(ApplicationStart","App Name":"my app","App ID":"app-1","Timestamp":1,"User":"u"})",
      open + R"(JobStart","Job ID":0,"Submission Time":4,"Stage Infos":[)" +
          stage(0, 2, rdds0, "[]", "") + "," + stage(1, 3, rdds1, "[0]", "") +
          R"(],"Stage IDs":[0,1],"Properties":{"spark.job.description":"first",)"
          R"("spark.sql.execution.id":"6"}})",
      open + R"(StageSubmitted","Stage Info":)" +
          stage(0, 2, rdds0, "[]", "\"Submission Time\":5,") + R"(,"Properties":{}})",
      open + R"(TaskStart","Stage ID":0})",
      TaskEndLine(0, 0, 0, success, 100),
      TaskEndLine(0, 1, 1, failure, 20),
      TaskEndLine(0, 2, 1, success, 300),
      open + R"(StageCompleted","Stage Info":)" + stage(0, 2, rdds0, "[]", times0) + "}",
      open + R"(StageCompleted","Stage Info":)" + stage(1, 3, rdds1, "[0]", times0) + "}",
      open + R"(JobEnd","Job ID":0,"Completion Time":12,"Job Result":{"Result":"JobSucceeded"}})",
      open + R"(JobStart","Job ID":1,"Submission Time":14,"Stage Infos":[)" +
          stage(2, 2, rdds0, "[]", "") + R"(],"Stage IDs":[2],"Properties":{}})",
      open + R"(JobEnd","Job ID":1,"Completion Time":15,"Job Result":{"Result":"JobSucceeded"}})",
      open + R"(ApplicationEnd","Timestamp":16})",
  };
}

inline std::string SmallLog() {
  std::string text;
  for (const std::string& line : SmallLogLines()) text += line + "\n";
  return text;
}

inline std::string Compressed(arrow::Compression::type type, std::string_view text) {
  const auto codec = arrow::util::Codec::Create(type).ValueOrDie();
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto size = static_cast<int64_t>(text.size());
  std::string out(codec->MaxCompressedLen(size, bytes), 0);
  const auto written = codec->Compress(size, bytes, static_cast<int64_t>(out.size()),
                                       reinterpret_cast<uint8_t*>(out.data()));
  out.resize(written.ValueOrDie());
  return out;
}

inline std::string BigEndian(size_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i));
  return text;
}

inline std::string LittleEndian4(size_t value) {
  const std::string big = BigEndian(value, 4);
  return {big.rbegin(), big.rend()};
}

/// A text in pieces, each written by `encode`.
inline std::string InPieces(std::string_view text, size_t bytes,
                            const std::function<std::string(std::string_view)>& encode) {
  std::string out;
  for (; !text.empty(); text.remove_prefix(std::min(bytes, text.size()))) {
    out += encode(text.substr(0, bytes));
  }
  return out;
}

/// Every codec of Spark: its name, and a text as Spark would write it, in several frames.
struct TestCodec {
  const char* name;
  std::string (*encode)(std::string_view text);
};

inline const std::vector<TestCodec>& TestCodecs() {
  static const std::vector<TestCodec> codecs = {
      {"none", [](std::string_view text) { return std::string(text); }},
      {"zstd",
       [](std::string_view text) {
         return InPieces(text, 1500, [](std::string_view piece) {
           return Compressed(arrow::Compression::ZSTD, piece);
         });
       }},
      {"lz4",
       [](std::string_view text) {
         const auto block = [](std::string_view piece, bool compress) {
           const std::string data =
               compress ? Compressed(arrow::Compression::LZ4, piece) : std::string(piece);
           const uint32_t hash = XXH32(piece.data(), piece.size(), 0x9747b28c) & 0x0fffffff;
           return std::string("LZ4Block") + (compress ? '\x25' : '\x15') +
                  LittleEndian4(data.size()) + LittleEndian4(piece.size()) + LittleEndian4(hash) +
                  data;
         };
         // The first block stored, the others compressed; an empty one ends the stream.
         return block(text.substr(0, 700), false) +
                InPieces(text.substr(std::min<size_t>(700, text.size())), 1500,
                         [&](std::string_view piece) { return block(piece, true); }) +
                std::string("LZ4Block\x15") + std::string(12, '\0');
       }},
      {"lzf",
       [](std::string_view text) {
         return InPieces(text, 1500, [](std::string_view piece) {
           if (piece.size() % 2 == 1) {
             return std::string("ZV") + '\0' + BigEndian(piece.size(), 2) + std::string(piece);
           }
           const std::string data = InPieces(piece, 32, [](std::string_view run) {
             return static_cast<char>(run.size() - 1) + std::string(run);
           });
           return std::string("ZV\1") + BigEndian(data.size(), 2) + BigEndian(piece.size(), 2) +
                  data;
         });
       }},
      {"snappy",
       [](std::string_view text) {
         const std::string header =
             std::string("\x82SNAPPY\0", 8) + BigEndian(1, 4) + BigEndian(1, 4);
         return header + InPieces(text, 1500, [](std::string_view piece) {
                  const std::string data = Compressed(arrow::Compression::SNAPPY, piece);
                  return BigEndian(data.size(), 4) + data;
                });
       }},
  };
  return codecs;
}

}  // namespace reprise
