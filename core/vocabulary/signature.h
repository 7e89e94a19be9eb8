// What operands an expression takes and what it gives, as the rows of expressions.def say it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vocabulary/type_set.h"

namespace reprise {

/// A signature is a text:
///   "date, int|smallint -> date"             one operand each, of one of the types
///   "T:integral, T -> T"                     operands of one type, which is the result's too
///   "string, string? -> string"              the last one may be left out
///   "string, string... -> string"            any number of the last one, or none
///   "[boolean, T]..., T? -> T"               any number of pairs
///   "decimal -> decimal; bigint -> bigint"   one or the other
///   "string, literal start -> int"           a literal that is written as an attribute and no
///                                            argument, of whatever type; so is a "subquery"
/// Types are those of DataType::ToString, "decimal" for each precision and scale, and the groups
/// any, integral, floating, numeric and time. Neither opaque (TypeKind::kOther) nor void is in
/// "any".
class Signature {
 public:
  /// A text that is no signature is a fault of the table: it ends the program.
  static Signature Parse(std::string_view text);

  /// Whether a call with arguments of these types (literals that are written as attributes left
  /// out) that gives `result` is one of these.
  bool Takes(const std::vector<DataType>& arguments, const DataType& result) const;

  /// The types that the operand at this place may have, in any of its forms; empty where there is
  /// no such operand.
  TypeSet TypesAt(size_t operand) const;
  /// Whether the operand at this place is no argument: a literal or a subquery.
  bool IsAside(size_t operand) const { return !AsideAt(operand).empty(); }
  /// The place and the name of its literal: (2, "start"). Nothing where it has none.
  std::optional<std::pair<size_t, std::string_view>> literal() const;

  /// The least and the most arguments; kAnyNumber: there is no most.
  static constexpr size_t kAnyNumber = static_cast<size_t>(-1);
  size_t least() const;
  size_t most() const;

 private:
  struct Type {
    TypeSet set;
    bool shared = false;  ///< T: one type wherever it stands
  };
  struct Item {
    std::vector<Type> group;  ///< one, or the types of a pair
    std::string aside;        ///< not empty: no argument
    size_t least = 1;
    size_t most = 1;
  };
  struct Form {
    std::vector<Item> items;
    Type result;
  };
  using Types = std::vector<DataType>;

  std::string_view AsideAt(size_t operand) const;
  static Form ParseForm(std::string_view text);
  static Type ParseType(std::string_view text, std::optional<TypeSet>* shared);
  static bool Matches(const Form& form, size_t item, const Types& arguments, size_t next,
                      std::optional<DataType> shared, const DataType& result);

  std::vector<Form> forms_;
};

}  // namespace reprise
