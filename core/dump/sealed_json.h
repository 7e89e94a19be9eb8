// JSON text that carries its own checksum, so that a flipped byte anywhere in it is found.
//
// The last member of the object is "check": XXH3-64, as 16 lower-case hexadecimal digits, of all
// bytes before the comma in front of that member. The text ends with a newline.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/status.h"

namespace reprise {

inline constexpr std::string_view kDumpFormat = "reprise-dump";
inline constexpr int kDumpFormatVersion = 1;

/// Objects and arrays within each other; what has more levels was not written by a capture.
inline constexpr int kSealedDepthMax = 4000;
/// Partitions of one operator; more are not believed.
inline constexpr int64_t kPartitionsMax = int64_t{1} << 24;

/// How the object is laid out: over several indented lines (a file for people), or on one.
enum class SealLayout { kFile, kLine };

/// The sealed text of `object`, which must be a non-empty JSON object without a member "check".
/// `seed` ties a line to the one before it. Status::Invalid where the object holds text that is not
/// UTF-8.
Result<std::string> Seal(const nlohmann::ordered_json& object, SealLayout layout,
                         uint64_t seed = 0);

/// Opens a sealed text, the newline included. `place` names it in errors: "…/partition.meta line
/// 3". `check`, where given, receives the text's checksum: the next line's seed.
Result<nlohmann::json> Unseal(std::string_view text, SealLayout layout, const std::string& place,
                              uint64_t seed = 0, uint64_t* check = nullptr);

/// An object that begins a file: {"format":"reprise-dump","version":1,"kind":kind}.
nlohmann::ordered_json NewMeta(std::string_view kind);

/// Refuses text that another program, another kind of file, or a newer version of this format
/// wrote. Looks at the members alone, so that it can be asked before the checksum, which a newer
/// version may lay out otherwise.
Status CheckMeta(std::string_view text, std::string_view kind, const std::string& place);

/// What an integer may be, both ends included.
struct IntegerRange {
  int64_t least = std::numeric_limits<int64_t>::min();
  int64_t most = std::numeric_limits<int64_t>::max();
};
inline constexpr IntegerRange kPartitionRange = {0, kPartitionsMax};
inline constexpr IntegerRange kIntRange = {0, std::numeric_limits<int>::max()};
/// Of rows and bytes: their sums fit, whatever a file says.
inline constexpr IntegerRange kVolumeRange = {0, int64_t{1} << 40};

// Members of an object; Status::Invalid names `place`, the member and what was expected.
Result<int64_t> IntegerMember(const nlohmann::json& object, const char* member,
                              const std::string& place, IntegerRange range = {});
Result<bool> BooleanMember(const nlohmann::json& object, const char* member,
                           const std::string& place);
Result<std::string> StringMember(const nlohmann::json& object, const char* member,
                                 const std::string& place);
Result<const nlohmann::json*> ArrayMember(const nlohmann::json& object, const char* member,
                                          const std::string& place);
Result<const nlohmann::json*> ObjectMember(const nlohmann::json& object, const char* member,
                                           const std::string& place);
Result<uint64_t> HexMember(const nlohmann::json& object, const char* member,
                           const std::string& place);

}  // namespace reprise
