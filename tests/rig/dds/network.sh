# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034,SC2086,SC2154
#
# In the guest: what b sends comes late, in another order, twice or not at all. Nothing of that is a loss, since the next
# sample comes in time; what is missing is counted, and the ages of what comes are those that it has.
begin_all
settle
quiet_from=$(now)
sleep 1
quiet_to=$(now)
check_all "a quiet network: nothing is lost" "true 0" "true 0" "true 0"
check "nor is a sample" "0 0 0" "$(of_net a lost) $(of_net b lost) $(of_net c lost)"

network_from b delay 12ms
late_from=$(now)
sleep 1
late_to=$(now)

network_from b delay 20ms 15ms loss 5% duplicate 5%
wild_from=$(now)
sleep 4
wild_to=$(now)
network_from b delay 10ms reorder 25% 50% loss 2% duplicate 5%
sleep 2
network_from b delay 0ms
at b /bin/tc -s qdisc show dev eth0 >from_b.txt
sleep 0.2
check_all "late, lost, doubled, reordered: no input is lost" "true 0" "true 0" "true 0"
for node in a c; do
  check_that "samples that did not come are counted by $node" "$(of_net $node lost) > 0"
done
for node in a b c; do
  echo "$node: received $(of_net $node received) lost $(of_net $node lost) reordered $(of_net $node reordered) sent $(of_net $node sent)"
  check "no overrun of $node" 0 "$(value $node.status overruns.total)"
done
cat from_b.txt
