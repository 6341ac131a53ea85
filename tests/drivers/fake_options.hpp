// SPDX-License-Identifier: Apache-2.0
/// \file
/// Options from a list of keys and texts, with quantities in any unit, as a configuration has them.
#pragma once

#include <memory>

#include "hild/core/units.hpp"
#include "support/text_options.hpp"

namespace hild::test {

class FakeOptions final : public TextOptions {
 public:
  using TextOptions::TextOptions;

  Duration duration(std::string_view key, std::optional<Duration> fallback) override {
    if (fallback && !has(key)) return *fallback;
    return from_seconds(number(key, "s", {}, {.low = 0}));
  }

 protected:
  double convert(std::string_view key, std::string_view written, std::string_view unit) override {
    const auto value = quantity(written, unit);
    if (!value) reject(key, value.error().message);
    return *value;
  }
  [[nodiscard]] std::unique_ptr<TextOptions> inner(Texts inside) const override {
    return std::make_unique<FakeOptions>(std::move(inside));
  }
};

}  // namespace hild::test
