// SPDX-License-Identifier: Apache-2.0
/// \file
/// A served run on this machine, now quiet (of its control socket: with one client), now with
/// clients, in turn: what the phases of a frame take in both, and how often a frame was late
/// because of an external event.
///   control_load CONFIG SOCKET CLIENTS PAIRS    of its control socket, or
///   control_load CONFIG PORT CLIENTS PAIRS      a crowd at its HTTP port;
/// prints lines "figure quiet loaded ratio": medians in microseconds, and the median of the ratios
/// of neighbouring windows.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <map>
#include <thread>

#include "config/plan/assembly.hpp"
#include "control/server/server.hpp"
#include "control_clients.hpp"
#include "hild/rt/thread.hpp"
#include "recording/record/recorder.hpp"

namespace {

using namespace hild;
using namespace std::chrono_literals;

/// Phases of the frames of each window.
class Windows final : public record::Sink {
 public:
  static constexpr std::array figures{io::Phase::device, io::Phase::passes, io::Phase::outputs,
                                      io::Phase::record};
  using Times = std::map<std::string, std::vector<double>>;

  void frame(const io::FrameView& r) override {
    const int now = window.load();
    if (now < 0) return;
    Times& times = windows[now];
    double sum = 0;
    for (const io::Phase p : figures) {
      const double us = microseconds(r.header().phases[static_cast<std::size_t>(p)]);
      times[std::string(io::to_string(p))].push_back(us);
      sum += us;
    }
    times["work"].push_back(sum);
    times["wake"].push_back(microseconds(r.header().phases[0]));
  }

  std::atomic<int> window{-1};  ///< -1: what is not to be measured
  std::map<int, Times> windows;
};

double median(std::vector<double> v) {
  std::ranges::nth_element(v, v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2));
  return v[v.size() / 2];
}

void print(const Windows& all, int pairs) {
  for (const char* figure : {"work", "device", "passes", "outputs", "record", "wake"}) {
    std::vector<double> quiet;
    std::vector<double> loaded;
    std::vector<double> ratios;
    for (int i = 0; i < pairs; ++i) {
      quiet.push_back(median(all.windows.at(2 * i).at(figure)));
      loaded.push_back(median(all.windows.at(2 * i + 1).at(figure)));
      ratios.push_back(loaded.back() / quiet.back());
    }
    fmt::print("{} {:.4f} {:.4f} {:.4f}\n", figure, median(quiet), median(loaded), median(ratios));
  }
}

server::Run run_of(const plan::Assembly& a, const io::FrameLayout& layout,
                   const exec::FrameLoop& loop, exec::ExternalEvents& events, rt::Flag& stop,
                   const rt::Flag& ended) {
  return {.model = a.config.model.type,
          .method = a.config.method,
          .version = "bench",
          .settings = a.config.settings,
          .layout = layout,
          .description = a.plant->description(),
          .start_parameters = a.config.model.parameters,
          .inputs = std::vector<server::Wire>(a.plant->description().inputs.size()),
          .outputs = std::vector<server::Wire>(a.plant->description().outputs.size()),
          .loop = loop,
          .events = events,
          .stop = stop,
          .ended = ended};
}

int measure(const char* file, bench::ControlClients& others, const config::Setting& where,
            int pairs) {
  auto config = config::load(file, {where});
  if (!config) return fmt::print(stderr, "{}\n", config.error().message), 1;
  plan::Assembly a = plan::assemble(std::move(*config));
  auto clock = rt::make_clock(rt::ClockKind::sleep, {});
  if (!clock || !a.bus->open(**clock)) return 1;
  const io::FrameLayout layout = exec::FrameLoop::layout(*a.plant, 0, a.bus->counts().size());
  rt::SlotRing records(layout.bytes(), 4096);
  exec::ExternalEvents events;
  exec::FrameLoop loop(a.config.settings, a.parts(**clock, *a.bus, events, records));
  rt::Flag stop;
  rt::Flag ended;
  boost::asio::io_context io;
  server::Server server(io, *a.config.control, run_of(a, layout, loop, events, stop, ended));
  if (auto opened = server.open(); !opened) {
    return fmt::print(stderr, "{}\n", opened.error().message), 1;
  }
  Windows windows;
  std::vector<record::Sink*> sinks = server.sinks();
  sinks.push_back(&windows);
  record::Recorder recorder(records, layout, sinks);
  if (!recorder.start()) return 1;
  std::thread serving([&] { io.run(); });
  rt::Warnings warnings;
  rt::lock_memory(warnings);
  auto thread = rt::Thread::start({.priority = a.config.frame.priority}, warnings, [&] {
    loop.run((*clock)->now() + 20_ms, INT64_MAX / 4, stop);
    ended.raise();
  });
  if (!thread) return 1;

  for (int i = 0; i < 2 * pairs; ++i) {
    const bool loaded = i % 4 == 1 || i % 4 == 2;  // quiet, loaded, loaded, quiet
    if (loaded) others.begin();
    if (!loaded) others.end();
    std::this_thread::sleep_for(300ms);
    windows.window = 2 * (i / 2) + (loaded ? 1 : 0);
    std::this_thread::sleep_for(700ms);
    windows.window = -1;
  }
  others.end();
  stop.raise();
  thread->join();
  boost::asio::post(io, [&] { server.close(); });
  serving.join();
  recorder.stop();
  print(windows, pairs);
  const exec::Statistics& s = loop.statistics();
  const auto late = s.by_cause[static_cast<std::size_t>(io::Cause::external_event)].get();
  fmt::print("frames {}\noverruns {}\noverruns_external {}\nserved {}\n", s.frames.get(),
             s.overruns.get(), late, s.events_served.get());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return fmt::print(stderr, "control_load CONFIG SOCKET CLIENTS PAIRS\n"), 1;
  const int clients = std::atoi(argv[3]);
  const int pairs = std::atoi(argv[4]);
  // Made before there are threads.
  if (const int port = std::atoi(argv[2]); port > 0) {
    bench::ControlClients crowd(static_cast<std::uint16_t>(port), clients);
    return measure(argv[1], crowd, {"control.http", fmt::format("127.0.0.1:{}", port)}, pairs);
  }
  bench::ControlClients others(argv[2], clients);
  return measure(argv[1], others, {"control.socket", argv[2]}, pairs);
}
