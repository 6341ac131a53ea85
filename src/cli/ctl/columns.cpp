// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/columns.hpp"

#include <algorithm>

#include "cli/report/text.hpp"

namespace hild::ctl {
namespace {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(report::columns(text));
}

}  // namespace

std::string columns(const std::vector<TableLine>& rows, const std::vector<std::size_t>& right,
                    const std::string& indent) {
  std::vector<std::size_t> widths;
  for (const TableLine& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  }
  std::string text;
  for (const TableLine& row : rows) {
    std::string line = indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - width_of(row[i]), ' ');
      const bool flush_right = std::ranges::find(right, i) != right.end();
      line += (i == 0 ? "" : "  ") + (flush_right ? pad + row[i] : row[i] + pad);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace hild::ctl
