// SPDX-License-Identifier: Apache-2.0
/// \file
/// Each check on machines made of files: one that is fit, and one with each thing wrong.
#include "cli/doctor/checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
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

const std::string fair_server = "sys/kernel/debug/sched/fair_server/";
const std::string release = "proc/sys/kernel/osrelease";
const std::string tracers = "sys/kernel/tracing/available_tracers";

/// Frames on CPU 3, nothing to complain of.
Files fit() {
  const std::string cpu3 = "sys/devices/system/cpu/cpu3/";
  return {{"proc/version", "Linux version 6.12.0-rt SMP PREEMPT_RT Debian\n"},
          {release, "6.12.0-rt\n"},
          {fair_server + "cpu3/runtime", "0\n"},
          {fair_server + "cpu3/period", "1000000000\n"},
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
          {"var/lib/hild/run.mcap", ""},
          {tracers, "timerlat osnoise blk function nop\n"},
          {"usr/bin/rtla", ""},
          {"sys/class/net/lo/mtu", "65536\n"},
          {"sys/class/net/eth0/device/vendor", "0x8086\n"}};
}

doctor::Answers fit_answers() {
  return {.cpu_allowed = true, .tai_offset = 37, .receive_stamps = {{"eth0", true}, {"lo", false}}};
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
  [[nodiscard]] doctor::Machine machine(doctor::Limits limits = {99, -1, false}, int cpu = 3,
                                        doctor::Answers answers = fit_answers()) const {
    return {path_, limits, cpu, 80, std::move(answers)};
  }
  [[nodiscard]] doctor::Machine machine(int cpu, doctor::Answers answers = fit_answers()) const {
    return machine({99, -1, false}, cpu, std::move(answers));
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
  for (const Finding& f : doctor::examine(root.machine(3, doctor::Answers{}))) {
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

/// A fit machine with other files; a text of "-" takes the file away.
Files changed(const Files& by) {
  Files files = fit();
  for (const auto& [name, text] : by) files[name] = text;
  std::erase_if(files, [](const auto& file) { return file.second == "-"; });
  return files;
}

/// Such a machine, and other answers.
struct Case {
  const char* what;
  Files files;
  doctor::Answers answers;
  int cpu;
  Verdict verdict;
  const char* found;
  const char* remedy;  ///< "": none
};

void expect_each(const std::vector<Case>& cases, Finding (*check)(const doctor::Machine&)) {
  for (const Case& c : cases) {
    const Root root(changed(c.files));
    const Finding f = check(root.machine(c.cpu, c.answers));
    EXPECT_EQ(f.verdict, c.verdict) << c.what << ": " << f.found;
    EXPECT_THAT(f.found, HasSubstr(c.found)) << c.what;
    EXPECT_THAT(f.remedy, HasSubstr(c.remedy)) << c.what;
    EXPECT_EQ(f.remedy.empty(), *c.remedy == '\0') << c.what << ": " << f.remedy;
  }
}

const std::string runtime_us = "proc/sys/kernel/sched_rt_runtime_us";

TEST(Doctor, KnowsWhichKernelsThrottle) {
  const std::string config = "boot/config-6.12.0-rt";
  const std::string none = "# CONFIG_RT_GROUP_SCHED is not set\n";
  const Files no_server{{fair_server + "cpu3/runtime", "-"}, {fair_server + "cpu3/period", "-"}};
  Files old = no_server;
  old.insert({{release, "6.1.0-49-rt\n"}, {runtime_us, "950000\n"}, {config, none}});
  expect_each({{"switched off", {{runtime_us, "-1\n"}}, {}, 3, Verdict::good, "off", ""},
               {"one that tells nothing of groups",
                {{runtime_us, "950000\n"}},
                {},
                3,
                Verdict::warning,
                "get 950000 of 1000000 us",
                "sched_rt_runtime_us=-1"},
               {"one with groups",
                {{runtime_us, "950000\n"}, {config, "CONFIG_RT_GROUP_SCHED=y\n"}},
                {},
                3,
                Verdict::warning,
                "get 950000 of 1000000 us",
                "sched_rt_runtime_us=-1"},
               {"one without",
                {{runtime_us, "950000\n"}, {config, none}},
                {},
                3,
                Verdict::good,
                "fair server in its place",
                ""},
               {"an older one",
                old,
                {},
                3,
                Verdict::warning,
                "get 950000 of 1000000 us",
                "sched_rt_runtime_us=-1"},
               {"not told", {{runtime_us, "-"}}, {}, 3, Verdict::unknown, "no /proc", ""}},
              doctor::check_throttling);
}

TEST(Doctor, KnowsWhatIsLeftToRealTimeThreads) {
  struct Left {
    const char* what;
    Files files;
    int cpu;
    double share;
    bool by_fair_server;
  };
  const std::string runtime = fair_server + "cpu3/runtime";
  const std::string period = fair_server + "cpu3/period";
  const std::string config = "boot/config-6.12.0-rt";
  const Files old{{release, "6.1.0-49-rt\n"}, {runtime, "-"}, {period, "-"}};
  Files throttled = old;
  throttled[runtime_us] = "900000\n";
  const Files served{{runtime, "2500000\n"}, {period, "10000000\n"}};
  Files both = served;
  both.insert({{runtime_us, "700000\n"}, {config, "CONFIG_RT_GROUP_SCHED=y\n"}});
  Files no_groups = served;
  no_groups.insert({{runtime_us, "700000\n"}, {config, "# CONFIG_RT_GROUP_SCHED is not set\n"}});
  for (const Left& c :
       std::vector<Left>{{"nothing takes any", {}, 3, 1, false},
                         {"an older kernel", throttled, 3, 0.9, false},
                         {"one with throttling off", old, 3, 1, false},
                         {"the fair server", served, 3, 0.75, true},
                         {"the most of any CPU", served, -1, 0.75, true},
                         {"less by throttling", both, 3, 0.7, false},
                         {"throttling that the kernel does not have", no_groups, 3, 0.75, true},
                         {"a CPU that is not told", served, 2, 0.95, true},
                         {"a file that cannot be read", {{runtime, "\n"}}, 3, 0.95, true},
                         {"no debugfs", {{runtime, "-"}, {period, "-"}}, 3, 0.95, true},
                         {"throttling that is not told", {{runtime_us, "-"}}, 3, 1, false}}) {
    const Root root(changed(c.files));
    const doctor::RealTimeShare left = doctor::real_time_share(root.machine(c.cpu));
    EXPECT_DOUBLE_EQ(left.share, c.share) << c.what;
    EXPECT_EQ(left.by_fair_server, c.by_fair_server) << c.what;
    EXPECT_EQ(left.known, c.share != 0.95) << c.what;
  }
}

TEST(Doctor, LooksAtTheFairServerOfTheFrames) {
  const Files taken{{fair_server + "cpu3/runtime", "-"}, {fair_server + "cpu3/period", "-"}};
  const auto with_release = [&](const std::string& version) {
    Files files = taken;
    files[release] = version;
    return files;
  };
  const Files shares{{fair_server + "cpu0/runtime", "50000000\n"},
                     {fair_server + "cpu0/period", "1000000000\n"},
                     {fair_server + "cpu1/runtime", "2500000\n"},
                     {fair_server + "cpu1/period", "10000000\n"},
                     {fair_server + "cpu30/runtime", "50000000\n"},
                     {fair_server + "cpu30/period", "1000000000\n"}};
  expect_each(
      {{"off for the frames, on elsewhere", shares, {}, 3, Verdict::good, "off", ""},
       {"on",
        shares,
        {},
        1,
        Verdict::warning,
        "ordinary threads get 2.5 of 10 ms on CPU 1",
        "echo 0 > /sys/kernel/debug/sched/fair_server/cpu1/runtime"},
       {"on a CPU whose name begins alike",
        shares,
        {},
        30,
        Verdict::warning,
        "50 of 1000 ms on CPU 30",
        "clock: spin"},
       {"frames anywhere",
        shares,
        {},
        -1,
        Verdict::warning,
        "2.5 of 10 ms on CPU 1, 50 of 1000 ms on CPU 0 30",
        "fair_server/cpuN/runtime"},
       {"a CPU that is not there", shares, {}, 7, Verdict::unknown, "no such CPU", ""},
       {"unreadable",
        {{fair_server + "cpu3/runtime", "\n"}},
        {},
        3,
        Verdict::unknown,
        "no right to /sys/kernel/debug/sched/fair_server/cpu3/runtime",
        "as root"},
       {"no debugfs",
        taken,
        {},
        3,
        Verdict::unknown,
        "debugfs is not mounted",
        "mount -t debugfs debugfs /sys/kernel/debug"},
       {"the next major version",
        with_release("7.0.1\n"),
        {},
        3,
        Verdict::unknown,
        "debugfs is not mounted",
        "mount -t debugfs"},
       {"the last without", with_release("6.11.9\n"), {}, 3, Verdict::good, "older than 6.12", ""},
       {"an old one", with_release("5.15.0\n"), {}, 3, Verdict::good, "older than 6.12", ""},
       {"an old one that was given it",
        {{release, "5.14.0-570.el9\n"}},
        {},
        3,
        Verdict::good,
        "off",
        ""},
       {"no version", with_release("-"), {}, 3, Verdict::unknown, "osrelease", ""}},
      doctor::check_fair_server);
}

TEST(Doctor, AcceptsAnIsolatedPartition) {
  const std::string at_boot = "sys/devices/system/cpu/isolated";
  const std::string groups = "sys/fs/cgroup/";
  const Files listed{{at_boot, "\n"},
                     {groups + "cgroup.controllers", "cpuset cpu io\n"},
                     {groups + "cpuset.cpus.isolated", "2-3\n"}};
  Files listed_none = listed;
  listed_none[groups + "cpuset.cpus.isolated"] = "\n";
  // As Linux 6.1 has them.
  const Files slices{{at_boot, "\n"},
                     {groups + "hild.slice/cpuset.cpus.partition", "isolated\n"},
                     {groups + "hild.slice/cpuset.cpus.effective", "2-3\n"},
                     {groups + "system.slice/cpuset.cpus.partition", "member\n"},
                     {groups + "system.slice/cpuset.cpus.effective", "0-1\n"}};
  Files invalid = slices;
  invalid[groups + "hild.slice/cpuset.cpus.partition"] =
      "isolated invalid (Cpu list in cpuset.cpus not exclusive)\n";
  doctor::Answers barred = fit_answers();
  barred.cpu_allowed = false;
  const doctor::Answers fine = fit_answers();
  expect_each(
      {{"at boot", {}, fine, 3, Verdict::good, "isolated: 2-3; frames run on 3", ""},
       {"listed", listed, fine, 3, Verdict::good, "isolated by a partition: 2-3; frames run on 3",
        ""},
       {"one and the other",
        {{groups + "cpuset.cpus.isolated", "1\n"}},
        fine,
        1,
        Verdict::good,
        "isolated: 2-3; isolated by a partition: 1; frames run on 1",
        ""},
       {"nobody was asked", listed, {}, 3, Verdict::good, "by a partition: 2-3", ""},
       {"of other CPUs", listed, fine, 1, Verdict::warning, "by a partition: 2-3; frames run on 1",
        "isolated partition"},
       {"by a slice", slices, fine, 2, Verdict::good, "isolated by a partition: 2-3", ""},
       {"by a slice that is a member", slices, fine, 1, Verdict::warning, "by a partition: 2-3;",
        "isolcpus=managed_irq,domain,1"},
       {"invalid", invalid, fine, 3, Verdict::warning, "no CPU is isolated", "isolcpus="},
       {"none, but there could be", listed_none, fine, 3, Verdict::warning, "no CPU is isolated",
        "AllowedCPUs="},
       {"frames anywhere", listed, fine, -1, Verdict::warning, "by a partition: 2-3", "--cpu N"},
       {"outside of the partition", listed, barred, 3, Verdict::warning,
        "frames run on 3, where this process may not run", "--slice="},
       {"isolated at boot, but not for this process",
        {},
        barred,
        3,
        Verdict::problem,
        "isolated: 2-3; frames run on 3, where this process may not run",
        "AllowedCPUs="},
       {"of no use to this process", listed_none, barred, 3, Verdict::problem,
        "where this process may not run", "cpu/online"},
       {"nothing told", {{at_boot, "-"}}, barred, 3, Verdict::unknown, "not told", ""}},
      doctor::check_isolation);
  Files no_partitions = listed_none;
  no_partitions[groups + "cgroup.controllers"] = "memory pids\n";
  EXPECT_THAT(doctor::check_isolation(Root(no_partitions).machine()).remedy,
              Not(HasSubstr("partition")));
}

TEST(Doctor, TellsHowToMeasureByTimerlat) {
  const Files bare{{"usr/bin/rtla", "-"}};
  expect_each(
      {{"all there",
        {},
        {},
        3,
        Verdict::good,
        "measure by rtla timerlat top -c 3 -p 1000 -P f:80 -d 60s",
        ""},
       {"installed by hand",
        {{"usr/bin/rtla", "-"}, {"usr/local/bin/rtla", ""}},
        {},
        3,
        Verdict::good,
        "measure by rtla",
        ""},
       {"frames anywhere", {}, {}, -1, Verdict::good, "rtla timerlat top -p 1000", ""},
       {"no rtla",
        bare,
        {},
        3,
        Verdict::unknown,
        "rtla is not installed",
        "apt-get install rtla, then rtla timerlat top -c 3 -p 1000"},
       {"no rtla: by files",
        bare,
        {},
        3,
        Verdict::unknown,
        "rtla is not installed",
        "echo 3 > osnoise/cpus, echo 1000 > osnoise/timerlat_period_us, echo timerlat >"},
       {"no rtla, frames anywhere", bare, {}, -1, Verdict::unknown, "", "tracing: echo 1000 >"},
       {"no such tracer",
        {{tracers, "osnoise nop timerlatx\n"}},
        {},
        3,
        Verdict::unknown,
        "no such tracer",
        "CONFIG_TIMERLAT_TRACER"},
       {"no tracefs",
        {{tracers, "-"}},
        {},
        3,
        Verdict::unknown,
        "available_tracers",
        "mount -t tracefs"}},
      doctor::check_timerlat);
}

TEST(Doctor, TellsWhetherTheKernelKnowsTai) {
  expect_each({{"set", {}, {.tai_offset = 37}, 3, Verdict::good, "UTC is 37 s behind", ""},
               {"kept",
                {},
                {.tai_offset = 37, .clock_is_kept = true},
                3,
                Verdict::good,
                "UTC is 37 s behind",
                ""},
               {"not kept",
                {},
                {.tai_offset = 37, .clock_is_kept = false},
                3,
                Verdict::unknown,
                "nobody keeps the clock of this machine",
                "linuxptp"},
               {"never set",
                {},
                {.tai_offset = 0},
                3,
                Verdict::unknown,
                "nobody has told",
                "leapsectz right/UTC"},
               {"not asked", {}, {}, 3, Verdict::unknown, "not told", ""}},
              doctor::check_tai);
}

TEST(Doctor, TellsWhichInterfacesStampPackets) {
  const Files two{{"sys/class/net/eth1/device/vendor", "0x10ec\n"}};
  const Files can{{"sys/class/net/can0/device/uevent", ""},
                  {"sys/class/net/can0/type", "280\n"},
                  {"sys/class/net/can1/device/uevent", ""},
                  {"sys/class/net/can1/type", "280\n"}};
  expect_each({{"by hardware",
                {},
                {.receive_stamps = {{"eth0", true}}},
                3,
                Verdict::good,
                "by the hardware: eth0; PTP",
                ""},
               {"both",
                two,
                {.receive_stamps = {{"eth0", true}, {"eth1", false}}},
                3,
                Verdict::good,
                "by the hardware: eth0, by the kernel alone: eth1; PTP",
                ""},
               {"none",
                two,
                {.receive_stamps = {{"eth0", false}, {"eth1", false}}},
                3,
                Verdict::unknown,
                "by the kernel alone: eth0 eth1",
                "ethtool -T"},
               {"of a CAN bus too",
                can,
                {.receive_stamps = {{"can0", true}, {"can1", false}, {"eth0", true}}},
                3,
                Verdict::good,
                "by the hardware: eth0, by the kernel alone: can1, by adapters of CAN: can0; PTP "
                "(ptp4l, phc2sys) can keep this clock by eth0",
                ""},
               {"of a CAN bus alone",
                can,
                {.receive_stamps = {{"can0", true}}},
                3,
                Verdict::unknown,
                "by adapters of CAN: can0",
                "ethtool -T"},
               {"an interface without hardware",
                {},
                {.receive_stamps = {{"lo", true}}},
                3,
                Verdict::unknown,
                "no interface tells",
                ""},
               {"not asked", {}, {}, 3, Verdict::unknown, "no interface tells", ""}},
              doctor::check_network_stamps);
}

// What is asked is this kernel's to answer: only that it does.
TEST(Doctor, AsksTheKernel) {
  const int here = ::sched_getcpu();
  const doctor::Machine machine = doctor::this_machine(here, 80);
  EXPECT_EQ(machine.answers().cpu_allowed, true);
  EXPECT_TRUE(machine.answers().tai_offset.has_value());
  EXPECT_EQ(doctor::this_machine(4095, 80).answers().cpu_allowed, false);
  EXPECT_EQ(doctor::this_machine(-1, 80).answers().cpu_allowed, std::nullopt);
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
