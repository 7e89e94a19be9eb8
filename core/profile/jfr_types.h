// The types of a JFR chunk, which describes itself: how the values of each event are laid out.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "profile/jfr_cursor.h"

namespace reprise {

struct JfrType;

struct JfrField {
  std::string name;
  uint64_t type = 0;
  bool is_constant = false;  ///< the number of an entry in the type's constant pool
  bool is_array = false;
  const JfrType* of = nullptr;  ///< null where the recording does not describe it
};

/// How a value of a type stands in the recording.
enum class JfrLayout : uint8_t {
  kNothing,
  kVarint,
  kByte,
  kFourBytes,
  kEightBytes,
  kString,
  kFields
};

struct JfrType {
  uint64_t id = 0;
  std::string name;  ///< "jdk.ExecutionSample"
  std::vector<JfrField> fields;
  JfrLayout layout = JfrLayout::kNothing;
  bool has_integers_only = false;  ///< all its fields are IsInteger
};

/// Whether the field is one, or the number of a constant.
inline bool IsInteger(const JfrField& field) {
  if (field.is_array) return false;
  return field.is_constant || (field.of != nullptr && field.of->layout == JfrLayout::kVarint);
}

/// An entry of a constant pool.
struct JfrReference {
  uint64_t type;
  uint64_t number;
  auto operator<=>(const JfrReference&) const = default;
};

class JfrTypes {
 public:
  JfrTypes() = default;
  // Fields point to types, which stay where they are when all move.
  JfrTypes(const JfrTypes&) = delete;
  JfrTypes& operator=(const JfrTypes&) = delete;
  JfrTypes(JfrTypes&&) = default;
  JfrTypes& operator=(JfrTypes&&) = default;

  /// Reads the body of a metadata event, what stands behind its event type. Chunks of a recording,
  /// and what is taken out of them, describe the same types, which are read once. Status::Invalid
  /// names file and offset.
  static Result<std::shared_ptr<const JfrTypes>> Read(JfrCursor* cursor, std::string_view file);

  /// Null where there is none.
  const JfrType* Find(uint64_t id) const;
  const JfrType* Find(std::string_view name) const;

  /// Goes past a value of the type, of one that is not described not at all: the cursor fails.
  /// `references` gets the constants it refers to, if not null.
  static void SkipValue(const JfrType* type, JfrCursor* cursor,
                        std::vector<JfrReference>* references);
  static void SkipField(const JfrField& field, JfrCursor* cursor,
                        std::vector<JfrReference>* references);

 private:
  static Result<JfrTypes> ReadNew(JfrCursor* cursor, std::string_view file);

  std::map<uint64_t, JfrType> types_;
  std::map<std::string, uint64_t, std::less<>> by_name_;
};

}  // namespace reprise
