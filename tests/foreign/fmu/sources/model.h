/* SPDX-License-Identifier: Apache-2.0 */
/* What fmi2.c and fmi3.c make an FMU of. A model is a header that defines NX, its variables and
 * these functions. Value references: states 0 ... NX-1, their derivatives NX ... 2 NX-1, further real
 * variables from there; whole numbers and booleans count from 0 for themselves, and in 3.0 from 100 and 200. */
#include <stdlib.h>
#include <string.h>

#ifndef REALS
#define REALS 32
#endif
#define WHOLES 18

typedef struct {
  double time;
  double r[REALS];
  long long i[WHOLES];
  int b[WHOLES];
  double next; /* time event; negative: none */
  int again, values_changed;
  char resources[512]; /* the folder, with / behind it */
  void* host;
  void* logger;
} M;

static void start(M* m);
static void derivatives(M* m);  /* fills r[NX ... 2 NX-1] */
static void indicators(M* m, double* z);
static void discrete(M* m);     /* an update of event mode */
static int check(M* m);         /* 0: all is well, else the status to return */
static void log_text(M* m, const char* text);

#include MODEL

/* What a model may define besides: ONCE, that a process bears one instance; what it asks for; what it does when told the time; its event indicators; how many states it has now; d(real variable `of`) / d(real variable `to`). */
#ifndef WANTS_EVENT
#define WANTS_EVENT(m) 0 /* at the end of a step */
#define ENDS_UPDATE(m) 0 /* asks to terminate there */
#define ENDS_STEP(m) 0
#endif
#ifndef TOLD_TIME
#define TOLD_TIME(m) 0
#endif
#ifndef NZ
#define NZ 0
#endif
#ifndef STATES
#define STATES(m) NX
#endif
#ifdef SLOPES
static void slopes(M* m, const unsigned* of, size_t n, const unsigned* to, size_t k, const double* seed, double* out) {
  for (size_t i = 0; i < n; ++i) {
    out[i] = 0;
    for (size_t j = 0; j < k; ++j) out[i] += slope(m, of[i], to[j]) * seed[j];
  }
}
#endif

/* As if it were new. */
static void clear(M* m) {
  const M now = *m;
  memset(m, 0, sizeof *m);
  m->host = now.host;
  m->logger = now.logger;
  memcpy(m->resources, now.resources, sizeof m->resources);
  m->next = -1;
  start(m);
}
static void at_folder(M* m, const char* resources) {
  if (resources != NULL) strncpy(m->resources, resources, sizeof m->resources - 1);
}
#ifdef ONCE
static int made; /* one alone, ever */
#endif

/* Its state, as one block that is what it serialises to: its variables and its clock, and neither its host nor where
 * its files are. What the block is made of is the FMU's affair; hild has but bytes. */
typedef struct {
  char mark[8];
  double time, r[REALS], next;
  long long i[WHOLES];
  int b[WHOLES];
} State;
static int get_state(M* m, void** state) {
  State* s = *state != NULL ? *state : calloc(1, sizeof(State));
  memcpy(s->mark, "a state", 8);
  s->time = m->time;
  s->next = m->next;
  memcpy(s->r, m->r, sizeof s->r);
  memcpy(s->i, m->i, sizeof s->i);
  memcpy(s->b, m->b, sizeof s->b);
  *state = s;
  return 0;
}
static int set_state(M* m, const State* s) {
  m->time = s->time;
  m->next = s->next;
  memcpy(m->r, s->r, sizeof s->r);
  memcpy(m->i, s->i, sizeof s->i);
  memcpy(m->b, s->b, sizeof s->b);
  return 0;
}
static int free_state(void** state) { return free(*state), *state = NULL, 0; }
static int serialize(const State* s, void* bytes, size_t size) {
  return size == sizeof *s ? memcpy(bytes, s, size), 0 : 3;
}
static int deserialize(const void* bytes, size_t size, void** state) {
  if (size != sizeof(State) || memcmp(bytes, "a state", 8) != 0) return 3;
  *state = malloc(size);
  return memcpy(*state, bytes, size), 0;
}

/* The FMU's own solver: forward Euler, one step. What goes wrong there goes wrong halfway. */
static int advance(M* m, double h) {
  int status;
  discrete(m);
  derivatives(m);
  status = check(m);
  if (status == 2) h /= 2;
  for (int k = 0; k < NX; ++k) m->r[k] += h * m->r[NX + k];
  m->time += h;
  return status;
}
