/* Repeatedly opens the library with dlopen, uses it and closes it, in a program that is not linked
 * to it. It stays loaded, and the threads of closed stores terminate.
 *
 *     test_unload LIBRARY [STORES] */
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include <dirent.h>
#include <dlfcn.h>
#include <immutabledata.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct {
  void *library;
  imd_status (*open)(const char *, const char *, size_t, imd_store **, imd_error *);
  imd_status (*dispatch)(imd_store *, const char *, size_t, imd_error *);
  imd_status (*observe)(imd_store *, const char *, const char *, size_t, const char *, size_t,
                        imd_observer, void *, void (*)(void *), imd_observation **, imd_error *);
  imd_status (*settle)(imd_store *, int, imd_error *);
  void (*close)(imd_store *);
} imd;

/* POSIX, unlike ISO C, allows converting an object pointer to a function pointer. */
static void find(const char *name, void *function) {
  void *address = dlsym(imd.library, name);
  CHECK(address != NULL);
  memcpy(function, &address, sizeof address);
}

static int load(const char *path) {
  imd.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!CHECK(imd.library != NULL)) {
    fprintf(stderr, "  %s\n", dlerror());
    return 0;
  }
  find("imd_store_open", &imd.open);
  find("imd_store_dispatch", &imd.dispatch);
  find("imd_store_observe", &imd.observe);
  find("imd_store_settle", &imd.settle);
  find("imd_store_close", &imd.close);
  return 1;
}

/* The number of threads of this process. */
static int threads(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return -1;
  for (struct dirent *entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

/* The system lists a thread for a moment after it was joined. */
static int threads_become(int expected) {
  for (int i = 0; i < 1000000 && threads() != expected; i++) sched_yield();
  return threads() == expected;
}

static pthread_t main_thread;
static pthread_key_t key;
static atomic_int begun, ended;

static void count_end(void *context) {
  (void)context;
  for (int i = 0; i < 1000; i++) sched_yield(); /* threads that do not wait run first */
  ended++;
}

/* Called by the effect thread when it dispatches what it read. */
static void watch(void *context, const imd_delivery *delivery) {
  (void)context;
  (void)delivery;
  if (pthread_equal(pthread_self(), main_thread) || pthread_getspecific(key)) return;
  begun++;
  pthread_setspecific(key, &key);
}

/* Opens a store of animals, lets effects read the database, and closes it. */
static void use_animals(int settles) {
  imd_store *store = NULL;
  CHECK(imd.open("animals", NULL, 0, &store, NULL) == IMD_OK);
  CHECK(imd.observe(store, "selectAnimalsStatus", NULL, 0, NULL, 0, watch, NULL, NULL, NULL,
                    NULL) == IMD_OK);
  CHECK(imd.dispatch(store, "{\"type\":\"ui/animalList/onAppear\"}", IMD_ZERO_TERMINATED,
                     NULL) == IMD_OK);
  if (settles) CHECK(imd.settle(store, -1, NULL) == IMD_OK);
  imd.close(store);
  CHECK(begun == ended);
}

int main(int argc, char **argv) {
  int stores = argc > 2 ? atoi(argv[2]) : 100;
  if (argc < 2) return 2;
  main_thread = pthread_self();
  CHECK(pthread_key_create(&key, count_end) == 0);
  if (!load(argv[1])) return check_report();
  use_animals(1); /* a sanitizer starts its own thread together with the first one */
  int before = threads();
  for (int i = 0; i < stores; i++) use_animals(i % 2);
  CHECK(begun >= stores / 2);
  CHECK(threads_become(before));
  for (int i = 0; i < 20; i++) {
    use_animals(1);
    dlclose(imd.library);
    if (!load(argv[1])) break;
  }
  dlclose(imd.library);
  /* The library stays loaded after dlclose. */
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
  CHECK(library != NULL);
  return check_report();
}
