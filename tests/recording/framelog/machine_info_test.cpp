// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/machine_info.hpp"

#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <boost/json.hpp>

namespace hild::framelog {
namespace {

TEST(MachineInfo, TellsWhatTheKernelTells) {
  const auto all = boost::json::parse(machine_info({"found"}));
  EXPECT_EQ(all.at("checks"), boost::json::value(boost::json::array{"found"}));
  utsname name{};
  uname(&name);
  EXPECT_TRUE(all.at("kernel").as_string().starts_with(name.release));
  EXPECT_TRUE(all.at("preempt_rt").is_bool());
  for (const char* key :
       {"cpu", "cpu_class", "command_line", "online", "isolated", "governor", "clock_source"}) {
    EXPECT_TRUE(all.at(key).is_string() || all.at(key).is_null()) << key;
  }
  std::ifstream online("/sys/devices/system/cpu/online");
  std::string line;
  std::getline(online, line);
  EXPECT_EQ(std::string(all.at("online").as_string()), line);
}

}  // namespace
}  // namespace hild::framelog
