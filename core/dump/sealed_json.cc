#include "dump/sealed_json.h"

#include "base/json_text.h"
#include "checksums/digest.h"

namespace reprise {

namespace {

using Json = nlohmann::json;

struct Layout {
  int indent;
  std::string_view end;     // of the text that nlohmann writes
  std::string_view before;  // the checksum
  std::string_view after;
};

constexpr Layout kFileLayout = {2, "\n}", ",\n  \"check\": \"", "\"\n}\n"};
constexpr Layout kLineLayout = {-1, "}", ",\"check\":\"", "\"}\n"};

const Layout& Of(SealLayout layout) {
  return layout == SealLayout::kFile ? kFileLayout : kLineLayout;
}

constexpr size_t kHexDigits = 16;
constexpr std::string_view kAdvice = "copy the dump again from where it was written";

Result<const Json*> Member(const Json& object, const char* member, const std::string& place) {
  const auto found = object.find(member);
  if (found == object.end()) {
    return Status::Invalid(place, ": member \"", member, "\" is missing");
  }
  return &*found;
}

Result<const Json*> TypedMember(const Json& object, const char* member, const std::string& place,
                                bool (Json::*is)() const, std::string_view expected) {
  ARROW_ASSIGN_OR_RAISE(const Json* value, Member(object, member, place));
  if (!(value->*is)()) {
    return Status::Invalid(place, ": member \"", member, "\" must be ", expected, ", found ",
                           value->type_name());
  }
  return value;
}

}  // namespace

Result<std::string> Seal(const nlohmann::ordered_json& object, SealLayout layout, uint64_t seed) {
  const Layout& form = Of(layout);
  std::string text;
  try {
    text = object.dump(form.indent);
  } catch (const nlohmann::json::exception& error) {
    return Status::Invalid("cannot be written as JSON: ", error.what());
  }
  text.resize(text.size() - form.end.size());
  const std::string check = Hex(Checksum(text, seed));
  text.append(form.before).append(check).append(form.after);
  return text;
}

Result<Json> Unseal(std::string_view text, SealLayout layout, const std::string& place,
                    uint64_t seed, uint64_t* check) {
  const Layout& form = Of(layout);
  const size_t tail = form.before.size() + kHexDigits + form.after.size();
  const size_t body_size = text.size() < tail ? 0 : text.size() - tail;
  const std::string_view body = text.substr(0, body_size);
  const std::string_view hex =
      body_size == 0 ? "" : text.substr(body_size + form.before.size(), kHexDigits);
  uint64_t recorded = 0;
  if (body_size == 0 || text.substr(body_size, form.before.size()) != form.before ||
      !text.ends_with(form.after) || !ParseHex(hex, &recorded)) {
    return Status::Invalid(place, " is damaged: it does not end with a checksum; ", kAdvice);
  }
  const uint64_t actual = Checksum(body, seed);
  if (actual != recorded) {
    return Status::Invalid(place, " is damaged: its checksum says ", hex, ", its content has ",
                           Hex(actual), "; ", kAdvice);
  }
  if (check != nullptr) *check = recorded;
  if (NestingOf(text) > kSealedDepthMax) {
    return Status::Invalid(place, " is nested deeper than ", kSealedDepthMax, " levels");
  }
  Json object = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return Status::Invalid(place, " is not a JSON object");
  return object;
}

nlohmann::ordered_json NewMeta(std::string_view kind) {
  nlohmann::ordered_json meta;
  meta["format"] = kDumpFormat;
  meta["version"] = kDumpFormatVersion;
  meta["kind"] = kind;
  return meta;
}

Status CheckMeta(std::string_view text, std::string_view kind, const std::string& place) {
  // Unseal says it.
  if (NestingOf(text) > kSealedDepthMax) return Status::OK();
  const Json meta = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  // Text that does not parse at all has a damaged or missing checksum too: Unseal says so.
  if (!meta.is_object()) return Status::OK();
  if (meta.value("format", Json()) != kDumpFormat) {
    return Status::Invalid(place, " was not written by Reprise: member \"format\" must be \"",
                           kDumpFormat, "\"");
  }
  ARROW_ASSIGN_OR_RAISE(const int64_t version, IntegerMember(meta, "version", place));
  if (version > kDumpFormatVersion) {
    return Status::NotImplemented(place, " has dump format version ", version,
                                  ", this program reads versions up to ", kDumpFormatVersion,
                                  ": use a newer reprise");
  }
  if (version < 1) return Status::Invalid(place, " has dump format version ", version);
  if (meta.value("kind", Json()) != kind) {
    return Status::Invalid(place, " is of another kind: member \"kind\" must be \"", kind, "\"");
  }
  return Status::OK();
}

Result<int64_t> IntegerMember(const Json& object, const char* member, const std::string& place,
                              IntegerRange range) {
  ARROW_ASSIGN_OR_RAISE(const Json* value,
                        TypedMember(object, member, place, &Json::is_number_integer, "an integer"));
  const bool fits = !value->is_number_unsigned() ||
                    value->get<uint64_t>() <= uint64_t{std::numeric_limits<int64_t>::max()};
  const int64_t number = fits ? value->get<int64_t>() : 0;
  if (!fits || number < range.least || number > range.most) {
    return Status::Invalid(place, ": member \"", member, "\" must be from ", range.least, " to ",
                           range.most, ", found ", value->dump());
  }
  return number;
}

Result<bool> BooleanMember(const Json& object, const char* member, const std::string& place) {
  ARROW_ASSIGN_OR_RAISE(const Json* value,
                        TypedMember(object, member, place, &Json::is_boolean, "a boolean"));
  return value->get<bool>();
}

Result<std::string> StringMember(const Json& object, const char* member, const std::string& place) {
  ARROW_ASSIGN_OR_RAISE(const Json* value,
                        TypedMember(object, member, place, &Json::is_string, "a string"));
  return value->get<std::string>();
}

Result<const Json*> ArrayMember(const Json& object, const char* member, const std::string& place) {
  return TypedMember(object, member, place, &Json::is_array, "an array");
}

Result<const Json*> ObjectMember(const Json& object, const char* member, const std::string& place) {
  return TypedMember(object, member, place, &Json::is_object, "an object");
}

Result<uint64_t> HexMember(const Json& object, const char* member, const std::string& place) {
  ARROW_ASSIGN_OR_RAISE(const std::string text, StringMember(object, member, place));
  uint64_t value = 0;
  if (!ParseHex(text, &value)) {
    return Status::Invalid(place, ": member \"", member,
                           "\" must be 16 hexadecimal digits, found \"", text, "\"");
  }
  return value;
}

}  // namespace reprise
