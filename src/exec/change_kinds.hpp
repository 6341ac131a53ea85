// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kinds of changes (changes.hpp) as tables, for code that treats all of them alike: lists of
/// methods, options of a command line, forms. The tables are made once, from what each kind tells
/// of itself. Not real-time safe.
#pragma once

#include <span>
#include <vector>

#include "exec/changes.hpp"

namespace hild::exec {

/// One field of a kind of change: what it is called, which form its value has, and which values it
/// takes.
struct FieldInfo {
  enum class Form : std::uint8_t {
    name,      ///< the name of a `target`, or of an input or output where `either`
    settings,  ///< values by the names of `target`s
    choice,    ///< one of `words`
    number,    ///< in `unit`
    whole,     ///< within `limits`
    flag,
    time,
    frames,
    table,
  };
  /// What the field means where the choice before it is `word`: its unit, and whether it is
  /// required.
  struct Use {
    std::string_view word;
    std::string_view unit;
    bool required = false;
  };

  Field field;
  Form form = Form::number;
  Target target = Target::input;
  bool either = false;
  std::string_view unit{};  ///< "": that of the signal or parameter that is changed
  Whole limits{};
  std::span<const Word> words{};
  std::string_view usual{};  ///< the one of `words` that a form begins with
  bool required = false;
  /// The words of the choice before it for which the field exists; empty: it exists for all of
  /// them, in one unit.
  std::vector<Use> uses{};
};

/// One kind of change with all its fields.
struct ChangeKind {
  ChangeSchema schema;
  std::vector<FieldInfo> fields;

  /// The field of this name; null when there is none.
  [[nodiscard]] const FieldInfo* field(std::string_view name) const noexcept;
};

/// All kinds, in the order of the alternatives of Change.
[[nodiscard]] std::span<const ChangeKind> change_kinds();
/// The kind whose method has this name. Precondition: there is one.
[[nodiscard]] const ChangeKind& change_kind(std::string_view name);

}  // namespace hild::exec
