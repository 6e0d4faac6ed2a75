/* A folder for files to be measured, on a disk. */
#ifndef FOLDER_H
#define FOLDER_H

#include <stddef.h>

/* Makes a new folder. The caller frees the path. */
char *make_folder(void);

/* Removes a folder with its files, and frees the path. */
void remove_folder(char *folder);

/* Returns the path of a file in a folder. The caller frees it. */
char *path_in(const char *folder, const char *name);

#endif
