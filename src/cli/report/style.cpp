// SPDX-License-Identifier: Apache-2.0
#include "cli/report/style.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <cstdlib>
#include <string_view>

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

}  // namespace hild::report
