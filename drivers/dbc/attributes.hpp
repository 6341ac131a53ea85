// SPDX-License-Identifier: Apache-2.0
/// \file
/// The attributes of a DBC file that tell how messages are sent: their definitions, defaults and
/// values. Load time only.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "drivers/dbc/database.hpp"
#include "drivers/dbc/scanner.hpp"

namespace hild::can {

/// Views are of the text that is read, which must outlive this.
class Attributes {
 public:
  /// After BA_DEF_, BA_DEF_DEF_.
  ///@{
  void define(Scanner& in);
  void set_default(Scanner& in);
  ///@}
  /// After BA_ "name" BO_ id; message: its place in the database, none of those that are not there.
  void set(Scanner& in, std::string_view name, std::optional<std::size_t> message);
  /// After BA_ "name" SG_ id signal; signal: null where it is not there.
  void set(Scanner& in, std::string_view name, Signal* signal);
  /// Gives the messages what was set, or is the default, when all is read.
  void apply(Scanner& in, Database& database) const;

 private:
  struct Value {
    double number = 0;
    std::string_view word;  // where it is one
    bool is_word = false;
    int line = 0;
  };
  enum Which : std::size_t { cycle_time, start_delay, send_type, frame_format, start_value, none };
  using Words = std::vector<std::string_view>;

  static Which which(std::string_view name);
  static Value value(Scanner& in);
  [[nodiscard]] const Value* find(Which which, std::size_t message) const;
  [[nodiscard]] std::string_view word_of(Which which, const Value& value) const;
  [[nodiscard]] std::optional<Duration> time(Scanner& in, Which which, std::size_t message) const;
  void apply_format(Message& message, const Value& value) const;

  std::array<Words, none> words_;  // of those that are enumerations
  std::array<std::optional<Value>, none> defaults_;
  std::array<std::map<std::size_t, Value>, none> values_;  // by message
};

}  // namespace hild::can
