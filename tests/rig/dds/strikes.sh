# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC1091,SC2034,SC2046,SC2086,SC2154
#
# In the guest: one node after the other is struck, by chance that a seed decides: it or its gateway killed or stopped, or
# what it sends and hears lost. Each time outputs are safe or held as declared, no input is lost more often than it
# was, and in the end all are armed again.
#
#   HILD_DDS_STRIKES (how many) and HILD_DDS_SEED come in the file `options`.
. "$tests/options"
begin_with() { # the priority above those of all frames
  priorities=$1
  begin_all
  settle
}
begin_with 94

# The numbers of Numerical Recipes; the high bits are those that are by chance.
dice() { # below
  seed=$(((seed * 1664525 + 1013904223) % 4294967296))
  rolled=$((seed / 65536 % $1))
}
pick() { # words
  dice $#
  shift $rolled
  picked=$1
}

# What c has of a node that is lost: of a what is declared, of b the last value.
stands_in() { # node, its last value
  [ "$1" = a ] && echo -2 || echo "$2"
}
# Those that hear the victim miss it; how often that was by now, one input each.
counts() { # words of a count for: the victim, the others
  for node in a b c; do
    if [ $node = "$victim" ]; then eval "of_$node='$1'"; else eval "of_$node='$2'"; fi
  done
}
# Disarmed are those of a and b that have lost something.
word_of() { [ "$1" != c ] && [ "$2" -gt 0 ] && echo false || echo true; }
expect() { # what, losses of the victim, of each other
  counts "$2" "$3"
  check_all "$1" "$(word_of a $of_a) $of_a" "$(word_of b $of_b) $of_b" "$(word_of c $of_c) $of_c"
}
# Of the victim nothing is known, of the others this. On a busy machine a process that was killed may take longer to end
# than an input may be old; its guard puts out what is safe once more then, which is heard and missed once more.
expect_others() { # what, losses
  expected='' found=''
  [ "$again" = 0 ] || sleep 1
  for node in $(others $victim); do
    eval "lost_$node=\$((lost_$node + $2))"
    more=$(($(state $node | cut -d' ' -f2) - $(eval "echo \$lost_$node")))
    if [ $more -gt 0 ] && [ $more -le "$again" ]; then
      eval "lost_$node=\$((lost_$node + more))"
      slow_ends=$((slow_ends + 1))
    fi
    expected="$expected$node $(word_of $node $2) $(eval "echo \$lost_$node"), "
    found="$found$node $(state $node), "
  done
  check "$1" "$expected" "$found"
}
# What a run has told last of an input. It looks every now and then, so that what goes and comes at once may not be told;
# where there were too many lines, one tells which are lost.
newest_of() { grep -e "input .$(input "$1" "$2"). " -e 'lost now: ' "$(file "$1" txt)" | tail -n 1; }
misses() { newest_of "$1" "$2" | grep -q -e ' is lost' -e "lost now: .*.$(input "$1" "$2")."; }
has() { ! misses "$1" "$2"; }
has_lost() { [ "$(state "$1" | cut -d' ' -f2)" -ge "$2" ]; } # node, so often
others_miss_it() { # so often more
  for one in $(others $victim); do
    soon "$one misses $victim" misses $one $victim
    [ $1 = 1 ] || soon "$one misses $victim once more" has_lost $one $(($(eval "echo \$lost_$one") + $1))
  done
}
it_misses_others() { for one in $(others $victim); do soon "$victim misses $one" misses $victim $one; done; }
others_have_it_back() { for one in $(others $victim); do soon "$one hears $victim" has $one $victim; done; }
it_has_others_back() { for one in $(others $victim); do soon "$victim hears $one" has $victim $one; done; }
arm_all() {
  for one in $victim $(others $victim); do
    is_armed $one || arm $one
  done
}
c_hears() { # what, value
  [ $victim = c ] || check "$1" "$(stands_in $victim "$2")" "$(hears c $victim)"
}
# Once its guard is done; a run that comes too early is refused, and ends.
start_again() {
  soon "$victim is there again" is_up
  eval "lost_$victim=0"
}
is_up() {
  kill -0 "$(process $victim)" || start $victim
  has_told $victim 'recording: ' 1
}

