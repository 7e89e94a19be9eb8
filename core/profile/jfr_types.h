// The types of a JFR chunk, which describes itself: how the values of each event are laid out.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "profile/jfr_cursor.h"

namespace reprise {

struct JfrField {
  std::string name;
  uint64_t type = 0;
  bool is_constant = false;  ///< the number of an entry in the type's constant pool
  bool is_array = false;
};

struct JfrType {
  uint64_t id = 0;
  std::string name;  ///< "jdk.ExecutionSample"
  std::vector<JfrField> fields;
};

/// An entry of a constant pool.
struct JfrReference {
  uint64_t type;
  uint64_t number;
  auto operator<=>(const JfrReference&) const = default;
};

class JfrTypes {
 public:
  /// Reads the body of a metadata event, what stands behind its event type. Status::Invalid names
  /// file and offset.
  static Result<JfrTypes> Read(JfrCursor* cursor, std::string_view file);

  /// Null where there is none.
  const JfrType* Find(uint64_t id) const;
  const JfrType* Find(std::string_view name) const;

  /// Goes past a value of the type; `references` gets the constants it refers to, if not null.
  void SkipValue(uint64_t type, JfrCursor* cursor, std::vector<JfrReference>* references) const;
  void SkipField(const JfrField& field, JfrCursor* cursor,
                 std::vector<JfrReference>* references) const;

 private:
  void SkipNested(uint64_t type, int depth, JfrCursor* cursor,
                  std::vector<JfrReference>* references) const;
  void SkipNestedField(const JfrField& field, int depth, JfrCursor* cursor,
                       std::vector<JfrReference>* references) const;

  std::map<uint64_t, JfrType> types_;
  std::map<std::string, uint64_t, std::less<>> by_name_;
};

}  // namespace reprise
