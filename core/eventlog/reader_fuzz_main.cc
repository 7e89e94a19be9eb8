// Feeds damaged event logs to the reader, which is built with AddressSanitizer and
// UndefinedBehaviorSanitizer here, alone: whatever a file holds, it must say what is wrong or read
// past it. `lineage_fuzz [ROUNDS [SEED]]`; without arguments those of REPRISE_FUZZ_ROUNDS and
// REPRISE_FUZZ_SEED, else 4000 rounds from seed 1. What goes wrong is found again by its seed and
// round.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "eventlog/load_log.h"
#include "eventlog/log_testing.h"

namespace reprise {
namespace {

using Random = std::mt19937_64;

/// The round that runs: written by the process that a sanitizer may end, read by its parent.
struct Running {
  int64_t round = 0;
  size_t source = 0;
};

struct Source {
  std::string name;
  std::string bytes;
};

size_t Below(size_t end, Random* random) {
  return end == 0 ? 0 : std::uniform_int_distribution<size_t>(0, end - 1)(*random);
}

std::string Bytes(size_t count, Random* random) {
  std::string bytes;
  for (size_t i = 0; i < count; ++i) bytes += static_cast<char>(Below(256, random));
  return bytes;
}

/// A part of a text: where it begins and how long it is.
std::pair<size_t, size_t> Part(const std::string& text, size_t size_max, Random* random) {
  const size_t begin = Below(text.size() + 1, random);
  return {begin, Below(std::min(size_max, text.size() - begin) + 1, random)};
}

/// The beginnings of the lines.
std::vector<size_t> LinesOf(const std::string& text) {
  std::vector<size_t> lines = {0};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lines.push_back(i + 1);
  }
  return lines;
}

void FlipBits(std::string* text, Random* random) {
  for (size_t i = 0; i <= Below(8, random) && !text->empty(); ++i) {
    (*text)[Below(text->size(), random)] ^= static_cast<char>(1 << Below(8, random));
  }
}

void Cut(std::string* text, Random* random) { text->resize(Below(text->size() + 1, random)); }

void Drop(std::string* text, Random* random) {
  const auto [begin, size] = Part(*text, 300, random);
  text->erase(begin, size);
}

void Repeat(std::string* text, Random* random) {
  const auto [begin, size] = Part(*text, 3000, random);
  const std::string part = text->substr(begin, size);
  text->insert(Below(text->size() + 1, random), part);
}

/// The beginning of a line goes on as another one does.
void Splice(std::string* text, Random* random) {
  const std::vector<size_t> lines = LinesOf(*text);
  const size_t from = lines[Below(lines.size(), random)] + Below(200, random);
  const size_t to = lines[Below(lines.size(), random)] + Below(200, random);
  if (from >= text->size() || to >= text->size()) return;
  *text = text->substr(0, from) + text->substr(to);
}

void Insert(std::string what, std::string* text, Random* random) {
  text->insert(Below(text->size() + 1, random), what);
}

void Nest(std::string* text, Random* random) {
  const size_t depth = 1 + Below(20'000, random);
  std::string nested;
  const bool objects = Below(2, random) == 0;
  for (size_t i = 0; i < depth; ++i) nested += objects ? R"({"a":)" : "[";
  Insert(nested, text, random);
}

/// In the place of a number.
void Enlarge(std::string* text, Random* random) {
  constexpr std::string_view kNumbers[] = {"9223372036854775807",
                                           "9223372036854775808",
                                           "-9223372036854775808",
                                           "-1",
                                           "99999999999999999999999999999999",
                                           "1e400",
                                           "0.1",
                                           "-0",
                                           "2147483648",
                                           "null",
                                           "\"1\"",
                                           "[]",
                                           "{}"};
  const size_t begin = text->find_first_of("0123456789", Below(text->size() + 1, random));
  if (begin == std::string::npos) return;
  const size_t end = text->find_first_not_of("0123456789", begin);
  text->replace(begin, (end == std::string::npos ? text->size() : end) - begin,
                kNumbers[Below(std::size(kNumbers), random)]);
}

void SpoilText(std::string* text, Random* random) {
  constexpr std::string_view kSpoilt[] = {"\xC0\x80", "\xED\xA0\x80", "\xF5",       "\xE2\x82",
                                          "\\ud800",  "\\u00",        "\\",         "\"",
                                          "\n",       "\r",           "{\"Event\":"};
  Insert(std::string(kSpoilt[Below(std::size(kSpoilt), random)]), text, random);
}

void Litter(std::string* text, Random* random) {
  Insert(Bytes(1 + Below(100, random), random), text, random);
}

constexpr void (*kMutations[])(std::string*, Random*) = {
    FlipBits, Cut, Drop, Repeat, Splice, Nest, Enlarge, Enlarge, SpoilText, Litter};

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

int Read(int64_t rounds, uint64_t seed, const std::vector<Source>& sources, const LogFolder& folder,
         Running* running) {
  int64_t read = 0;
  for (int64_t round = 0; round < rounds; ++round) {
    Random random(seed * 1'000'003 + static_cast<uint64_t>(round));
    // Half of the rounds need no decoding.
    *running = {round, round % 2 == 0 ? 0 : Below(sources.size(), &random)};
    std::string bytes = sources[running->source].bytes;
    for (size_t i = 0; i <= Below(3, &random); ++i) {
      kMutations[Below(std::size(kMutations), &random)](&bytes, &random);
    }
    const std::string path = folder.Write("log", bytes);
    const auto log = LoadLog(path, {.task_accumulators = true});
    if (log.ok()) ++read;
    if (!log.ok() && log.status().message().empty()) {
      fmt::print(stderr, "an error without a text\n");
      return 1;
    }
  }
  fmt::print("{} damaged logs from seed {}, of which {} were event logs still\n", rounds, seed,
             read);
  return 0;
}

int Fuzz(int64_t rounds, uint64_t seed) {
  const std::vector<Source> sources = Sources();
  const LogFolder folder;
  auto* running = static_cast<Running*>(
      mmap(nullptr, sizeof(Running), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const pid_t reader = fork();
  if (reader == 0) {
    const int result = Read(rounds, seed, sources, folder, running);
    std::fflush(nullptr);
    _exit(result);
  }
  int status = 0;
  waitpid(reader, &status, 0);
  if (status == 0) return 0;
  fmt::print(stderr, "failed in round {} of seed {}, a mutation of {}\n", running->round, seed,
             sources[running->source].name);
  return 1;
}

/// The argument, or the environment's, or else `otherwise`.
int64_t Chosen(int count, char** arguments, int index, const char* variable, int64_t otherwise) {
  if (index < count) return std::atoll(arguments[index]);
  const char* set = std::getenv(variable);
  return set == nullptr ? otherwise : std::atoll(set);
}

}  // namespace
}  // namespace reprise

int main(int count, char** arguments) {
  const int64_t rounds = reprise::Chosen(count, arguments, 1, "REPRISE_FUZZ_ROUNDS", 4000);
  const int64_t seed = reprise::Chosen(count, arguments, 2, "REPRISE_FUZZ_SEED", 1);
  return reprise::Fuzz(rounds, static_cast<uint64_t>(seed));
}
