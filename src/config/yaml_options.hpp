// SPDX-License-Identifier: Apache-2.0
/// \file
/// A map of the configuration, read key by key; remembers what was asked for, so that what never
/// was can be reported as unknown. Drivers see it as io::Options.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/node.hpp"
#include "hild/io/options.hpp"

namespace hild::config {

class YamlOptions final : public io::Options {
 public:
  /// `node` is a map and outlives the options; `path` is its key from the top; `file` is the one
  /// that was asked for.
  YamlOptions(const Node& node, std::string path, std::string file = {})
      : node_(node), path_(std::move(path)), file_(std::move(file)) {}

  [[nodiscard]] bool has(std::string_view key) override { return find(key) != nullptr; }
  double number(std::string_view key, std::string_view unit, std::optional<double> fallback = {},
                io::Interval allowed = {}) override;
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                       std::optional<std::int64_t> fallback = {}) override;
  Duration duration(std::string_view key, std::optional<Duration> fallback = {}) override;
  bool boolean(std::string_view key, std::optional<bool> fallback = {}) override;
  std::string_view text(std::string_view key,
                        std::optional<std::string_view> fallback = {}) override;
  std::size_t choice(std::string_view key, std::initializer_list<std::string_view> words,
                     std::optional<std::size_t> fallback = {}) override;
  io::Interval interval(std::string_view key, std::string_view unit,
                        std::optional<io::Interval> fallback = {}) override;
  std::vector<double> numbers(std::string_view key, std::string_view unit) override;
  [[nodiscard]] YamlOptions* child(std::string_view key) override;
  std::string_view path(std::string_view key) override;
  [[nodiscard]] std::string_view configuration() const override { return file_; }
  [[noreturn]] void reject(std::string_view key, std::string_view problem) override;

  // What the readers of this room need besides.

  /// A list of words, or a single one; they live as long as the options.
  [[nodiscard]] std::vector<std::string_view> words(std::string_view key);
  /// The maps of a list, each with its path, "key[1]"; none where the key is not there.
  [[nodiscard]] std::vector<YamlOptions*> maps(std::string_view key);
  /// Where this map was written, "FILE:LINE".
  [[nodiscard]] std::string place() const { return node_.place.text(); }
  /// The map under `key`, which must be there.
  YamlOptions& section(std::string_view key);
  [[nodiscard]] const std::vector<std::string>& keys() const { return node_.keys; }
  /// Ends loading: "found X, expected `expected`", why or a hint following in brackets.
  [[noreturn]] void mismatch(std::string_view key, std::string_view expected,
                             std::string_view why = {});
  /// Ends loading for a value that names nothing: `expected` tells of what kind it should be.
  [[noreturn]] void no_such(std::string_view key, std::string_view expected,
                            const std::vector<std::string_view>& known);
  /// Ends loading if a key is not a name of `known`; `owner` has them: "an input of model x".
  void names_only(std::string_view owner, const std::vector<std::string_view>& known);
  /// Ends loading if a key was never asked for, here or in a map handed out.
  void refuse_unknown() const;
  /// Ends loading with an error that speaks of this whole map.
  [[noreturn]] void reject_all(std::string_view problem, ExitCode code = ExitCode::usage) const;

 private:
  const Node* find(std::string_view key);
  const Node& required(std::string_view key, std::string_view expected);
  const Node& scalar(std::string_view key, std::string_view expected);
  /// Whether the fallback is to be used.
  template <class T>
  bool absent(std::string_view key, const std::optional<T>& fallback) {
    return !has(key) && fallback.has_value();
  }

  const Node& node_;
  std::string path_;
  std::string file_;
  std::vector<std::string> asked_;
  std::map<std::string, std::unique_ptr<YamlOptions>, std::less<>> children_;
  std::deque<std::string> files_;  ///< what path() returned views of
};

/// "a quantity in V, 0 V ... 10 V, such as \"1 V\"": what a value must be.
[[nodiscard]] std::string describe(std::string_view unit, io::Interval allowed);

/// A length of time in whole nanoseconds, from 0 to 100 years.
[[nodiscard]] Result<Duration> exact_duration(std::string_view text);

}  // namespace hild::config
