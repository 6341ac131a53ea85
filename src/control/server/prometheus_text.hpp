// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes Prometheus' text format 0.0.4: families of samples with their help and type.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hild::server {

class PrometheusText {
 public:
  using Label = std::pair<std::string_view, std::string_view>;
  using Labels = std::vector<Label>;

  /// Begins a family, to which all samples that follow belong. `type`: "counter", "gauge",
  /// "histogram".
  void family(std::string_view name, std::string_view type, std::string_view help);
  /// Writes a sample. `suffix` goes after the family's name: "_bucket".
  void sample(double value, const Labels& labels = {}, std::string_view suffix = {});
  void sample(std::int64_t value, const Labels& labels = {}, std::string_view suffix = {});

  /// Writes a family of one sample.
  template <class T>
  void single(std::string_view name, std::string_view type, std::string_view help, T value) {
    family(name, type, help);
    sample(value);
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void name(const Labels& labels, std::string_view suffix);

  std::string text_;
  std::string family_;
};

}  // namespace hild::server
