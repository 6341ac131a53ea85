// SPDX-License-Identifier: Apache-2.0
/// The main thread of a run: signals, clients, progress, the service manager.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "cli/main/commands.hpp"
#include "cli/main/session.hpp"
#include "cli/report/progress.hpp"
#include "cli/terminal/print.hpp"
#include "foreign/contain/process.hpp"

namespace hild::commands {

using namespace std::chrono_literals;

namespace {

MonoTime now() {
  return {std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count()};
}

}  // namespace

// Before an output is live: from then on no signal may end the process but through safe outputs.
void Session::listen() {
  signals_.add(SIGINT);
  signals_.add(SIGTERM);
  struct sigaction hangup {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) signals_.add(SIGHUP);  // ignored under nohup
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the recording, no more
  signals_.async_wait([this](const boost::system::error_code& error, int number) {
    if (error) return;
    // A service has no terminal that could hang up.
    if (number == SIGHUP && under_service_manager()) anew_.service.begin_reload();
    frames_.stop.raise();
  });
  mask_reloads(SIG_UNBLOCK);
}

// The main thread: signals, progress, the service manager.
void Session::watch() {
  boost::asio::steady_timer timer(io_);
  const auto every = options_.offline ? 20ms : 100ms;
  int ticks = 0;
  bool ready = false;
  std::function<void()> wait = [&] {
    timer.expires_after(every);
    timer.async_wait([&](const boost::system::error_code& error) {
      if (error) return;
      if (!ready && frames_.loop->statistics().frames.get() > 0) {
        ready = true;
        anew_.service.tell_ready();
        log_ready();
      }
      anew_.service.feed_watchdog(frames_.loop->statistics().frames.get());
      logs_.clamps->look(now());
      logs_.accuracy->look(now());
      logs_.losses->look(now());
      logs_.standstills->look();
      // Twice a second on a terminal, every two seconds in a file.
      if (++ticks % (cli::cursor_moves(STDOUT_FILENO) ? 5 : 20) == 0) show_progress(false);
      if (!frames_.done.raised()) return wait();
      await_model_ending();
      if (frames_.outcome.end == exec::End::guard_lost) guard_keeper_.tell_lost();
      signals_.cancel();
      guard_keeper_.stop_watching();
      nodes_keeper_.stop();
      if (server_) server_->close();
    });
  };
  wait();
  serve_until_done();
  logs_.clamps->finish(now());
  logs_.accuracy->finish();
  logs_.losses->finish(now());
  logs_.standstills->finish();
  anew_.service.tell_stopping();
  show_progress(true);
}

// In the journal.
void Session::log_ready() {
  if (!under_service_manager()) return;
  const config::Config& config = assembly_.config;
  logs_.logger->info("{}: frames advance: {} by {}, {} Hz", config.file, config.model.type,
                     config.method, config.settings.grid.rate_hz());
}

// The outputs are safe; the kernel marks the end of a process before it can be asked how it ended.
void Session::await_model_ending() const {
  if (!frames_.outcome.limit_reached || frames_.outcome.limit != exec::Limit::gone) return;
  for (int tries = 0; tries < 100 && contain::endings().empty(); ++tries) ::usleep(10'000);
}

// No fault of what is served may end the run.
void Session::serve_until_done() {
  while (true) {
    try {
      io_.run();
      return;
    } catch (const std::exception& e) {
      cli::tell("hild: control: {}\n", e.what());
    }
  }
}

void Session::show_progress(bool last) {
  if (frames_.sequence) return;  // shows its steps instead
  report::Style style = report::style_for(STDOUT_FILENO);
  const bool terminal = cli::cursor_moves(STDOUT_FILENO);
  if (terminal) style.width = std::min(style.width, cli::columns_of(STDOUT_FILENO) - 1);
  const auto line =
      report::progress_line(report::progress_of(frames_.loop->statistics(),
                                                assembly_.config.settings.grid, options_.duration),
                            style);
  if (!terminal) return cli::show_text(line + "\n");
  cli::show_progress(STDOUT_FILENO, line);
  if (last) cli::end_progress();
}

}  // namespace hild::commands
