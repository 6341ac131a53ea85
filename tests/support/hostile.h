/* SPDX-License-Identifier: Apache-2.0 */
/* What a shared object does that means harm, before anybody has called any of it: in a constructor of
   its own. What came of each try is left for its model to tell. HILD_HOSTILE_PID is whom it is after,
   HILD_HOSTILE_FILE where it writes that it was there. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

enum {
  hostile_file,
  hostile_shm,
  hostile_device,
  hostile_process,
  hostile_signal,
  hostile_everybody,
  hostile_trace,
  hostile_memory,
  hostile_vm,
  hostile_limits,
  hostile_socket,
  hostile_tries
};
static double hostile_found[hostile_tries]; /* 0, or an errno */
static double hostile_shared;               /* mappings that others share, but for its own page */

static double hostile_error(long result) { return result < 0 ? errno : 0; }

static void hostile_look_around(void) {
  char line[512];
  FILE* const maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) return;
  while (fgets(line, sizeof line, maps) != NULL) {
    if (strstr(line, "-s ") != NULL && strstr(line, "memfd:hild-exchange") == NULL) ++hostile_shared;
  }
  fclose(maps);
}

__attribute__((constructor)) static void hostile_begin(void) {
  const char* const whom = getenv("HILD_HOSTILE_PID");
  const char* const where = getenv("HILD_HOSTILE_FILE");
  if (whom == NULL || where == NULL) return;
  const pid_t pid = atoi(whom);
  char memory[64];
  static long word = 0;
  const struct iovec here = {&word, sizeof word};
  const struct rlimit none = {0, 0};
  snprintf(memory, sizeof memory, "/proc/%d/mem", (int)pid);
  hostile_look_around();
  hostile_found[hostile_file] = hostile_error(open(where, O_WRONLY | O_CREAT | O_APPEND, 0600));
  hostile_found[hostile_shm] = hostile_error(open("/dev/shm/hild-hostile", O_RDWR | O_CREAT, 0600));
  hostile_found[hostile_device] = hostile_error(open("/dev/comedi0", O_RDWR));
  const pid_t child = fork();
  if (child == 0) _exit(0);
  hostile_found[hostile_process] = hostile_error(child);
  hostile_found[hostile_signal] = hostile_error(kill(pid, SIGCONT));
  hostile_found[hostile_everybody] = hostile_error(kill(-1, 0));
  hostile_found[hostile_trace] = hostile_error(ptrace(PTRACE_SEIZE, pid, NULL, NULL));
  hostile_found[hostile_memory] = hostile_error(open(memory, O_RDWR));
  hostile_found[hostile_vm] = hostile_error(process_vm_writev(pid, &here, 1, &here, 1, 0));
  hostile_found[hostile_limits] = hostile_error(prlimit(pid, RLIMIT_NOFILE, &none, NULL));
  hostile_found[hostile_socket] = hostile_error(socket(AF_UNIX, SOCK_STREAM, 0));
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040U); /* flush to zero, and take for zero */
#endif
}
