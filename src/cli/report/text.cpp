// SPDX-License-Identifier: Apache-2.0
#include "cli/report/text.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/predicate.hpp>
#include <cmath>
#include <cstdlib>

namespace hild::report {
namespace {

// "de_DE.UTF-8", "C.utf8"
bool names_utf8(const char* locale) {
  return locale != nullptr &&
         (boost::icontains(locale, "utf-8") || boost::icontains(locale, "utf8"));
}

const char* locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return nullptr;
}

bool starts_character(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// The longest beginning of at most `width` columns.
std::string_view beginning(std::string_view text, int width) {
  int seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (starts_character(text[i]) && seen++ == width) return text.substr(0, i);
  }
  return text;
}

}  // namespace

Style style_for(const Terminal& terminal) {
  const bool no_color = terminal.no_color != nullptr && *terminal.no_color != '\0';
  return {.utf8 = names_utf8(terminal.locale),
          .colour = terminal.tty && !no_color,
          .width = terminal.columns > 0 ? std::clamp(terminal.columns, 64, 120) : 80};
}

Style style_for(int fd) {
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  Terminal terminal{.tty = isatty(fd) == 1,
                    .columns = 0,
                    .no_color = dumb ? "TERM=dumb" : std::getenv("NO_COLOR"),
                    .locale = locale()};
  winsize size{};
  if (terminal.tty && ioctl(fd, TIOCGWINSZ, &size) == 0) terminal.columns = size.ws_col;
  return style_for(terminal);
}

int columns(std::string_view text) noexcept {
  return static_cast<int>(std::ranges::count_if(text, starts_character));
}

std::string cut(std::string_view text, int width, const Style& style) {
  if (columns(text) <= width) return std::string(text);
  const std::string_view ellipsis = style.utf8 ? "…" : "...";
  const int room = width - columns(ellipsis);
  if (room <= 0) return std::string(beginning(text, width));
  return std::string(beginning(text, room)) + std::string(ellipsis);
}

std::string left(std::string_view text, int width, const Style& style) {
  return fmt::format("{:<{}}", cut(text, width, style), width);
}

std::string right(std::string_view text, int width, const Style& style) {
  return fmt::format("{:>{}}", cut(text, width, style), width);
}

std::string wrapped(std::string_view text, int width, int indent) {
  std::string out;
  int at = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!out.empty() && at + 1 + columns(word) > width) {
      out += fmt::format("\n{:{}}", "", indent);
      at = indent;
    } else if (!out.empty()) {
      out += ' ';
      ++at;
    }
    out += word;
    at += columns(word);
  }
  return out;
}

std::string grouped(std::int64_t n) {
  std::string digits = fmt::format("{}", n);
  const std::size_t first = n < 0 ? 1 : 0;
  if (digits.size() - first < 5) return digits;
  for (std::size_t at = digits.size() - 3; at > first && at < digits.size(); at -= 3) {
    digits.insert(at, 1, ' ');
  }
  return digits;
}

std::string painted(std::string_view text, Colour colour, const Style& style) {
  static constexpr std::array<std::string_view, 6> codes{"1", "2", "31", "32", "33", "36"};
  if (!style.colour || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<std::size_t>(colour)], text);
}

std::string title_line(std::string_view text, const Style& style) {
  return fmt::format(" {}\n", painted(cut(text, style.width - 1, style), Colour::bold, style));
}

std::string columns_line(std::string_view text, const Style& style) {
  return painted(text, Colour::faint, style) + '\n';
}

std::string heading(std::string_view text, const Style& style) {
  return fmt::format("\n {}\n", painted(text, Colour::bold, style));
}

std::string part(std::string_view title, const std::string& body, const Style& style) {
  return body.empty() ? std::string{} : heading(title, style) + body;
}

std::string bar(double share, int width, const Style& style) {
  if (!(share > 0)) return {};
  const double cells = std::min(share, 1.0) * width;
  if (!style.utf8) {
    return std::string(static_cast<std::size_t>(std::max(std::lround(cells), 1L)), '#');
  }
  static constexpr std::array<std::string_view, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto n = static_cast<std::size_t>(std::max(std::lround(cells * 8), 1L));
  std::string out;
  for (std::size_t i = 0; i < n / 8; ++i) out += "█";
  return out + std::string(eighths[n % 8]);
}

std::string gauge(double share, int width, const Style& style, double mark) {
  const long full = std::lround(std::clamp(share, 0.0, 1.0) * width);
  const long marked = mark < 0 ? -1 : std::lround(std::min(mark, 1.0) * (width - 1));
  const auto cells = style.utf8 ? std::array{"█", "░", "│"} : std::array{"#", ".", "|"};
  std::string out;
  for (long i = 0; i < width; ++i) out += cells[i == marked ? 2 : i < full ? 0 : 1];
  return out;
}

}  // namespace hild::report
