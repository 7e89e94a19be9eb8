// The gate that everything but batches passes on its way into a dump whose columns are masked:
// what a plan or a task says of values is hidden there.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "dump/keyed_hash.h"
#include "dump/meta.h"

namespace reprise {

class HiddenValues {
 public:
  /// Of a capture:
  ///   "mask":{"country":"hash"}          the columns; folders "country=…" bear their values
  ///   "secret":"…"                       the key's text
  ///   "hidden":{"clearValues":[17],      numbers of the runtime values that hold no masked one
  ///             "literals":["SECRET"],   what masked columns are compared with, as text
  ///             "rows":true,             the operator holds rows of masked columns itself
  ///             "folders":true,          it reads folders named after masked values
  ///             "leafFolders":true}      its task reads from such folders
  /// A capture without "hidden" hides nothing.
  static Result<HiddenValues> Of(const nlohmann::json& capture);

  /// Runtime values ({"17":{"value":V}}, runtime_values.h): all but the clear ones become null.
  void HideIn(nlohmann::json* runtime_values) const;

  /// The specification, Spark's operator, and the names of masks.
  void HideIn(PlanMeta* plan) const;

  /// Spark calls what has no name after its expression, literals and all: "(name = SECRET)".
  void HideInNames(std::vector<Field>* fields) const;
  /// The same for the names of masks: {"(name = SECRET)":"null"}.
  nlohmann::json WithHiddenNames(const nlohmann::json& masks) const;

  /// The files that a task reads: {"files":[{"path":…,"partitionValues":…}]}.
  void HideInLeaf(nlohmann::json* leaf) const;

 private:
  void HideLiterals(nlohmann::json* json, bool is_value) const;
  void HideFolders(nlohmann::json* json) const;
  std::string HiddenName(std::string name) const;
  std::string Hashed(std::string_view text) const;
  std::string WithoutFolders(std::string_view path) const;

  bool is_empty_ = true;
  nlohmann::json masks_;
  HashKey key_{};
  std::set<std::string> clear_values_;
  std::set<std::string, std::less<>> literals_;
  bool has_rows_ = false;
  bool has_folders_ = false;
  bool has_leaf_folders_ = false;
};

}  // namespace reprise
