// SPDX-License-Identifier: Apache-2.0
#include "control/server/prometheus_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace hild::server {
namespace {

void append_value(std::string& text, double v) {
  if (std::isnan(v)) {
    text += "NaN";
  } else if (std::isinf(v)) {
    text += v > 0 ? "+Inf" : "-Inf";
  } else {
    fmt::format_to(std::back_inserter(text), "{}", v);
  }
}

std::string escaped(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\' || c == '"' || c == '\n') text += '\\';
    text += c == '\n' ? 'n' : c;
  }
  return text;
}

}  // namespace

void PrometheusText::family(std::string_view name, std::string_view type, std::string_view help) {
  family_ = name;
  fmt::format_to(std::back_inserter(text_), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

void PrometheusText::name(const Labels& labels, std::string_view suffix) {
  text_ += family_;
  text_ += suffix;
  char before = '{';
  for (const auto& [key, value] : labels) {
    fmt::format_to(std::back_inserter(text_), "{}{}=\"{}\"", before, key, escaped(value));
    before = ',';
  }
  text_ += labels.empty() ? " " : "} ";
}

void PrometheusText::sample(double value, const Labels& labels, std::string_view suffix) {
  name(labels, suffix);
  append_value(text_, value);
  text_ += '\n';
}

void PrometheusText::sample(std::int64_t value, const Labels& labels, std::string_view suffix) {
  name(labels, suffix);
  fmt::format_to(std::back_inserter(text_), "{}\n", value);
}

}  // namespace hild::server
