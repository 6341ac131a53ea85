// SPDX-License-Identifier: Apache-2.0
#include "cli/main/simulate_watch.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/main/interrupted.hpp"
#include "cli/terminal/print.hpp"

namespace hild::commands {

Watch::Watch(const model::Description& model, TextFile& rows, Duration duration)
    : model_(model),
      rows_(rows),
      duration_(seconds(duration)),
      terminal_(cli::cursor_moves(STDERR_FILENO)) {
  reference::append_header(model, text_);
  flush();
}

void Watch::row(double t, std::span<const double> u, std::span<const double> x,
                std::span<const double> y) {
  reference::append_row(t, u, x, y, text_);
  flush();
}

void Watch::state_event(double t, std::size_t index, std::span<const double> x) {
  constexpr std::size_t most_events = 10'000;
  const auto name = model_.events[index].name;
  ++count_[name];
  if (events_.size() >= most_events) return;
  boost::json::object states;
  for (std::size_t i = 0; i < x.size(); ++i) states[model_.states[i].name] = x[i];
  events_.push_back(
      boost::json::object{{"t_s", t}, {"event", name}, {"states", std::move(states)}});
}

bool Watch::go_on(double t, const reference::Counts& counts) {
  if (terminal_) progress(t, counts);
  return rows_.good() && !Interrupted::raised();
}

void Watch::end_progress() const {
  if (shown_) cli::end_progress();
}

void Watch::flush() {
  rows_.add({text_.data(), text_.size()});
  text_.clear();
}

void Watch::progress(double t, const reference::Counts& counts) {
  const auto now = Steady::now();
  if (now - last_ < std::chrono::milliseconds(500)) return;
  last_ = now;
  shown_ = true;
  const std::string line =
      fmt::format("t {:.6g} s / {:g} s  {:.0f} %  steps {}  h {:.2e} s", t, duration_,
                  100 * t / duration_, counts.accepted + counts.rejected, t - before_);
  const auto room = static_cast<std::size_t>(cli::columns_of(STDERR_FILENO) - 1);
  cli::show_progress(STDERR_FILENO, std::string_view(line).substr(0, room));
  before_ = t;
}

}  // namespace hild::commands
