// SPDX-License-Identifier: Apache-2.0
#include "cli/main/rehearse.hpp"

#include "cli/terminal/print.hpp"

namespace hild::commands {

namespace {

Result<void> on_frame_thread(const config::Frame& frame, rt::Warnings& warnings,
                             std::function<void()> work) {
  auto thread = rt::Thread::start(thread_options(frame), warnings, std::move(work));
  if (!thread) return tl::make_unexpected(thread.error());
  thread->join();
  return {};
}

}  // namespace

rt::ThreadOptions thread_options(const config::Frame& frame) {
  return {.priority = frame.priority, .cpu = frame.cpu};
}

Result<std::unique_ptr<rt::Clock>> make_clock(config::Frame& frame) {
  if (frame.clock == rt::ClockKind::sleep_spin && !frame.margin) {
    rt::Warnings repeated;  // the frame thread will say the same
    auto measured =
        on_frame_thread(frame, repeated, [&] { frame.margin = rt::measure_spin_margin(); });
    if (!measured) return tl::make_unexpected(measured.error());
    cli::tell("hild: spin margin measured: {:.1f} us\n", microseconds(*frame.margin));
  }
  return rt::make_clock(frame.clock, frame.margin.value_or(Duration{}));
}

Result<Observed> observe(plan::Assembly& assembly, rt::Warnings& warnings) {
  auto clock = make_clock(assembly.config.frame);
  if (!clock) return tl::make_unexpected(clock.error());
  assembly.bus->observe();
  const auto opened = assembly.bus->open(**clock);
  if (!opened) warnings.push_back({opened.error().message + "; device calls are not measured"});
  return Observed{std::move(*clock), opened ? assembly.bus.get() : nullptr};
}

Result<void> measure(const plan::Assembly& assembly, const io::Bus* bus, rt::Warnings& warnings,
                     std::function<void()> work) {
  auto done = on_frame_thread(assembly.config.frame, warnings, std::move(work));
  // A device that gave up while it was read would give up in the run.
  if (done && bus != nullptr && bus->failed() >= 0) return tl::make_unexpected(bus->failure());
  return done;
}

Result<plan::Measured> rehearse(const plan::Assembly& assembly, rt::Clock& clock, io::Bus* bus,
                                rt::Warnings& warnings) {
  const auto plant = assembly.another_plant();
  const exec::Settings& settings = assembly.config.settings;
  plan::Measured measured;
  auto done = measure(assembly, bus, warnings, [&] {
    measured = plan::rehearse(*plant, bus, clock, settings.grid.period());
    measured.events = plan::rehearse_events(*plant, clock, settings, measured.p99.io);
  });
  if (!done) return tl::make_unexpected(done.error());
  return measured;
}

}  // namespace hild::commands
