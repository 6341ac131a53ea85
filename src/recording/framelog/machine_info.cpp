// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/machine_info.hpp"

#include <array>
#include <boost/json.hpp>
#include <fstream>
#include <utility>

#include "hild/rt/thread.hpp"
#include "recording/framelog/description.hpp"

namespace hild::framelog {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 8> told_by_the_kernel{{
    {"command_line", "/proc/cmdline"},
    {"online", "/sys/devices/system/cpu/online"},
    {"isolated", "/sys/devices/system/cpu/isolated"},
    {"nohz_full", "/sys/devices/system/cpu/nohz_full"},
    {"smt", "/sys/devices/system/cpu/smt/control"},
    {"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"},
    {"clock_source", "/sys/devices/system/clocksource/clocksource0/current_clocksource"},
    {"transparent_hugepages", "/sys/kernel/mm/transparent_hugepage/enabled"},
}};

}  // namespace

std::string machine_info(boost::json::array checks) {
  boost::json::object all;
  for (const auto& [key, value] : this_machine()) all[key] = value;
  all["preempt_rt"] = rt::kernel_is_preempt_rt();
  all["rt_throttle_share"] = rt::rt_throttle_share();
  for (const auto& [key, file] : told_by_the_kernel) {
    std::ifstream in(file);
    std::string line;
    all[key] = std::getline(in, line) ? boost::json::value(line) : boost::json::value();
  }
  all["checks"] = std::move(checks);
  return boost::json::serialize(all);
}

}  // namespace hild::framelog
