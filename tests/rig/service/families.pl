# SPDX-License-Identifier: Apache-2.0
#
# The families of addresses of which a socket can be opened here, by their numbers. The kernel says of one that it
# does not know what the unit's sandbox says of one that it refuses: so what is refused must be open elsewhere.
for my $family (0 .. 45) {
  for my $type (1, 2, 3, 5) {    # stream, datagrams, raw, packets in sequence
    # Of CAN, protocol 1 is that of raw sockets, which have no other.
    next unless socket(my $socket, $family, $type, $family == 29 ? 1 : 0);
    print "$family\n";
    last;
  }
}
