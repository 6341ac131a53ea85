// SPDX-License-Identifier: Apache-2.0
/// The main thread of a run: signals, clients, progress, and what the run and its service manager
/// tell each other (sd_notify(3)).
#include <fmt/format.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "cli/main/commands.hpp"
#include "cli/main/service.hpp"
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
    if (number == SIGHUP && under_service_manager()) begin_reload();
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
      if (!ready && frames_.loop->statistics().steps.get() > 0) {
        ready = true;
        tell_ready();
      }
      feed_watchdog();
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
      if (server_) server_->close();
    });
  };
  wait();
  serve_until_done();
  logs_.clamps->finish(now());
  logs_.accuracy->finish();
  logs_.losses->finish(now());
  logs_.standstills->finish();
  if (!service_.reload) sd_notify(0, "STOPPING=1");
  show_progress(true);
}

void Session::tell_ready() {
  std::string words = "READY=1\nSTATUS=frames advance";
  std::uint64_t watchdog_us = 0;
  if (sd_watchdog_enabled(0, &watchdog_us) > 0) {
    words += fmt::format("\nWATCHDOG_USEC={}", watchdog_us);
  }
  sd_notify(0, words.c_str());
  if (!under_service_manager()) return;
  const config::Config& config = assembly_.config;
  logs_.logger->info("{}: frames advance: {} by {}, {} Hz", config.file, config.model.type,
                     config.method, config.settings.grid.rate_hz());
}

// A run whose frames stand still is not fed, whatever else goes on here.
void Session::feed_watchdog() {
  const std::int64_t frames = frames_.loop->statistics().frames.get();
  if (frames == service_.fed_at_frame || sd_watchdog_enabled(0, nullptr) <= 0) return;
  service_.fed_at_frame = frames;
  sd_notify(0, "WATCHDOG=1");
}

// Until frames advance again the watchdog waits as long as for a start, a minute.
void Session::begin_reload() {
  service_.reload = true;
  sd_notify(0, "RELOADING=1\nWATCHDOG_USEC=60000000\nSTATUS=reading the configuration anew");
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
