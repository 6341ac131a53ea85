// SPDX-License-Identifier: Apache-2.0
#include "main/rehearse.hpp"

namespace hild::commands {

rt::ThreadOptions thread_options(const config::Frame& frame) {
  rt::ThreadOptions options;
  options.priority = frame.priority;
  options.cpu = frame.cpu;
  return options;
}

Result<plan::Measured> rehearse(const plan::Assembly& assembly, bool bus_open,
                                rt::Warnings& warnings) {
  const auto plant = assembly.another_plant();
  plan::Measured measured;
  auto thread = rt::Thread::start(thread_options(assembly.config.frame), warnings, [&] {
    measured = plan::rehearse(*plant, bus_open ? assembly.bus.get() : nullptr,
                              assembly.config.settings.grid.period());
  });
  if (!thread) return tl::make_unexpected(thread.error());
  thread->join();
  return measured;
}

}  // namespace hild::commands
