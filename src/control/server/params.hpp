// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads the params of a request one by one. It remembers which were read, so that the others can
/// be reported as unknown. Whatever is wrong throws Refused with the code invalid_params and words:
/// which param, what was found, what was expected.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/rpc/parse_json.hpp"
#include "exec/field.hpp"
#include "hild/core/time.hpp"
#include "hild/io/options.hpp"

namespace hild::server {

/// Reads a number in `unit`, or a text with a unit that converts to it; finite and within
/// `allowed`. `called` is its name in messages.
[[nodiscard]] double quantity_of(const json::value& v, std::string_view called,
                                 std::string_view unit, io::Interval allowed = {});

/// A value for messages, as JSON; cut when long.
[[nodiscard]] std::string found(const json::value& v);

class Params {
 public:
  /// `params` outlives this; `path` is put before the keys in messages.
  explicit Params(const json::object& params, std::string path = {})
      : params_(params), path_(std::move(path)) {}

  [[nodiscard]] bool has(std::string_view key) { return find(key) != nullptr; }

  // Without a fallback a param is required.
  double number(std::string_view key, std::string_view unit, std::optional<double> fallback = {},
                io::Interval allowed = {});
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                       std::optional<std::int64_t> fallback = {});
  bool boolean(std::string_view key, bool fallback);
  std::string text(std::string_view key);
  /// The place of the word found.
  std::size_t choice(std::string_view key, std::span<const exec::Word> words);
  std::vector<std::string> texts(std::string_view key);
  std::vector<double> numbers(std::string_view key, std::string_view unit);
  /// A span of time in seconds, or a text with a unit; from 0 to 1e9 s.
  Duration duration(std::string_view key);
  const json::object& object(std::string_view key);
  const json::array& list(std::string_view key);

  /// Throws Refused if there are params that were never read.
  void refuse_unknown() const;
  [[noreturn]] void reject(std::string_view key, std::string_view problem) const;
  /// The name of a param in messages, "a.b".
  [[nodiscard]] std::string name_of(std::string_view key) const;

 private:
  const json::value* find(std::string_view key);
  const json::value& required(std::string_view key, std::string_view expected);
  [[noreturn]] void mismatch(std::string_view key, const json::value& v,
                             std::string_view expected) const;

  const json::object& params_;
  std::string path_;
  std::vector<std::string> asked_;
};

}  // namespace hild::server
