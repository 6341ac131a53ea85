# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034,SC2086,SC2154
#
# In the guest: nodes that cannot reach one another, for a while. Who misses somebody does what was declared for it, once;
# and goes on once the network is whole, but for outputs, which somebody has to arm.
if [ $runs_a = 0 ]; then
  begin_all
  settle
fi
: >cuts
part() { # what
  case $1 in
    "of "*) network_from "${1#of }" loss 100% && network_to "${1#of }" loss 100% ;;
    "from "*) network_from "${1#from }" loss 100% ;;
    "to "*) network_to "${1#to }" loss 100% ;;
    "unplugged "*) ip link set "to_${1#unplugged }" down ;;
  esac
}
join() {
  case $1 in
    "of "*) network_from "${1#of }" loss 0% && network_to "${1#of }" loss 0% ;;
    "from "*) network_from "${1#from }" loss 0% ;;
    "to "*) network_to "${1#to }" loss 0% ;;
    "unplugged "*) ip link set "to_${1#unplugged }" up ;;
  esac
}
# Who misses whom, "ab": a misses b.
missing() {
  case $1 in
    "from "*) for node in $(others "${1#from }"); do echo "$node${1#from }"; done ;;
    "to "*) for node in $(others "${1#to }"); do echo "${1#to }$node"; done ;;
    *) missing "from ${1#* }" && missing "to ${1#* }" ;;
  esac
}
partition() { # what, seconds
  pairs=$(missing "$1")
  for pair in $pairs; do
    one=${pair%?} other=${pair#?}
    eval "lost_$pair=$(($(told "$one" "$(missed "$one" "$other")") + 1))"
  done
  before=$(now)
  part "$1"
  cut=$(now)
  for pair in $pairs; do
    one=${pair%?} other=${pair#?}
    soon "$1: $one misses $other" has_told "$one" "$(missed "$one" "$other")" "$(eval "echo \$lost_$pair")"
    sed -n "s/.* frame \([0-9]*\): $(missed "$one" "$other").*/$pair $before $cut \1/p" "$(file "$one" txt)" |
      tail -n 1 >>cuts
  done
  sleep "$2"
  # How each is to be: what it missed, and whether it may still be armed.
  for node in a b c; do
    count=$(echo "$pairs" | grep -c "^$node")
    if [ $node != c ] && [ "$count" -gt 0 ]; then word=false; else word=true; fi
    eval "state_$node='$word $count' after_$node='$word 0'"
  done
  check_all "$1: each misses whom it cannot hear, once" "$state_a" "$state_b" "$state_c"
  join "$1"
  for pair in $pairs; do
    one=${pair%?} other=${pair#?}
    soon "$1: $one hears $other again" has_told "$one" "$(came_back "$one" "$other")" "$(eval "echo \$lost_$pair")"
  done
  check_all "$1, and whole again: outputs wait to be armed" "$after_a" "$after_b" "$after_c"
  for node in a b; do
    case $(eval "echo \$after_$node") in false*)
      check "c hears that $node is safe" -1 "$(hears c $node)"
      arm $node
      ;;
    esac
  done
}
partition "of a" 0.3
partition "from b" 0.3
partition "to b" 0.3
partition "unplugged c" 0.3
# For longer than a node that is silent is taken to be there: it is found anew.
partition "of a" 3.5
check_all "all are armed" "true 0" "true 0" "true 0"
check_that "a that was silent was taken to be gone" "$(of_net c nodes_gone) > 0"
for node in a b c; do check "no frame of $node was late" 0 "$(value $node.status overruns.total)"; done
