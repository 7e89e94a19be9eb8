// A Spark physical plan as decoded from the plug-in's JSON (docs/internals/plan-json.md).
//
// Everything here is read-only and owned by one PlanDocument; strings are views into its buffer.
// Objects that the document refers to more than once are shared, so a plan is a directed acyclic
// graph.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "plan/data_type.h"

namespace reprise {

struct PlanNode;
struct PlanObject;

/// A column of a StructType: what a scan's schemas are made of.
struct StructField {
  std::string_view name;
  DataType type;
  bool nullable = true;
  std::string_view metadata;  ///< the field's metadata as JSON text, "" where there is none
};

/// A Spark DataType that stands as an argument: the type, and its fields where it is a struct.
struct PlanType {
  DataType type;
  bool is_struct = false;
  std::vector<StructField> fields;
};

/// An argument of a node or of an expression.
struct PlanValue {
  enum class Kind : uint8_t {
    kNull,
    kBoolean,
    kInteger,
    kString,   ///< text
    kDouble,   ///< text, as Java's toString
    kDecimal,  ///< text, a plain number
    kBytes,    ///< text, base64
    kEnum,     ///< text, the constant's name
    kOpaque,   ///< text, the class
    kList,     ///< items
    kMap,      ///< items: key, value, key, value …
    kType,     ///< data_type
    kObject,   ///< object: an expression or another product
    kPlan,     ///< node: a plan inside an argument
    kChild,    ///< integer: the node's own child of that number
  };
  Kind kind = Kind::kNull;
  bool boolean = false;
  int64_t integer = 0;
  std::string_view text;
  std::span<const PlanValue> items;
  const PlanObject* object = nullptr;
  const PlanNode* node = nullptr;
  const PlanType* data_type = nullptr;

  bool is(Kind other) const { return kind == other; }
  bool is_null() const { return kind == Kind::kNull; }
};

/// Constructor arguments in their order, by name.
using PlanArguments = std::span<const std::pair<std::string_view, PlanValue>>;

/// An expression, or any other product (an ExprId, a relation …).
struct PlanObject {
  std::string_view class_name;   ///< full
  std::optional<int64_t> id;     ///< its number in the document, where it has one
  std::optional<DataType> type;  ///< expressions that can be asked for it only
  bool nullable = true;
  std::string_view sql;  ///< "" where the document does not say it
  PlanArguments arguments;
  std::span<const PlanValue> children;
  int64_t expanded_size = 1;  ///< objects of the tree below, shared ones counted at each use
  int depth = 1;              ///< levels of the tree below

  /// The argument, or nullptr.
  const PlanValue* argument(std::string_view name) const;
  /// Child number `index` where it is an object, or nullptr.
  const PlanObject* child(size_t index) const;
};

struct PlanNode {
  std::string_view class_name;  ///< full
  std::string_view name;        ///< SparkPlan.nodeName
  int64_t id = 0;               ///< its number in the document
  int64_t lore_id = 0;          ///< 0: not tagged
  std::string_view fingerprint;
  std::string_view occurrence;
  /// Of a node without a tag: the LORE ids of the operators that were made from the same node of
  /// the logical plan before, as integers.
  std::span<const PlanValue> from;
  bool columnar = false;
  bool cache = false;   ///< the scan of a cached table whose batches Spark itself has made
  bool blocks = false;  ///< a query stage or the like of an exchange that runs natively
  int64_t rows = -1;    ///< of a query stage that has ended: the rows that it gave; -1: not known
  std::span<const PlanValue> output;  ///< attributes
  PlanArguments arguments;
  std::vector<const PlanNode*> children;
  /// Of the scan of a cached table, where it is said: the plan that has filled the cache, and the
  /// scan's name for each column of it. It is no part of the plan, and runs no more.
  const PlanNode* cached = nullptr;
  std::span<const PlanValue> cached_output;

  const PlanValue* argument(std::string_view name) const;
};

/// A decoded document.
class PlanDocument {
 public:
  /// Decodes `json`. Malformed JSON is Status::SerializationError with the byte at which it stops;
  /// a document that breaks the format is Status::SerializationError with the path
  /// ("$.root.children[0].args.condition") and what was expected there; another `version` is
  /// Status::NotImplemented that names both.
  static Result<std::unique_ptr<PlanDocument>> Decode(std::string_view json);

  ~PlanDocument();
  PlanDocument(const PlanDocument&) = delete;
  PlanDocument& operator=(const PlanDocument&) = delete;

  std::string_view spark_version() const { return spark_version_; }
  std::string_view scala_version() const { return scala_version_; }
  const PlanNode& root() const { return *root_; }
  /// Every node of the document once, in the order in which the document holds them (pre-order).
  const std::vector<const PlanNode*>& nodes() const { return nodes_; }

 private:
  friend class PlanDecoder;
  struct Storage;
  PlanDocument();

  std::unique_ptr<Storage> storage_;
  std::string_view spark_version_;
  std::string_view scala_version_;
  const PlanNode* root_ = nullptr;
  std::vector<const PlanNode*> nodes_;
};

/// The class name after its last '.' or '$': "FilterExec".
std::string_view ShortClassName(std::string_view class_name);

/// What an attribute reference says of itself.
struct Attribute {
  std::string_view name;
  int64_t expr_id = -1;
  DataType type;
  bool nullable = true;
};

/// Reads an AttributeReference, or the attribute that an Alias makes; nothing for other objects.
std::optional<Attribute> AttributeOf(const PlanObject& object);
/// The same of an argument that may be one; nothing where it is no object.
std::optional<Attribute> AttributeOf(const PlanValue& value);

/// The number in an ExprId argument, in either of its two forms; -1 for anything else.
int64_t ExprIdOf(const PlanValue* value);

}  // namespace reprise
