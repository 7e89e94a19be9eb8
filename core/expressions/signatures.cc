#include "expressions/signatures.h"

#include <algorithm>
#include <limits>

namespace reprise {

namespace {

constexpr size_t kAnyNumber = std::numeric_limits<size_t>::max();

bool AnyType(const DataType&) { return true; }
bool IsBoolean(const DataType& type) { return type.is(TypeKind::kBoolean); }
bool IsDecimal(const DataType& type) { return type.is(TypeKind::kDecimal); }
bool IsString(const DataType& type) { return type.is(TypeKind::kString); }
bool IsBytes(const DataType& type) { return IsString(type) || type.is(TypeKind::kBinary); }
bool IsDate(const DataType& type) { return type.is(TypeKind::kDate); }
bool IsTimestamp(const DataType& type) { return type.is(TypeKind::kTimestamp); }
bool IsTime(const DataType& type) { return IsTimestamp(type) || type.is(TypeKind::kTimestampNtz); }
bool IsInteger(const DataType& type) { return type.is(TypeKind::kInteger); }
bool IsStringOrInteger(const DataType& type) { return IsString(type) || IsInteger(type); }
bool IsDateOrInteger(const DataType& type) { return IsDate(type) || IsInteger(type); }
bool IsDateOrDays(const DataType& type) {
  return IsDateOrInteger(type) || type.is(TypeKind::kByte) || type.is(TypeKind::kShort);
}
bool IsLong(const DataType& type) { return type.is(TypeKind::kLong); }
bool IsFloating(const DataType& type) { return type.is_floating(); }
bool IsNumeric(const DataType& type) {
  return type.is_integral() || type.is_floating() || IsDecimal(type);
}
bool IsIntegral(const DataType& type) { return type.is_integral(); }
bool IsPlainNumber(const DataType& type) { return type.is_integral() || type.is_floating(); }
bool IsIntegerOrLong(const DataType& type) { return IsInteger(type) || IsLong(type); }
bool IsDouble(const DataType& type) { return type.is(TypeKind::kDouble); }
bool IsWholeable(const DataType& type) { return IsDouble(type) || IsLong(type) || IsDecimal(type); }
bool IsDivisible(const DataType& type) { return type.is_floating() || IsDecimal(type); }
bool IsLongOrDecimal(const DataType& type) { return IsLong(type) || IsDecimal(type); }

// What the arguments, and the function's type, have to do with each other.
enum class Relation {
  kNone,      // arguments and type are checked one by one only
  kSame,      // arguments of one type; the function's type is the result's own
  kSameType,  // arguments of one type, which is the function's too
  kNumeric,   // as kSameType, but decimals may differ
  kBranches,  // checked by the function, which knows which arguments are conditions
  kCast,
  kSubstring,      // a string and two integers
  kTextAndNumber,  // strings, but the second is an integer
  kShift,          // an integer of the result's type, and an int
  kDays,           // a date and a number of days or months
};

struct Signature {
  std::string_view function;
  size_t least;
  size_t most;
  bool (*argument)(const DataType&);
  bool (*result)(const DataType&);
  Relation relation;
};

constexpr Signature kSignatures[] = {
    {"column", 0, 0, AnyType, AnyType, Relation::kNone},
    {"literal", 0, 0, AnyType, AnyType, Relation::kNone},
    {"runtime_value", 0, 0, AnyType, AnyType, Relation::kNone},
    {"and", 2, 2, IsBoolean, IsBoolean, Relation::kNone},
    {"or", 2, 2, IsBoolean, IsBoolean, Relation::kNone},
    {"not", 1, 1, IsBoolean, IsBoolean, Relation::kNone},
    {"is_null", 1, 1, AnyType, IsBoolean, Relation::kNone},
    {"is_not_null", 1, 1, AnyType, IsBoolean, Relation::kNone},
    {"is_nan", 1, 1, IsFloating, IsBoolean, Relation::kNone},
    {"equal", 2, 2, AnyType, IsBoolean, Relation::kSame},
    {"equal_null_safe", 2, 2, AnyType, IsBoolean, Relation::kSame},
    {"less", 2, 2, AnyType, IsBoolean, Relation::kSame},
    {"less_or_equal", 2, 2, AnyType, IsBoolean, Relation::kSame},
    {"greater", 2, 2, AnyType, IsBoolean, Relation::kSame},
    {"greater_or_equal", 2, 2, AnyType, IsBoolean, Relation::kSame},
    {"in", 1, kAnyNumber, AnyType, IsBoolean, Relation::kSame},
    {"starts_with", 2, 2, IsString, IsBoolean, Relation::kNone},
    {"ends_with", 2, 2, IsString, IsBoolean, Relation::kNone},
    {"contains", 2, 2, IsString, IsBoolean, Relation::kNone},
    {"like", 2, 2, IsString, IsBoolean, Relation::kNone},
    {"substring", 3, 3, IsStringOrInteger, IsString, Relation::kSubstring},
    {"trim", 1, 2, IsString, IsString, Relation::kNone},
    {"trim_left", 1, 2, IsString, IsString, Relation::kNone},
    {"trim_right", 1, 2, IsString, IsString, Relation::kNone},
    {"reverse", 1, 1, IsString, IsString, Relation::kNone},
    {"repeat", 2, 2, IsStringOrInteger, IsString, Relation::kTextAndNumber},
    {"replace", 3, 3, IsString, IsString, Relation::kNone},
    {"pad_left", 3, 3, IsStringOrInteger, IsString, Relation::kTextAndNumber},
    {"pad_right", 3, 3, IsStringOrInteger, IsString, Relation::kTextAndNumber},
    {"concat", 1, kAnyNumber, IsString, IsString, Relation::kNone},
    {"concat_ws", 1, kAnyNumber, IsString, IsString, Relation::kNone},
    {"length", 1, 1, IsBytes, IsInteger, Relation::kNone},
    {"octet_length", 1, 1, IsBytes, IsInteger, Relation::kNone},
    {"bit_length", 1, 1, IsBytes, IsInteger, Relation::kNone},
    {"position", 2, 2, IsString, IsInteger, Relation::kNone},
    {"locate", 2, 2, IsString, IsInteger, Relation::kNone},
    {"year", 1, 1, IsDate, IsInteger, Relation::kNone},
    {"quarter", 1, 1, IsDate, IsInteger, Relation::kNone},
    {"month", 1, 1, IsDate, IsInteger, Relation::kNone},
    {"day_of_month", 1, 1, IsDate, IsInteger, Relation::kNone},
    {"day_of_year", 1, 1, IsDate, IsInteger, Relation::kNone},
    {"day_of_week", 1, 1, IsDate, IsInteger, Relation::kNone},
    {"week_day", 1, 1, IsDate, IsInteger, Relation::kNone},
    {"week_of_year", 1, 1, IsDate, IsInteger, Relation::kNone},
    {"hour", 1, 1, IsTime, IsInteger, Relation::kNone},
    {"minute", 1, 1, IsTime, IsInteger, Relation::kNone},
    {"second", 1, 1, IsTime, IsInteger, Relation::kNone},
    {"second_with_fraction", 1, 1, IsTime, IsDecimal, Relation::kNone},
    {"unix_seconds", 1, 1, IsTimestamp, IsLong, Relation::kNone},
    {"unix_millis", 1, 1, IsTimestamp, IsLong, Relation::kNone},
    {"unix_micros", 1, 1, IsTimestamp, IsLong, Relation::kNone},
    {"truncate_date", 1, 1, IsDate, IsDate, Relation::kNone},
    {"truncate_timestamp", 1, 1, IsTimestamp, IsTimestamp, Relation::kNone},
    {"timestamp_add", 1, 1, IsTime, IsTime, Relation::kSameType},
    {"date_add", 2, 2, IsDateOrDays, IsDate, Relation::kDays},
    {"date_sub", 2, 2, IsDateOrDays, IsDate, Relation::kDays},
    {"date_diff", 2, 2, IsDate, IsInteger, Relation::kNone},
    {"add_months", 2, 2, IsDateOrInteger, IsDate, Relation::kDays},
    {"last_day", 1, 1, IsDate, IsDate, Relation::kNone},
    {"next_day", 1, 1, IsDate, IsDate, Relation::kNone},
    {"months_between", 2, 2, IsTimestamp, IsDouble, Relation::kNone},
    {"add", 2, 2, IsNumeric, IsNumeric, Relation::kNumeric},
    {"subtract", 2, 2, IsNumeric, IsNumeric, Relation::kNumeric},
    {"multiply", 2, 2, IsNumeric, IsNumeric, Relation::kNumeric},
    {"divide", 2, 2, IsDivisible, IsDivisible, Relation::kNumeric},
    {"remainder", 2, 2, IsNumeric, IsNumeric, Relation::kNumeric},
    {"integral_divide", 2, 2, IsLongOrDecimal, IsLong, Relation::kNone},
    {"pmod", 2, 2, IsPlainNumber, IsPlainNumber, Relation::kSameType},
    {"ceil", 1, 1, IsWholeable, IsLongOrDecimal, Relation::kNone},
    {"floor", 1, 1, IsWholeable, IsLongOrDecimal, Relation::kNone},
    {"round", 1, 1, IsDecimal, IsDecimal, Relation::kNone},
    {"bround", 1, 1, IsDecimal, IsDecimal, Relation::kNone},
    {"bit_and", 2, 2, IsIntegral, IsIntegral, Relation::kSameType},
    {"bit_or", 2, 2, IsIntegral, IsIntegral, Relation::kSameType},
    {"bit_xor", 2, 2, IsIntegral, IsIntegral, Relation::kSameType},
    {"bit_not", 1, 1, IsIntegral, IsIntegral, Relation::kSameType},
    {"shift_left", 2, 2, IsIntegerOrLong, IsIntegerOrLong, Relation::kShift},
    {"shift_right", 2, 2, IsIntegerOrLong, IsIntegerOrLong, Relation::kShift},
    {"shift_right_unsigned", 2, 2, IsIntegerOrLong, IsIntegerOrLong, Relation::kShift},
    {"square_root", 1, 1, IsDouble, IsDouble, Relation::kSameType},
    {"signum", 1, 1, IsDouble, IsDouble, Relation::kSameType},
    {"greatest", 2, kAnyNumber, AnyType, AnyType, Relation::kSameType},
    {"least", 2, kAnyNumber, AnyType, AnyType, Relation::kSameType},
    {"negate", 1, 1, IsNumeric, IsNumeric, Relation::kSameType},
    {"abs", 1, 1, IsNumeric, IsNumeric, Relation::kSameType},
    {"cast", 1, 1, AnyType, AnyType, Relation::kCast},
    {"if", 3, 3, AnyType, AnyType, Relation::kBranches},
    {"case_when", 2, kAnyNumber, AnyType, AnyType, Relation::kBranches},
    {"coalesce", 1, kAnyNumber, AnyType, AnyType, Relation::kSameType},
    {"normalize_nan_and_zero", 1, 1, IsFloating, IsFloating, Relation::kSameType},
    {"unscaled_value", 1, 1, IsDecimal, IsLong, Relation::kNone},
    {"make_decimal", 1, 1, IsLong, IsDecimal, Relation::kNone},
    {"check_overflow", 1, 1, IsDecimal, IsDecimal, Relation::kNone},
    {"murmur3_hash", 1, kAnyNumber, AnyType, IsInteger, Relation::kNone},
    {"xxhash64", 1, kAnyNumber, AnyType, IsLong, Relation::kNone},
};

Status CheckCount(const ExpressionSpec& spec, const Signature& signature, size_t count) {
  if (count >= signature.least && count <= signature.most) return Status::OK();
  const std::string expected = signature.most == kAnyNumber
                                   ? fmt::format("at least {}", signature.least)
                               : signature.most == signature.least
                                   ? fmt::format("{}", signature.least)
                                   : fmt::format("{} to {}", signature.least, signature.most);
  return Status::Invalid(spec.function, " has ", count, " arguments; it takes ", expected);
}

// Conditions are boolean, values have the type of the whole.
bool BranchesFit(const ExpressionSpec& spec, const std::vector<DataType>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool last_alone = i + 1 == arguments.size() && i % 2 == 0;
    const bool condition = spec.function == "if" ? i == 0 : i % 2 == 0 && !last_alone;
    if (condition ? !IsBoolean(arguments[i]) : arguments[i] != spec.type) return false;
  }
  return true;
}

bool RelationHolds(const ExpressionSpec& spec, Relation relation,
                   const std::vector<DataType>& arguments) {
  const bool same = std::ranges::all_of(
      arguments, [&](const DataType& type) { return type == arguments.front(); });
  switch (relation) {
    case Relation::kNone:
      return true;
    case Relation::kSame:
      return same;
    case Relation::kSameType:
      return same && arguments.front() == spec.type;
    case Relation::kNumeric:
      if (IsDecimal(spec.type)) return std::ranges::all_of(arguments, IsDecimal);
      return same && arguments.front() == spec.type;
    case Relation::kBranches:
      return BranchesFit(spec, arguments);
    case Relation::kCast:
      return CanCast(arguments.front(), spec.type);
    case Relation::kSubstring:
      return IsString(arguments[0]) && IsInteger(arguments[1]) && IsInteger(arguments[2]);
    case Relation::kTextAndNumber:
      return IsString(arguments[0]) && IsInteger(arguments[1]) &&
             IsString(arguments.back()) == (arguments.size() > 2);
    case Relation::kShift:
      return arguments[0] == spec.type && IsInteger(arguments[1]);
    case Relation::kDays:
      return IsDate(arguments[0]) && !IsDate(arguments[1]);
  }
  return false;
}

std::string TypesText(const std::vector<DataType>& types) {
  std::string text;
  for (const DataType& type : types) text += (text.empty() ? "" : ", ") + type.ToString();
  return text;
}

}  // namespace

