/* Memory and text of the food truck. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

/* As realloc does. Ends the program if memory runs out. */
void *resize(void *memory, size_t count, size_t size);

/* Copies text into a buffer of size bytes, and cuts what does not fit. */
void copy_text(char *buffer, size_t size, const char *text);

/* Appends text to the text in a buffer of size bytes, and cuts what does not fit. */
void append_text(char *buffer, size_t size, const char *text);

#endif /* MEMORY_H */
