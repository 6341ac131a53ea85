// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a driver may ask of its part of the configuration, without knowing how that is written.
/// Every key that is read becomes a known one; keys never asked for are reported as unknown, near
/// names offered. A value that is missing, of the wrong type, of the wrong unit or out of range
/// ends loading with an error that names file, line and key (an exception that only the
/// configuration throws and catches; a driver lets it pass). Load time only.
#pragma once

#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "hild/core/time.hpp"

namespace hild::io {

/// A range of values, its ends included; every number but NaN where nothing is said.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();  ///< the least value
  double high = std::numeric_limits<double>::infinity();  ///< the greatest value
};

/// One map of the configuration, read key by key: `driver:` and what stands beside it, or the entry
/// of a channel. The configuration owns it. A `fallback` is what an absent key stands for; without
/// one the key is required.
class Options {
 public:
  Options() = default;
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  virtual ~Options() = default;

  /// Whether the key is there, whatever its value; from then on it is a known one.
  [[nodiscard]] virtual bool has(std::string_view key) = 0;

  /// A quantity converted to `unit`, within `allowed`. Without `fallback` the key is required.
  virtual double number(std::string_view key, std::string_view unit,
                        std::optional<double> fallback = {}, Interval allowed = {}) = 0;
  /// A whole number without unit, within [low, high].
  virtual std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                               std::optional<std::int64_t> fallback = {}) = 0;
  /// A span of time, `10 ms`; not negative.
  virtual Duration duration(std::string_view key, std::optional<Duration> fallback = {}) = 0;
  /// `true` or `false`, and no other spelling.
  virtual bool boolean(std::string_view key, std::optional<bool> fallback = {}) = 0;
  /// Text; lives as long as the options.
  virtual std::string_view text(std::string_view key,
                                std::optional<std::string_view> fallback = {}) = 0;
  /// One of the words; returns its index.
  virtual std::size_t choice(std::string_view key, std::initializer_list<std::string_view> words,
                             std::optional<std::size_t> fallback = {}) = 0;
  /// `-10 V..10 V` converted to `unit`; low < high.
  virtual Interval interval(std::string_view key, std::string_view unit,
                            std::optional<Interval> fallback = {}) = 0;
  /// A list of quantities.
  virtual std::vector<double> numbers(std::string_view key, std::string_view unit) = 0;
  /// The map under `key`; nullptr when there is none. Lives as long as this object.
  [[nodiscard]] virtual Options* child(std::string_view key) = 0;
  /// Path of a file named in the configuration, relative to the configuration file.
  virtual std::string_view path(std::string_view key) = 0;

  /// The file that was asked for, whatever it includes; empty where there is none. Lives as long as
  /// the options.
  [[nodiscard]] virtual std::string_view configuration() const { return {}; }

  /// Ends loading: "FILE:LINE: KEY: `problem`". Never returns.
  [[noreturn]] virtual void reject(std::string_view key, std::string_view problem) = 0;
};

}  // namespace hild::io
