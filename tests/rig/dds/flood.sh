# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2086,SC2154
#
# In the guest: what is not meant for nodes comes at the ports at which they are met, thousands of it at once.
for place in 1 2 3; do
  at d udp_peer flood 10.7.0.$place 1000 17900 17910 17911 >flood$place.txt &
  eval "flood_$place=$!"
done
for place in 1 2 3; do
  eval "wait \$flood_$place"
  check "all of the flood was sent" "sent 3000" "$(cat flood$place.txt)"
done
check_all "a flood of foreign packets: nothing is lost" "true 0" "true 0" "true 0"
for node in a b c; do
  check "nor was any frame of $node late, by this or by all that was before" 0 "$(value $node.status overruns.total)"
  check "nothing that came is taken for a sample by $node" "0 0 0 0 0" "$(of_net $node wrong_run) $(of_net $node wrong_length) \
$(of_net $node not_finite) $(of_net $node unmatched) $(of_net $node unreadable)"
done
