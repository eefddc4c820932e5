/* Files by descriptor, temporary names, and programs that cannot be started. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char name[] = "/tmp/quod_descriptors_XXXXXX";
  char text[16] = {0};
  int file = mkstemp(name);
  printf("%d %d\n", file >= 3, strstr(name, "XXXXXX") == NULL);
  printf("%d\n", (int)write(file, "hello", 5));
  printf("%d\n", close(file));
  errno = 0;
  printf("%d", close(file));
  printf(" %d\n", errno == EBADF);
  file = open(name, O_RDONLY);
  int count = (int)read(file, text, 15);
  printf("%d %s\n", count, text);
  printf("%d", (int)write(file, "x", 1));
  printf(" %d\n", (int)read(file, text, 15));
  close(file);
  printf("%d", open(name, O_WRONLY | O_CREAT | O_EXCL, 0600));
  printf(" %s\n", strerror(errno));
  printf("%d", access(name, 0));
  printf(" %d", unlink(name));
  printf(" %d\n", access(name, 0));
  printf("%d", open("/tmp/quod_missing/file", O_RDONLY));
  printf(" %s\n", strerror(errno));
  printf("%d", execl("/tmp/quod_missing/program", "program", (char *)NULL));
  printf(" %s\n", strerror(errno));
  return 0;
}
