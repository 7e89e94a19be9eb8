// Rounds of a fuzzer, apart from the process that says which of them failed.
#pragma once

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "base/mutation_testing.h"

namespace reprise {

/// How many rounds, of which seed: the program's arguments ROUNDS and SEED, or REPRISE_FUZZ_ROUNDS
/// and REPRISE_FUZZ_SEED, or else what the caller takes.
struct FuzzRounds {
  int64_t rounds;
  uint64_t seed;

  static FuzzRounds Of(int count, char** arguments, int64_t rounds) {
    const auto chosen = [&](int index, const char* variable, int64_t otherwise) {
      if (index < count) return std::atoll(arguments[index]);
      const char* set = std::getenv(variable);
      return set == nullptr ? static_cast<long long>(otherwise) : std::atoll(set);
    };
    return {chosen(1, "REPRISE_FUZZ_ROUNDS", rounds),
            static_cast<uint64_t>(chosen(2, "REPRISE_FUZZ_SEED", 1))};
  }
};

/// Runs `play` for each round in another process, with what is random in it, and has it say what it
/// reads. A round fails where `play` gives a text, says what is wrong, or ends the process, be it
/// by a sanitizer, or takes longer than `seconds`. The exit status of the program: 0, or 1 once the
/// round is named.
inline int Fuzz(
    const FuzzRounds& rounds, unsigned seconds,
    const std::function<std::string(int64_t round, Random* random,
                                    const std::function<void(std::string)>& reads)>& play) {
  struct Running {
    int64_t round = 0;
    char source[256] = {};
  };
  auto* running = static_cast<Running*>(
      mmap(nullptr, sizeof(Running), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const pid_t reader = fork();
  if (reader == 0) {
    for (int64_t round = 0; round < rounds.rounds; ++round) {
      running->round = round;
      Random random(rounds.seed * 1'000'003 + static_cast<uint64_t>(round));
      alarm(seconds);
      const std::string wrong = play(round, &random, [&](const std::string& source) {
        std::snprintf(running->source, sizeof(running->source), "%s", source.c_str());
      });
      if (wrong.empty()) continue;
      fmt::print(stderr, "{}\n", wrong);
      std::fflush(nullptr);
      _exit(1);
    }
    std::fflush(nullptr);
    _exit(0);
  }
  int status = 0;
  waitpid(reader, &status, 0);
  if (status == 0) return 0;
  fmt::print(stderr, "failed in round {} of seed {}, a mutation of {}\n", running->round,
             rounds.seed, running->source);
  return 1;
}

}  // namespace reprise
