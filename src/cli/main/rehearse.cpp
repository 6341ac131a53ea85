// SPDX-License-Identifier: Apache-2.0
#include "cli/main/rehearse.hpp"

#include "cli/terminal/print.hpp"

namespace hild::commands {

rt::ThreadOptions thread_options(const config::Frame& frame) {
  rt::ThreadOptions options;
  options.priority = frame.priority;
  options.cpu = frame.cpu;
  return options;
}

Result<std::unique_ptr<rt::Clock>> make_clock(config::Frame& frame) {
  if (frame.clock == rt::ClockKind::sleep_spin && !frame.margin) {
    rt::Warnings repeated;  // the frame thread will say the same
    auto thread = rt::Thread::start(thread_options(frame), repeated,
                                    [&] { frame.margin = rt::measure_spin_margin(); });
    if (!thread) return tl::make_unexpected(thread.error());
    thread->join();
    cli::tell("hild: spin margin measured: {:.1f} us\n", microseconds(*frame.margin));
  }
  return rt::make_clock(frame.clock, frame.margin.value_or(Duration{}));
}

Result<plan::Measured> rehearse(const plan::Assembly& assembly, rt::Clock& clock, bool bus_open,
                                rt::Warnings& warnings) {
  const auto plant = assembly.another_plant();
  plan::Measured measured;
  auto thread = rt::Thread::start(thread_options(assembly.config.frame), warnings, [&] {
    measured = plan::rehearse(*plant, bus_open ? assembly.bus.get() : nullptr, clock,
                              assembly.config.settings.grid.period());
    measured.events =
        plan::rehearse_events(*plant, clock, assembly.config.settings, measured.p99.io);
    if (assembly.config.settings.keyframes.every > 0) {
      measured.keyframe = plan::rehearse_keyframe(assembly, clock);
    }
  });
  if (!thread) return tl::make_unexpected(thread.error());
  thread->join();
  // A device that gave up while it was read would give up in the run.
  if (bus_open && assembly.bus->failed() >= 0) {
    return tl::make_unexpected(assembly.bus->failure());
  }
  return measured;
}

}  // namespace hild::commands
