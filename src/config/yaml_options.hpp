// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads a map of the configuration key by key. It remembers which keys were read, so that the
/// others can be reported as unknown. Drivers see it as io::Options.
#pragma once

#include <concepts>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config/node.hpp"
#include "hild/io/options.hpp"

namespace hild::config {

/// Collects all errors of a configuration while reading goes on, so that they can be reported at
/// once.
class Findings {
 public:
  /// With `strict` errors are not collected: each ends what is being read.
  explicit Findings(bool strict_from_the_start = false) : strict(strict_from_the_start) {}

  static constexpr std::size_t most_told = 20;

  /// Adds an error, unless it only follows from others or is there already.
  void add(const ConfigError& refused);
  [[nodiscard]] bool any() const { return !errors_.empty(); }
  /// All errors, one a line, in the order of the files and their lines; the last line counts those
  /// beyond `most_told`. Precondition: any().
  [[nodiscard]] Error all() const;

  /// Marks a path whose value could not be read, so that references to it are not reported as
  /// errors.
  void mark_broken(const std::string& path) { broken_.insert(path); }
  [[nodiscard]] bool broken(const std::string& path) const { return broken_.contains(path); }

  bool strict;

 private:
  std::vector<ConfigError> errors_;
  std::set<std::string> broken_;
};

class YamlOptions final : public io::Options {
 public:
  /// `node` is a map and outlives the options; `path` is its key from the top; `file` is the
  /// configuration file that was asked for. With `findings` errors are collected there and reading
  /// goes on where it can: a number, word or time that is refused is replaced by an acceptable one,
  /// and any other refusal ends attempt(). Without, the first error is thrown.
  YamlOptions(const Node& node, std::string path, std::string file = {},
              Findings* findings = nullptr)
      : node_(node),
        path_(std::move(path)),
        file_(std::move(file)),
        findings_(findings != nullptr ? *findings : own_) {}

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
  std::size_t choice(std::string_view key, std::span<const std::string_view> words,
                     std::optional<std::size_t> fallback = {});
  /// The enumerator in the place of the word.
  template <class Enum>
  requires std::is_enum_v<Enum> Enum choice(std::string_view key,
                                            std::initializer_list<std::string_view> words,
                                            Enum fallback) {
    return static_cast<Enum>(choice(key, words, static_cast<std::size_t>(fallback)));
  }
  io::Interval interval(std::string_view key, std::string_view unit,
                        std::optional<io::Interval> fallback = {}) override;
  std::vector<double> numbers(std::string_view key, std::string_view unit) override;
  [[nodiscard]] YamlOptions* child(std::string_view key) override;
  std::string_view path(std::string_view key) override;
  [[nodiscard]] std::string_view configuration() const override { return file_; }
  [[noreturn]] void reject(std::string_view key, std::string_view problem) override;

  // Further functions, for the readers of the configuration itself.

  /// A list of words, or a single one; the views are valid as long as the options.
  [[nodiscard]] std::vector<std::string_view> words(std::string_view key);
  /// Whether a map stands there; what else may is for the reader to ask for.
  [[nodiscard]] bool is_map(std::string_view key);
  /// The maps of a list, each with its path, "key[1]"; empty where the key is absent.
  [[nodiscard]] std::vector<YamlOptions*> maps(std::string_view key);
  /// Where this map was written, "FILE:LINE".
  [[nodiscard]] std::string place() const { return node_.place.text(); }
  /// What path() returned so far, here and below, of which node.
  [[nodiscard]] std::map<const Node*, std::string> files() const;
  /// The map under `key`, which must be there.
  YamlOptions& section(std::string_view key);
  /// The map under `key`; an empty one where it is absent.
  YamlOptions& map(std::string_view key);
  [[nodiscard]] const std::vector<std::string>& keys() const { return node_.keys; }

  /// Runs `read`, which reads this map; an error that it throws is collected, and reading goes on.
  /// False when it did not come to its end. All keys it may read must also be read before or after
  /// it.
  template <class Read>
  bool attempt(Read read) {
    return attempt(read, [&](const ConfigError& refused) {
      findings_.add(refused);
      damaged_ = true;
    });
  }
  /// Likewise for a `read` that reads what is under `key`, of which nothing more is reported after
  /// an error.
  template <class Read>
  bool attempt(std::string_view key, Read read) {
    static_cast<void>(find(key));
    return attempt(read, [&](const ConfigError& refused) {
      findings_.add(refused);
      give_up(key);
    });
  }
  /// Runs `read` so that its first error ends it; for foreign code, which relies on that.
  template <class Read>
  auto strictly(Read read) {
    struct Strict {
      Findings& findings;
      bool before = std::exchange(findings.strict, true);
      ~Strict() { findings.strict = before; }
    };
    const Strict until_read{findings_};
    return read();
  }
  /// Marks what is under `key` as depending on something that could not be read: only values that
  /// are wrong by themselves are reported in it.
  void doubt(std::string_view key);
  /// Whether what is under this path, counted from the top, could not be read.
  [[nodiscard]] bool broken(const std::string& path) const { return findings_.broken(path); }
  /// Whether something of this map, or below it, was refused.
  [[nodiscard]] bool damaged() const;
  /// Ends reading what depends on an error that was reported already.
  [[noreturn]] void follow() const { throw ConfigError{{}, {}, true}; }

