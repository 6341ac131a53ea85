// SPDX-License-Identifier: Apache-2.0
/// What the real-time thread asks of the machine beside the scheduler.
#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "hild/rt/thread.hpp"

namespace hild::rt {

CpuLatencyHold::CpuLatencyHold(Warnings& warnings)
    : fd_(open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC)) {
  const std::int32_t microseconds = 0;
  if (fd_ && write(fd_.get(), &microseconds, sizeof microseconds) == sizeof microseconds) return;
  warnings.push_back(
      fail("cannot hold /dev/cpu_dma_latency at 0 ({}): idle CPUs may wake slowly; run as "
           "root, or give the service's user write access by a udev rule",
           std::strerror(errno))
          .value());
}

void lock_memory(Warnings& warnings) {
  // What has been freed stays mapped: a page given back would fault when it is used again.
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_MMAP_MAX, 0);

  // Under a finite limit MCL_FUTURE succeeds, and then the next thread cannot be started.
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  const bool unlimited = limit.rlim_cur == RLIM_INFINITY || geteuid() == 0;
  if (mlockall(unlimited ? MCL_CURRENT | MCL_FUTURE : MCL_CURRENT) != 0) {
    warnings.push_back(
        fail("cannot lock memory ({}): page faults may delay frames; run as root, or allow "
             "it with LimitMEMLOCK=infinity (systemd) or `ulimit -l unlimited`",
             std::strerror(errno))
            .value());
  } else if (!unlimited) {
    warnings.push_back(
        {"only the present memory is locked (the memlock limit is finite): allow "
         "all of it with LimitMEMLOCK=infinity (systemd) or `ulimit -l unlimited`"});
  }
}

double rt_throttle_share() {
  double runtime = -1;
  double period = 0;
  std::ifstream("/proc/sys/kernel/sched_rt_runtime_us") >> runtime;
  std::ifstream("/proc/sys/kernel/sched_rt_period_us") >> period;
  return runtime < 0 || period <= 0 ? 1.0 : runtime / period;
}

bool kernel_is_preempt_rt() {
  int realtime = 0;
  if (std::ifstream("/sys/kernel/realtime") >> realtime) return realtime == 1;
  utsname name{};
  return uname(&name) == 0 && std::strstr(name.version, "PREEMPT_RT") != nullptr;
}

}  // namespace hild::rt
