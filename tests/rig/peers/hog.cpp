// SPDX-License-Identifier: Apache-2.0
//
// Disturbance: keeps one CPU busy at a given priority, at once or after a sleep at that priority,
// which ends in the middle of whatever is less urgent. It leaves the kernel's FIFO throttling
// alone: a script that wants the hog undisturbed writes -1 to /proc/sys/kernel/sched_rt_runtime_us
// first.

#include <sched.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>

namespace {

bool parse(const char* text, double least, double most, double& value) {
  char* end = nullptr;
  value = std::strtod(text, &end);
  return end != text && *end == '\0' && value >= least && value <= most;
}

double now_s() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  double priority = 0;
  double seconds = 0;
  double cpu = -1;
  double after = 0;
  if (argc < 3 || argc > 5 || !parse(argv[1], 0, 99, priority) ||
      !parse(argv[2], 0.001, 86400, seconds) ||
      (argc >= 4 && !parse(argv[3], 0, CPU_SETSIZE - 1, cpu)) ||
      (argc == 5 && !parse(argv[4], 0, 86400, after))) {
    std::fprintf(stderr,
                 "usage: hog PRIORITY (1-99 FIFO, 0: an ordinary process) SECONDS [CPU [AFTER "
                 "SECONDS OF SLEEP]]\n");
    return 1;
  }
  if (cpu >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
      std::perror("hog: cannot run on that CPU");
      return 2;
    }
  }
  // The end is fixed before the priority is taken, and time is looked at rarely: the hog is to burn
  // the CPU, not to measure how fast the clock can be read.
  double end = now_s() + seconds;
  sched_param parameter{};
  parameter.sched_priority = static_cast<int>(priority);
  if (priority > 0 && sched_setscheduler(0, SCHED_FIFO, &parameter) != 0) {
    std::perror("hog: cannot take the FIFO priority");
    return 2;
  }
  if (after > 0) {
    const auto whole = static_cast<time_t>(after);
    const timespec sleep{.tv_sec = whole,
                         .tv_nsec = static_cast<long>(1e9 * (after - static_cast<double>(whole)))};
    nanosleep(&sleep, nullptr);
    end = now_s() + seconds;
  }
  while (now_s() < end) {
    for (volatile int i = 0; i < 10000;) i = i + 1;
  }
  return 0;
}
