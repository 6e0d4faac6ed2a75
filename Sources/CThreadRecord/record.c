#include "CThreadRecord.h"

_Thread_local thread_record thread_record_of_this_thread;
