#include "folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Unlike /tmp, /var/tmp is on a disk. */
char *make_folder(void) {
  char *folder = strdup("/var/tmp/immutabledata-XXXXXX");
  if (!mkdtemp(folder)) {
    perror(folder);
    exit(1);
  }
  return folder;
}

void remove_folder(char *folder) {
  DIR *files = opendir(folder);
  for (struct dirent *file; files && (file = readdir(files));) {
    char *path = path_in(folder, file->d_name);
    if (file->d_name[0] != '.')
      unlink(path);
    free(path);
  }
  if (files)
    closedir(files);
  rmdir(folder);
  free(folder);
}

char *path_in(const char *folder, const char *name) {
  char *path = malloc(strlen(folder) + strlen(name) + 2);
  sprintf(path, "%s/%s", folder, name);
  return path;
}
