// SPDX-License-Identifier: Apache-2.0
#include "drivers/udp_address.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>

#include <cstring>
#include <string>

namespace hild::udp {
namespace {

std::string words(std::string_view text, Without without = Without::nothing) {
  const auto address = parse_address(text, without);
  return address ? std::string(address->words().view()) : "refused";
}

sockaddr_storage storage(const Address& address) {
  sockaddr_storage all{};
  std::memcpy(&all, address.get(), address.size());
  return all;
}

TEST(UdpAddress, IsAnAddressAndAPort) {
  EXPECT_EQ(words("127.0.0.1:5000"), "127.0.0.1:5000");
  EXPECT_EQ(words("[::1]:5000"), "[::1]:5000");
  EXPECT_EQ(words("[fd00:0:0::7]:65535"), "[fd00::7]:65535");
  const Address address = parse_address("10.1.2.3:258", Without::nothing).value();
  const auto& v4 = reinterpret_cast<const sockaddr_in&>(*address.get());
  EXPECT_EQ(v4.sin_port, htons(258));
  EXPECT_EQ(v4.sin_addr.s_addr, htonl(0x0a010203));
}

TEST(UdpAddress, OfAListenerMayBeAPortAlone) {
  EXPECT_EQ(words("5000", Without::host), "127.0.0.1:5000");
  EXPECT_EQ(words("5000"), "refused");
  EXPECT_EQ(words("5000", Without::port), "refused");
}

TEST(UdpAddress, OfASenderMayHaveAnyPort) {
  EXPECT_EQ(words("10.0.0.7", Without::port), "10.0.0.7");
  EXPECT_EQ(words("fd00::7", Without::port), "fd00::7");
  EXPECT_EQ(words("[fd00::7]", Without::port), "fd00::7");
  EXPECT_EQ(words("10.0.0.7:9", Without::port), "10.0.0.7:9");
  EXPECT_EQ(words("10.0.0.7", Without::host), "refused");
}

TEST(UdpAddress, IsNothingElse) {
  for (const char* const text : {"",
                                 ":",
                                 "localhost:5000",
                                 "127.0.0.1:",
                                 "127.0.0.1:0",
                                 "127.0.0.1:65536",
                                 "127.0.0.1:-1",
                                 "127.0.0.1:5 000",
                                 "127.0.0.1:5000x",
                                 "1.2.3:5",
                                 "1.2.3.4.5:5",
                                 "256.0.0.1:5",
                                 "::1:5000",
                                 "[::1]",
                                 "[::1:5000",
                                 "::1]:5000",
                                 "[127.0.0.1]:5000",
                                 "[]:5000",
                                 "[:5000",
                                 "]:5",
                                 "0x7f.0.0.1:5000",
                                 "127.0.0.1:+5"}) {
    EXPECT_EQ(words(text), "refused") << text;
  }
  EXPECT_EQ(words(std::string(100'000, '1') + ":5"), "refused");
  EXPECT_EQ(words(std::string("127.0.0.1\0:5", 12)), "refused");
  EXPECT_THAT(parse_address("motor:5000", Without::nothing).error().message,
              testing::AllOf(testing::HasSubstr("found \"motor:5000\", expected an address"),
                             testing::HasSubstr("numbers, no names")));
}

TEST(UdpAddress, KnowsItsKind) {
  const auto address = [](std::string_view text) {
    return parse_address(text, Without::port).value();
  };
  EXPECT_TRUE(address("127.9.9.9").loopback());
  EXPECT_TRUE(address("::1").loopback());
  EXPECT_FALSE(address("128.0.0.1").loopback());
  EXPECT_TRUE(address("224.0.0.0").multicast());
  EXPECT_TRUE(address("239.255.255.255").multicast());
  EXPECT_FALSE(address("223.255.255.255").multicast());
  EXPECT_FALSE(address("240.0.0.0").multicast());
  EXPECT_TRUE(address("ff02::1").multicast());
  EXPECT_TRUE(address("ff02::1").link_local());
  EXPECT_TRUE(address("fe80::1").link_local());
  EXPECT_FALSE(address("fd00::1").link_local());
}

TEST(UdpAddress, IsComparedWithASender) {
  const auto is = [](std::string_view wanted, std::string_view sender) {
    const Address other = parse_address(sender, Without::nothing).value();
    return parse_address(wanted, Without::port).value().is(storage(other), other.size());
  };
  EXPECT_TRUE(is("10.0.0.7", "10.0.0.7:1"));
  EXPECT_TRUE(is("10.0.0.7:1", "10.0.0.7:1"));
  EXPECT_FALSE(is("10.0.0.7:1", "10.0.0.7:2"));
  EXPECT_FALSE(is("10.0.0.7", "10.0.0.8:1"));
  EXPECT_TRUE(is("fd00::7", "[fd00::7]:1"));
  EXPECT_FALSE(is("fd00::7", "[fd00::8]:1"));
  EXPECT_FALSE(is("[fd00::7]:2", "[fd00::7]:1"));
  EXPECT_FALSE(is("10.0.0.7", "[fd00::7]:1"));
  EXPECT_FALSE(parse_address("10.0.0.7", Without::port).value().is({}, 0));
}

}  // namespace
}  // namespace hild::udp