Status CheckSignature(const ExpressionSpec& spec, const std::vector<DataType>& arguments) {
  const auto* signature = std::ranges::find(kSignatures, spec.function, &Signature::function);
  if (signature == std::end(kSignatures)) {
    return Status::NotImplemented("there is no function \"", spec.function, "\"");
  }
  RETURN_NOT_OK(CheckCount(spec, *signature, arguments.size()));
  if (std::ranges::all_of(arguments, signature->argument) && signature->result(spec.type) &&
      (arguments.empty() || RelationHolds(spec, signature->relation, arguments))) {
    return Status::OK();
  }
  return Status::NotImplemented(spec.function, "(", TypesText(arguments), ") of type ",
                                spec.type.ToString(), " is not supported");
}

bool CanCast(const DataType& from, const DataType& to) {
  if (from == to) return true;
  if (IsTime(from)) {
    return to.is(TypeKind::kString) || IsDate(to) || IsTime(to) ||
           (IsTimestamp(from) && (to.is_integral() || to.is_floating()));
  }
  if (IsTime(to)) return IsDate(from) || (IsTimestamp(to) && from.is_integral());
  const bool from_number = IsNumeric(from) || IsBoolean(from);
  if (from.is_floating() && IsDecimal(to)) return false;
  if (from_number && (IsNumeric(to) || IsBoolean(to))) return true;
  if (from.is(TypeKind::kString)) return to.is_integral() || to.is(TypeKind::kDate);
  return to.is(TypeKind::kString) && !from.is_floating() &&
         (from_number || from.is(TypeKind::kDate));
}

}  // namespace reprise
