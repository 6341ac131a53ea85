// SPDX-License-Identifier: Apache-2.0
#include "main/simulate_watch.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/print.hpp"
#include "main/interrupted.hpp"

namespace hild::commands {

Result<void> Rows::open(const std::string& file) {
  file_ = file.empty() ? stdout : std::fopen(file.c_str(), "w");
  if (file_ == nullptr) return fail("--output {}: {}", file, std::strerror(errno));
  return {};
}

void Rows::write(const reference::Text& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() && error_ == 0) {
    error_ = errno;
  }
}

Result<void> Rows::close() {
  if (file_ == nullptr) return {};
  std::FILE* const file = std::exchange(file_, nullptr);
  const bool closed = (file == stdout ? std::fflush(file) : std::fclose(file)) == 0;
  if (!closed && error_ == 0) error_ = errno;
  if (error_ == 0 || (file == stdout && error_ == EPIPE)) return {};  // who read has left: enough
  return fail(ExitCode::fault, "cannot write the rows: {}", std::strerror(error_));
}

Watch::Watch(const model::Description& model, Rows& rows, Duration duration)
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
  rows_.write(text_);
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
