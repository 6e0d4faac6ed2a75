/* Parses random texts with the library and jansson: parse SEED COUNT. Aborts on a difference. */
#include "jansson_check.h"
#include "texts.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s SEED COUNT\n", argv[0]);
    return 2;
  }
  random_source source = {strtoull(argv[1], NULL, 10)};
  long count = strtol(argv[2], NULL, 10);
  static char text[TEXT_CAPACITY];
  for (long index = 0; index < count; index++) {
    size_t length = text_make(&source, text);
    /* In memory of the exact size, to detect reads beyond it. */
    char *copy = malloc(length ? length : 1);
    if (copy == NULL) return 1;
    memcpy(copy, text, length);
    jansson_check_text(copy, length);
    free(copy);
  }
  printf("%ld texts, seed %s\n", count, argv[1]);
  return 0;
}
