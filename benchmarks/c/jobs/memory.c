/* The memory of a record of ten integers. */
#include "jobs.h"

#include "measure.h"
#include "subject.h"

#include <malloc.h>

enum { COUNT = 65536 };

/* The number of allocated bytes. */
static double allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return (double)(info.uordblks + info.hblkhd);
}

static double memory(const subject *subject) {
  double before = allocated();
  void *context = subject->open(COUNT);
  double bytes = (allocated() - before) / COUNT;
  subject->close(context);
  print_point("memory of a record", subject->name, COUNT, bytes, "B");
  return bytes;
}

void measure_memory(void) {
  double ours = memory(&value_subject);
  print_row("memory of a record of ten integers", ours, "jansson", memory(&jansson_subject), "B",
            "ours <= 250");
  print_row("memory of a record of ten integers", ours, "SQLite", memory(&sqlite_subject), "B", "");
}
