/* SPDX-License-Identifier: Apache-2.0 */
/* x' = 1, and one kind of trouble, chosen by whole number 0 (a fixed parameter), from 0.05 s on. */
#include <fenv.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
/* As code that is linked with -ffast-math does when it is loaded: flush small numbers to zero. */
__attribute__((constructor)) static void flush(void) { _mm_setcsr(_mm_getcsr() | 0x8040); }
#else
static void flush(void) {}
#endif
#define NX 1
#define NZ 1
enum { none, endless_events, not_a_number, crash, leave, nap, allocate, chat, rounding, discard, zeno,
       wrong_slope, growth, chatter, hang, ask_event, end_update, end_step, share,
       exponential, rounding_early };
#define ONCE
#define WANTS_EVENT(m) due(m, ask_event)
#define ENDS_UPDATE(m) due(m, end_update)
#define ENDS_STEP(m) due(m, end_step)
#define TOLD_TIME(m) (due(m, rounding_early) ? fesetround(FE_UPWARD) : 0)
static void start(M* m) { (void)m; }
/* x' by random numbers that all instances of the process draw from one row, each from its start. */
static double drawn(M* m) {
  srand48(lround(m->time * 1e6));
  for (volatile int n = 0; n < 2000; ++n) lrand48();
  return (double)lrand48() / 0x7fffffff;
}
static int due(M* m, int kind) { return m->i[0] == kind && m->time >= 0.05; }
static void derivatives(M* m) {
  m->r[1] = 1;
  if (m->i[0] == chatter && m->i[1]) m->r[1] = -1;
  if (m->i[0] == share) m->r[1] = drawn(m);
  if (m->i[0] == exponential || m->i[0] == rounding_early) m->r[1] = 512 * m->r[0]; /* whatever the rounding */
  if (due(m, not_a_number)) m->r[1] = 0.0 / (m->r[1] - 1);
  if (due(m, crash)) *(volatile int*)8 = 1;
  if (due(m, leave)) _exit(3);
  if (due(m, hang)) pause();
  if (due(m, nap)) nanosleep(&(struct timespec){0, 1000}, NULL);
  if (due(m, allocate)) {
    void* volatile block = malloc(100);
    free(block);
  }
  if (due(m, chat)) log_text(m, "here I am");
  if (due(m, rounding)) flush(), fesetround(FE_UPWARD);
}
#define SLOPES
static double slope(M* m, unsigned of, unsigned to) {
  return (void)of, (void)to, m->i[0] == wrong_slope ? 5 : 0;
}
#define STATES(m) (1 + due(m, growth))
static void indicators(M* m, double* z) { z[0] = m->r[0] - 0.1; }
static void discrete(M* m) {
  if (due(m, ask_event) && m->r[0] < 1) m->r[0] += 1, m->values_changed = 1;
  m->again = m->i[0] == endless_events && m->time > 0;
  m->i[1] = m->r[0] > 0.1; /* which side an event found it on: back to the other, if it chatters */
  if (m->i[0] == zeno) m->next = m->time > 0.05 ? m->time : 0.05;
}
static int check(M* m) { return due(m, discard) ? 2 : 0; }
