// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hild::dds {

// Nodes of one machine are told apart by their participant index, of which the port follows: where
// there is no multicast, so many ports of each peer are tried. A node that has fallen silent is
// taken for gone after the duration of its lease.
std::string domain_configuration(const GatewayTask& task) {
  const bool loopback = task.interface == "lo";
  const bool unicast = loopback || !task.peers.empty();
  std::vector<Name> peers = task.peers;
  if (loopback && peers.empty()) peers.emplace_back("127.0.0.1");
  const bool v6 = std::ranges::any_of(
      peers, [](const Name& p) { return p.view().find(':') != std::string_view::npos; });
  std::string listed;
  for (const Name& peer : peers) listed += fmt::format("<Peer address=\"{}\"/>", peer.view());
  return fmt::format(
      "<CycloneDDS><Domain Id=\"{}\">"
      "<General><Interfaces><NetworkInterface name=\"{}\"/></Interfaces>"
      "<AllowMulticast>{}</AllowMulticast><Transport>{}</Transport></General>"
      "<Discovery><ParticipantIndex>auto</ParticipantIndex>"
      "<MaxAutoParticipantIndex>100</MaxAutoParticipantIndex>"
      "<SPDPInterval>1s</SPDPInterval><LeaseDuration>3s</LeaseDuration>"
      "<Peers>{}</Peers></Discovery>"
      "<Tracing><Verbosity>none</Verbosity></Tracing>"
      "</Domain></CycloneDDS>",
      task.domain, task.interface.view(), unicast ? "false" : "spdp", v6 ? "udp6" : "udp", listed);
}

}  // namespace hild::dds
