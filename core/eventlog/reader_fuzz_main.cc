// Feeds damaged event logs to the reader, which is built with AddressSanitizer and
// UndefinedBehaviorSanitizer here, alone: whatever a file holds, it must say what is wrong or read
// past it. `eventlog_fuzz [ROUNDS [SEED]]`; without arguments those of REPRISE_FUZZ_ROUNDS and
// REPRISE_FUZZ_SEED, else 4000 rounds from seed 1. What goes wrong is found again by its seed and
// round.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/fuzz_testing.h"
#include "eventlog/load_log.h"
#include "eventlog/log_testing.h"

namespace reprise {
namespace {

struct Source {
  std::string name;
  std::string bytes;
};

std::vector<Source> Sources() {
  std::vector<Source> sources;
  for (const TestCodec& codec : TestCodecs()) {
    sources.push_back({codec.name, codec.encode(SmallLog())});
  }
  for (const auto& file : std::filesystem::directory_iterator(REPRISE_EVENT_LOGS)) {
    std::ifstream in(file.path(), std::ios::binary);
    sources.push_back({file.path().filename(), {std::istreambuf_iterator<char>(in), {}}});
  }
  return sources;
}

int FuzzLogs(const FuzzRounds& rounds) {
  const std::vector<Source> sources = Sources();
  const LogFolder folder;
  return Fuzz(rounds, /*seconds=*/60, [&](int64_t round, Random* random, const auto& reads) {
    // Half of the rounds need no decoding.
    const Source& source = sources[round % 2 == 0 ? 0 : Below(sources.size(), random)];
    reads(source.name);
    std::string bytes = source.bytes;
    Damage(&bytes, random);
    const auto log = LoadLog(folder.Write("log", bytes), {.task_accumulators = true});
    const bool says_nothing = !log.ok() && log.status().message().empty();
    return std::string(says_nothing ? "an error without a text" : "");
  });
}

}  // namespace
}  // namespace reprise

int main(int count, char** arguments) {
  return reprise::FuzzLogs(reprise::FuzzRounds::Of(count, arguments, 4000));
}
