// SPDX-License-Identifier: Apache-2.0
#include "offline/reference/csv.hpp"

#include "hild/core/csv.hpp"

namespace hild::reference {

void append_header(const model::Description& model, Text& text) {
  fmt::format_to(fmt::appender(text), "time [s]");
  const auto columns = [&](std::string_view kind, const auto& signals) {
    for (const auto& s : signals) {
      fmt::format_to(fmt::appender(text), ",{}",
                     csv_field(fmt::format("{}.{} [{}]", kind, s.name, s.unit)));
    }
  };
  columns("input", model.inputs);
  columns("state", model.states);
  columns("output", model.outputs);
  text.push_back('\n');
}

void append_row(double t, std::span<const double> inputs, std::span<const double> states,
                std::span<const double> outputs, Text& text) {
  fmt::format_to(fmt::appender(text), "{}", t);
  for (const auto values : {inputs, states, outputs}) {
    for (const double v : values) fmt::format_to(fmt::appender(text), ",{}", v);
  }
  text.push_back('\n');
}

}  // namespace hild::reference
