// SPDX-License-Identifier: Apache-2.0
#include "cli/main/run_warnings.hpp"

#include "cli/terminal/print.hpp"

namespace hild::commands {
namespace {

void say(const std::string& text) { cli::tell("hild: warning: {}\n", text); }

}  // namespace

void RunWarnings::tell(const std::string& text) {
  say(text);
  all_.insert(all_.begin() + static_cast<std::ptrdiff_t>(told_), Error{text});
  ++told_;
}

void RunWarnings::tell_rest() {
  for (; told_ < all_.size(); ++told_) say(all_[told_].message);
}

}  // namespace hild::commands
