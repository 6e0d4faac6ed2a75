/* Functions of Linux that the module Glibc lacks. */
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>

/* Declared only with _GNU_SOURCE. */
char *secure_getenv(const char *name);
int accept4(int listener, struct sockaddr *address, socklen_t *size, int flags);

/* The name of the program, without its folder. */
static inline const char *linux_program_name(void) {
  extern char *program_invocation_short_name;
  return program_invocation_short_name;
}

/* The user of the process that connected a Unix socket; -1 if that is unknown. */
static inline long linux_peer_user(int descriptor) {
  struct {
    pid_t process;
    uid_t user;
    gid_t group;
  } peer;
  socklen_t size = sizeof peer;
  int result = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  return result == 0 ? (long)peer.user : -1;
}

/* Sleeps without the timer slack of the thread: by default, Linux adds up to 50 µs. */
static inline void linux_pause(long nanoseconds) {
  int slack = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  nanosleep(&time, NULL);
  if (slack > 0) prctl(PR_SET_TIMERSLACK, slack, 0, 0, 0);
}