killed=0 stopped=0 gateways_killed=0 gateways_stopped=0 stalls=0 partitions=0 slow_ends=0
strike() {
  case $kind in
    kill)
      killed=$((killed + 1))
      kill -KILL "$(process $victim)"
      others_miss_it 1
      expect_others "$strike: each other misses it once" 1
      c_hears "$strike: c has what was safe, or is declared" -1
      ;;
    stop)
      # It is missed, killed by its guard, whose safe values end the loss, and missed once more.
      stopped=$((stopped + 1))
      kill -STOP "$(process $victim)"
      others_miss_it 2
      expect_others "$strike: each other misses it, hears its guard, and misses it" 2
      c_hears "$strike: c has what was safe, or is declared" -1
      ;;
    gateway)
      gateways_killed=$((gateways_killed + 1))
      kill -KILL "$(gateway $victim)"
      others_miss_it 1
      it_misses_others
      expect "$strike: it and the others miss each other once" 2 1
      check "$strike: it is told" 1 "$(of_net $victim gateway_lost)"
      ctl $victim stop >/dev/null
      ;;
    hold)
      gateways_stopped=$((gateways_stopped + 1))
      held=$(gateway $victim)
      kill -STOP "$held"
      others_miss_it 1
      it_misses_others
      expect "$strike: it and the others miss each other once" 2 1
      kill -CONT "$held"
      others_have_it_back
      it_has_others_back
      ;;
    stall)
      # For less than inputs may be old.
      stalls=$((stalls + 1))
      held=$(gateway $victim)
      kill -STOP "$held"
      sleep 0.02
      kill -CONT "$held"
      sleep 0.1
      expect "$strike: nobody misses anything" 0 0
      ;;
    part)
      partitions=$((partitions + 1))
      cut_off $victim
      others_miss_it 1
      it_misses_others
      expect "$strike: it and the others miss each other once" 2 1
      let_in $victim
      others_have_it_back
      it_has_others_back
      ;;
  esac
  case $kind in
    kill | stop | gateway)
      wait "$(process $victim)"
      start_again
      others_have_it_back
      it_has_others_back
      ;;
  esac
  arm_all
  # A run that begins has lost inputs before the first sample came.
  [ $kind = part ] || [ $kind = hold ] || [ $kind = stall ] || eval "lost_$victim=\$(state $victim | cut -d' ' -f2)"
  check_all "$strike: all are armed again" "true 0" "true 0" "true 0"
  sleep 1.2 # a run tells four losses and returns a second, and counts the rest
}
# Each kind comes once before one of them comes again.
next_kind() {
  [ "$kinds" ] || kinds='kill stop gateway hold stall part'
  pick $kinds
  kind=$picked
  rest=''
  for one in $kinds; do [ $one = $kind ] || rest="$rest $one"; done
  kinds=$rest
}
kinds=''
number=0
while [ $number -lt "$strikes" ]; do
  number=$((number + 1))
  if [ $priorities -lt 10 ]; then
    end_all
    begin_with 94
  fi
  pick a b c
  victim=$picked
  next_kind
  strike="$number, $kind of $victim"
  wrong=$failures
  strike >strike.txt
  # Of one that was withstood a line is enough; after another nothing is as it should be.
  if [ $failures != "$wrong" ]; then
    cat strike.txt
    break
  fi
  echo "ok    $strike"
done
check "all strikes took place" "$strikes" $((killed + stopped + gateways_killed + gateways_stopped + stalls + partitions))
echo "$killed nodes killed, $stopped stopped, $gateways_killed gateways killed, $gateways_stopped stopped, $stalls stalled, $partitions partitions, $slow_ends losses of one whose end was slow"
end_all

# Whoever missed an input said so in the first frame in which its newest sample was older than it may be, of all losses that
# were told: in max_latency and a frame. One before the first sample has no age; a run that was killed may not have
# recorded its last frames.
: >unread.txt
for text in [abc]*.txt; do
  recording=${text%.txt}.mcap
  if ! [ -e "$recording" ] || ! grep -q 'is lost' "$text"; then continue; fi
  images "$recording" >images.txt 2>images.wrong || sed "s/^/$recording: /" images.wrong >>unread.txt
  sed -n 's/.* frame \([0-9]*\): input .\([xy]\)\.ignored. of device net is lost.*/\1 \2/p' "$text" |
    awk -v text="$text" '
      NR == FNR { group[$1 " " $2] = $2 == "x" ? 4 : 5; next }
      {
        for (i = 4; i <= 5; ++i) if (($1 " " (i == 4 ? "x" : "y")) in group && $i > 0 && before[i] > 0)
          printf "%s %d %.3f %.3f\n", text, $1, ($3 - $i) / 1e6, (start - before[i]) / 1e6
        start = $3; before[4] = $4; before[5] = $5
      }' - images.txt
done >noticed.txt
awk -v most_old=$latency '$3 <= most_old || $4 > most_old' noticed.txt >late.txt
echo "$(wc -l <noticed.txt) losses told, the oldest sample $(sort -g -k 3 noticed.txt | tail -n 1 | cut -d' ' -f3) ms old"
check "each loss is told in the first frame beyond $latency ms" "" "$(cat late.txt)"
check_that "losses were looked at" "$(wc -l <noticed.txt) >= $strikes"
# Only one that was killed leaves a recording that does not end as it should.
cat unread.txt
check_that "recordings can be read" "$(wc -l <unread.txt) <= $((killed + stopped))"
# An ordinary gateway stands still where others want the CPU.
check "all gateways have their priority" "" "$(grep -l 'does not get SCHED_FIFO' [abc]*.txt)"