  /// Ends loading: "found X, expected `expected`", followed by a reason or a hint in brackets.
  [[noreturn]] void mismatch(std::string_view key, std::string_view expected,
                             std::string_view why = {});
  /// Ends loading for a value that should be the name of something: `expected` says of what.
  [[noreturn]] void no_such(std::string_view key, std::string_view expected,
                            const std::vector<std::string_view>& known);
  /// The value of a result; ends loading with its error.
  template <class Value>
  Value accept(std::string_view key, Result<Value> result) {
    if (!result) reject(key, result.error().message);
    return std::move(*result);
  }
  /// Declares that no two of these keys may be present together: none is suggested beside another.
  void one_of(std::vector<std::string> keys) { exclusive_.push_back(std::move(keys)); }
  /// Ends loading if a key is not a name of `known`; `owner` says what the names are: "an input of
  /// model x".
  void names_only(std::string_view owner, const std::vector<std::string_view>& known);
  /// Ends loading if a key was never read, here or in a map handed out.
  void refuse_unknown();
  /// Ends loading with an error that speaks of this whole map.
  [[noreturn]] void reject_all(std::string_view problem, ExitCode code = ExitCode::usage) const;

 private:
  const Node* find(std::string_view key);
  const Node& required(std::string_view key, std::string_view expected);
  const Node& scalar(std::string_view key, std::string_view expected);
  /// Reports what mismatch() and reject() do, for a value that is wrong by itself.
  [[noreturn]] void wrong(std::string_view key, std::string_view expected,
                          std::string_view why = {});
  [[noreturn]] void refuse_key(std::string_view key, std::string_view problem);
  /// The result of `read`; where the key is absent or the value refused the fallback, without one
  /// `instead`.
  template <class Value, class Read>
  Value value_or(std::string_view key, const std::optional<Value>& fallback, Value instead,
                 Read read) {
    Value value = fallback.value_or(std::move(instead));
    if (!fallback || has(key)) attempt([&] { value = read(); });
    return value;
  }
  template <class Read, class Refused>
  requires std::invocable<Refused, const ConfigError&>
  bool attempt(Read& read, Refused refused) {
    if (findings_.strict) return read(), true;
    try {
      return read(), true;
    } catch (const ConfigError& error) {
      return refused(error), false;
    }
  }
  YamlOptions& below(const std::string& key, const Node& node);
  [[nodiscard]] std::string hint_for(const Node& node, std::string_view key) const;
  [[nodiscard]] bool may_be_added(const std::string& key) const;
  [[nodiscard]] std::vector<std::string_view> absent_keys() const;
  void give_up(std::string_view key);
  void give_up();
  void doubt();
  /// Ends reading where the error to be reported may only follow from an earlier one.
  void refuse_once() const;

  const Node& node_;
  std::string path_;
  std::string file_;
  Findings own_{true};  ///< where the caller has none
  Findings& findings_;
  bool damaged_ = false;   ///< some of its values were replaced after an error
  bool given_up_ = false;  ///< not read to its end
  bool doubted_ = false;   ///< depends on what could not be read
  std::vector<std::string> doubted_keys_;
  std::vector<std::string> mistyped_;  ///< reported as unknown already
  std::vector<std::vector<std::string>> exclusive_;
  struct Asked {
    std::vector<std::string> in_order;
    std::unordered_set<std::string> all;
  };
  Asked asked_;
  std::map<std::string, std::unique_ptr<YamlOptions>, std::less<>> children_;
  std::map<const Node*, std::string> files_;  ///< what path() returned views of
  std::deque<Node> absent_;  ///< what map() returned in the place of what is not there
};

/// Describes what a value must be: "a quantity in V, 0 V ... 10 V, such as \"1 V\"".
[[nodiscard]] std::string describe(std::string_view unit, io::Interval allowed);

/// Reads a length of time in whole nanoseconds, from 0 to 100 years.
[[nodiscard]] Result<Duration> exact_duration(std::string_view text);

}  // namespace hild::config
