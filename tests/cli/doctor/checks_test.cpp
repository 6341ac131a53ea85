// SPDX-License-Identifier: Apache-2.0
/// \file
/// Each check on machines made of files: one that is fit, and one with each thing wrong.
#include "cli/doctor/checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "cli/doctor/wake.hpp"

namespace hild::test {
namespace {

using doctor::Finding;
using doctor::Verdict;
using testing::HasSubstr;
using testing::Not;

using Files = std::map<std::string, std::string>;

std::string stat_of(const std::string& name, int cpu, int priority, int policy) {
  // proc(5): processor is field 39, rt_priority 40, policy 41.
  std::string line = "77 (" + name + ") S";
  for (int field = 4; field < 39; ++field) line += " 0";
  return line + " " + std::to_string(cpu) + " " + std::to_string(priority) + " " +
         std::to_string(policy) + " 0 0\n";
}

/// The registers of a CPU up to MSR_SMI_COUNT, which is 0x34.
std::string registers(std::uint64_t smis) {
  std::string all(0x34, '\xff');
  for (int byte = 0; byte < 8; ++byte) all += static_cast<char>(smis >> (8 * byte) & 0xff);
  return all;
}

/// Frames on CPU 3, nothing to complain of.
Files fit() {
  const std::string cpu3 = "sys/devices/system/cpu/cpu3/";
  return {{"proc/version", "Linux version 6.1.0-rt SMP PREEMPT_RT Debian\n"},
          {"sys/kernel/realtime", "1\n"},
          {"proc/sys/kernel/sched_rt_runtime_us", "-1\n"},
          {"proc/sys/kernel/sched_rt_period_us", "1000000\n"},
          {"sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"},
          {"proc/cpuinfo", "processor : 0\nvendor_id : GenuineIntel\nflags\t\t: fpu vme de tsc\n"},
          {"dev/cpu/3/msr", registers(60)},
          {"proc/uptime", "3600.15 7000.00\n"},
          {"sys/devices/system/cpu/isolated", "2-3\n"},
          {"proc/irq/9/effective_affinity_list", "0\n"},
          {"proc/irq/10/effective_affinity_list", "0-1\n"},
          {"sys/devices/system/cpu/smt/active", "0\n"},
          {"proc/1/task/1/stat", stat_of("systemd", 3, 0, 0)},
          {cpu3 + "cpufreq/scaling_governor", "performance\n"},
          {cpu3 + "cpuidle/state0/latency", "0\n"},
          {cpu3 + "cpuidle/state1/latency", "2\n"},
          {"dev/cpu_dma_latency", ""},
          {"dev/comedi0", ""},
          {"proc/modules", "comedi 81920 1 - Live\n"},
          {"proc/swaps", "Filename Type Size Used Priority\n"},
          {"var/lib/hild/run.mcap", ""}};
}

/// Those files in a folder of their own.
class Root {
 public:
  explicit Root(const Files& files) {
    std::string pattern = std::filesystem::temp_directory_path() / "hild-doctor-XXXXXX";
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
    for (const auto& [name, text] : files) {
      std::filesystem::create_directories((path_ / name).parent_path());
      std::ofstream(path_ / name) << text;
    }
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  ~Root() { std::filesystem::remove_all(path_); }
  [[nodiscard]] doctor::Machine machine(doctor::Limits limits = {99, -1, false},
                                        int cpu = 3) const {
    return {path_, limits, cpu, 80};
  }

 private:
  std::filesystem::path path_;
};

Files with(Files files, const std::string& name, const std::string& text) {
  files[name] = text;
  return files;
}

TEST(Doctor, FindsNothingOnAMachineThatIsFit) {
  const Root root(fit());
  for (const Finding& f : doctor::examine(root.machine())) {
    if (f.check == "disk") continue;  // of the machine that tests
    EXPECT_EQ(f.verdict, Verdict::good) << f.check << ": " << f.found;
    EXPECT_EQ(f.remedy, "") << f.check;
    EXPECT_NE(f.why, "") << f.check;
  }
}

TEST(Doctor, TellsWhatItDoesNotKnow) {
  const Root root(Files{});
  for (const Finding& f : doctor::examine(root.machine())) {
    if (f.check == "rtprio" || f.check == "memlock") continue;  // no files
    EXPECT_TRUE(f.verdict == Verdict::unknown || f.check == "comedi") << f.check << ": " << f.found;
    EXPECT_NE(f.found, "") << f.check;
  }
}

struct Ill {
  const char* file;
  std::string text;
  Finding (*check)(const doctor::Machine&);
  Verdict verdict;
  const char* found;
  const char* remedy;
};

TEST(Doctor, NamesWhatIsWrongAndWhatMendsIt) {
  const std::string cpu3 = "sys/devices/system/cpu/cpu3/";
  const std::string idle = cpu3 + "cpuidle/state2/latency";
  const std::string governor = cpu3 + "cpufreq/scaling_governor";
  const std::vector<Ill> ills{
      {"proc/sys/kernel/sched_rt_runtime_us", "950000\n", doctor::check_throttling,
       Verdict::warning, "950000 of 1000000", "sched_rt_runtime_us=-1"},
      {"sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n",
       doctor::check_clock_source, Verdict::warning, "hpet", "tsc=reliable"},
      {"proc/cpuinfo", "flags : fpu hypervisor lahf_lm\n", doctor::check_hypervisor,
       Verdict::problem, "virtual machine", "hardware itself"},
      {"sys/devices/system/cpu/isolated", "0-2\n", doctor::check_isolation, Verdict::warning,
       "isolated: 0-2; frames run on 3", "isolcpus=managed_irq,domain,3"},
      {"proc/irq/44/effective_affinity_list", "1,3\n", doctor::check_interrupts, Verdict::warning,
       "served by CPU 3: 44", "/proc/irq/44/smp_affinity_list"},
      {"sys/devices/system/cpu/smt/active", "1\n", doctor::check_smt, Verdict::warning, "on",
       "nosmt"},
      {"proc/5/task/6/stat", stat_of("irq/44 (eth0)", 3, 90, 1), doctor::check_threads,
       Verdict::warning, "irq/44 (eth0) (6, priority 90, CPU 3)", "taskset"},
      {governor.c_str(), "powersave\n", doctor::check_governor, Verdict::warning, "powersave",
       "cpupower frequency-set -g performance"},
      {"dev/cpu/3/msr", registers(61), doctor::check_smis, Verdict::warning, "61 in the 60 minutes",
       "rdmsr"},
      {"proc/swaps", "Filename\n/dev/sda2 partition 99 0 -2\n", doctor::check_swap,
       Verdict::warning, "1 in use", "swapoff -a"},
  };
  for (const Ill& ill : ills) {
    const Root root(with(fit(), ill.file, ill.text));
    const Finding f = ill.check(root.machine());
    EXPECT_EQ(f.verdict, ill.verdict) << f.check << ": " << f.found;
    EXPECT_THAT(f.found, HasSubstr(ill.found)) << f.check;
    EXPECT_THAT(f.remedy, HasSubstr(ill.remedy)) << f.check;
  }
}

TEST(Doctor, KnowsAKernelByEitherSign) {
  const std::string plain = "Linux version 6.1.0 SMP PREEMPT_DYNAMIC\n";
  Files files = with(fit(), "proc/version", plain);
  EXPECT_EQ(doctor::check_preemption(Root(files).machine()).verdict, Verdict::good);
  files.erase("sys/kernel/realtime");
  const Finding f = doctor::check_preemption(Root(files).machine());
  EXPECT_EQ(f.verdict, Verdict::problem);
  EXPECT_THAT(f.found, HasSubstr("PREEMPT_DYNAMIC"));
  EXPECT_THAT(f.remedy, HasSubstr("linux-image-rt-amd64"));
}

TEST(Doctor, LeavesThreadsOutThatAreNoRivals) {
  for (const auto& stat :
       {stat_of("lower", 3, 79, 1), stat_of("elsewhere", 2, 99, 1), stat_of("ordinary", 3, 0, 0),
        stat_of("migration/3", 3, 99, 1), std::string("77 (cut"), std::string()}) {
    const Root root(with(fit(), "proc/5/task/6/stat", stat));
    EXPECT_EQ(doctor::check_threads(root.machine()).verdict, Verdict::good) << stat;
  }
}

TEST(Doctor, JudgesLimitsByWhatTheGuardNeeds) {
  const Root root(fit());
  EXPECT_EQ(doctor::check_rtprio(root.machine({81, -1, false})).verdict, Verdict::good);
  EXPECT_EQ(doctor::check_rtprio(root.machine({80, -1, false})).verdict, Verdict::problem);
  EXPECT_EQ(doctor::check_rtprio(root.machine({0, 0, true})).verdict, Verdict::good);
  EXPECT_EQ(doctor::check_memlock(root.machine({99, 8192, false})).verdict, Verdict::problem);
  EXPECT_THAT(doctor::check_memlock(root.machine({99, 8192, false})).found, HasSubstr("8 KiB"));
}

TEST(Doctor, CountsTheIdleStatesThatAreAllowed) {
  const std::string deep = "sys/devices/system/cpu/cpu3/cpuidle/state2/";
  Files files = with(fit(), deep + "latency", "133\n");
  files.erase("dev/cpu_dma_latency");  // nothing to hold them off by
  EXPECT_EQ(doctor::check_idle_states(Root(files).machine()).verdict, Verdict::warning);
  files[deep + "disable"] = "1\n";
  EXPECT_EQ(doctor::check_idle_states(Root(files).machine()).verdict, Verdict::good);
}

TEST(Doctor, TellsAMissingCardFromAMissingModule) {
  Files files = fit();
  files.erase("dev/comedi0");
  EXPECT_THAT(doctor::check_comedi(Root(files).machine()).found, HasSubstr("module is loaded"));
  files["proc/modules"] = "comedi_fc 1 0\n";
  const Finding f = doctor::check_comedi(Root(files).machine());
  EXPECT_THAT(f.found, HasSubstr("not loaded"));
  EXPECT_THAT(f.remedy, HasSubstr("modprobe"));
}

TEST(Doctor, SaysWhySmisCannotBeRead) {
  Files files = fit();
  files.erase("dev/cpu/3/msr");
  Finding f = doctor::check_smis(Root(files).machine());
  EXPECT_EQ(f.verdict, Verdict::unknown);
  EXPECT_EQ(f.found, "cannot be read: no /dev/cpu/3/msr");
  EXPECT_THAT(f.remedy, HasSubstr("modprobe msr"));
  files["dev/cpu/3/msr"] = std::string(0x38, '\0');  // no such register, as in a virtual machine
  f = doctor::check_smis(Root(files).machine());
  EXPECT_EQ(f.verdict, Verdict::unknown);
  EXPECT_THAT(f.found, HasSubstr("cannot be read: no right to, or no such register"));
  files["proc/cpuinfo"] = "vendor_id : AuthenticAMD\n";
  EXPECT_EQ(doctor::check_smis(Root(files).machine()).found,
            "cannot be read: only CPUs by Intel count them");
}

TEST(Doctor, LeavesItsOwnGuardOut) {
  std::string guard = stat_of("hild-guard", 3, 81, 1);
  const Root other(with(fit(), "proc/5/task/5/stat", guard));
  EXPECT_EQ(doctor::check_threads(other.machine()).verdict, Verdict::warning);
  guard.replace(guard.find(" S 0"), 4, " S " + std::to_string(::getpid()));  // field 4: its parent
  const Root own(with(fit(), "proc/5/task/5/stat", guard));
  EXPECT_EQ(doctor::check_threads(own.machine()).verdict, Verdict::good);
}

// What cyclictest 2.4 prints.
TEST(Doctor, ReadsWhatCyclictestSays) {
  const Finding good = doctor::judge_cyclictest(
      "T: 0 ( 4477) P:80 I:1000 C:    300 Min:     21 Act:   34 Avg:   36 Max:      56\n");
  EXPECT_EQ(good.verdict, Verdict::good);
  EXPECT_EQ(good.found, "min 21, average 36, max 56 us in 300 wakes");
  const Finding late = doctor::judge_cyclictest(
      "T: 0 (1234567) P:80 I:1000 C:  10000 Min:      1 Act:    2 Avg:    3 Max:  123456\n");
  EXPECT_EQ(late.verdict, Verdict::problem);
  const Finding refused =
      doctor::judge_cyclictest("Unable to change scheduling policy!\neither run as root\n");
  EXPECT_EQ(refused.verdict, Verdict::unknown);
  EXPECT_EQ(refused.found, "it did not measure: Unable to change scheduling policy!");
  EXPECT_EQ(doctor::judge_cyclictest("").found, "it did not measure");
}

TEST(Doctor, ReadsSetsOfCpus) {
  EXPECT_TRUE(doctor::cpu_list_has("0-2,5", 5));
  EXPECT_TRUE(doctor::cpu_list_has("0-2,5", 1));
  EXPECT_FALSE(doctor::cpu_list_has("0-2,5", 3));
  EXPECT_FALSE(doctor::cpu_list_has("", 0));
  EXPECT_FALSE(doctor::cpu_list_has("x-y,-", 0));
}

}  // namespace
}  // namespace hild::test
