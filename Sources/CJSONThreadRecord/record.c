#include "CJSONThreadRecord.h"

_Thread_local json_thread_record json_thread_record_of_this_thread;

/* What C++ uses for the destructors of such variables. It knows no limit. */
#ifdef __APPLE__
void _tlv_atexit(void (*end)(void *), void *object);
#else
int __cxa_thread_atexit_impl(void (*end)(void *), void *object, void *library);
extern void *__dso_handle;
#endif

void json_thread_record_at_exit(void (*end)(void *)) {
  json_thread_record *record = json_thread_record_current();
#ifdef __APPLE__
  _tlv_atexit(end, record);
#else
  __cxa_thread_atexit_impl(end, record, &__dso_handle);
#endif
}
