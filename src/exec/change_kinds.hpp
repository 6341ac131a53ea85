// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kinds of changes as data, for whoever makes something of all of them: lists of methods,
/// options of a command line, forms. Made once, from what each tells of itself (changes.hpp). Not
/// real-time safe.
#pragma once

#include <span>
#include <vector>

#include "exec/changes.hpp"

namespace hild::exec {

struct FieldInfo {
  enum class Form : std::uint8_t {
    name,      ///< of `target`, or of an input or output where `either`
    settings,  ///< values by name, of `target`
    choice,    ///< one of `words`
    number,    ///< in `unit`
    whole,     ///< within `limits`
    flag,
    time,
    frames,
    table,
  };
  /// A word of the choice before it, and what it makes of the field.
  struct Use {
    std::string_view word;
    std::string_view unit;
    bool required = false;
  };

  Field field;
  Form form = Form::number;
  Target target = Target::input;
  bool either = false;
  std::string_view unit{};  ///< "": that of what is changed
  Whole limits{};
  std::span<const Word> words{};
  std::string_view usual{};  ///< of the words: what a form begins with
  bool required = false;
  /// The words that it belongs to; none: it belongs to all, in one unit.
  std::vector<Use> uses{};
};

struct ChangeKind {
  ChangeSchema schema;
  std::vector<FieldInfo> fields;

  /// By its name; null when there is none.
  [[nodiscard]] const FieldInfo* field(std::string_view name) const noexcept;
};

/// In the order of Change.
[[nodiscard]] std::span<const ChangeKind> change_kinds();
/// By the name of its method; there must be one.
[[nodiscard]] const ChangeKind& change_kind(std::string_view name);

}  // namespace hild::exec
