// SPDX-License-Identifier: Apache-2.0
/// \file
/// A formula over named numbers, such as `0.5 * m * v^2`, as muParser reads and computes it: + - *
/// / ^, comparisons, && || and ?:, and the functions sin cos tan asin acos atan atan2 sinh cosh
/// tanh asinh acosh atanh exp ln log (the same) log2 log10 sqrt abs sign rint min max sum avg, with
/// _pi and _e. What assigns is refused. Made while loading; value() is real-time safe: what was
/// compiled is a list of steps without loops, on a stack that is there already.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hild/core/result.hpp"

namespace hild::model {

class Formula {
 public:
  static constexpr std::size_t longest = 1000;  ///< characters

  /// The names that a formula uses, each once. Error: it is none, and where.
  [[nodiscard]] static Result<std::vector<std::string>> names_in(const std::string& text);
  /// A formula over these names, which are those of names_in().
  [[nodiscard]] static Result<std::unique_ptr<Formula>> make(const std::string& text,
                                                             const std::vector<std::string>& names);
  Formula(const Formula&) = delete;
  Formula& operator=(const Formula&) = delete;
  ~Formula();

  /// What the names stand for, in their order, to be written before value().
  [[nodiscard]] std::span<double> numbers() noexcept { return numbers_; }
  /// Of these numbers; not finite where the formula gives none, as 0/0.
  [[nodiscard]] double value() const noexcept;

 private:
  class Parser;
  Formula(std::unique_ptr<Parser> parser, std::vector<double> numbers);

  std::unique_ptr<Parser> parser_;  // knows the addresses of the numbers
  std::vector<double> numbers_;
};

}  // namespace hild::model
