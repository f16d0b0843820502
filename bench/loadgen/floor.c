// floor - what sending one stream to many sockets costs the system, with nothing of ours around it.
//
//   floor --port 8080 --file m1000.flv --bps 126000 [--window-ms 170] [--send copy]
//
// Answers every connection with the beginning of an FLV file, in which players find their first keyframe, and then with one window for all
// each `--window-ms`: by sendfile from a file in memory, or with `--send copy` by send(). Windows are no media, so nobody may parse them
// (`lsb flv --parse 0`). Build: cc -O2 -o floor floor.c
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define MOST 20000
#define BEGINNING (128 * 1024)
static char head[BEGINNING + 128] = "HTTP/1.1 200 OK\r\nContent-Type: video/x-flv\r\nConnection: close\r\n\r\n";
static int fds[MOST], count;

static void die(const char *what) {
  perror(what);
  exit(2);
}

static void leave(int index) {
  close(fds[index]);
  fds[index] = fds[--count];
}

int main(int argc, char **argv) {
  int port = 8080, window_ms = 170, copies = 0;
  long bps = 126000;
  const char *media = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--port")) port = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--file")) media = argv[i + 1];
    else if (!strcmp(argv[i], "--bps")) bps = atol(argv[i + 1]);
    else if (!strcmp(argv[i], "--window-ms")) window_ms = atoi(argv[i + 1]);
    else if (!strcmp(argv[i], "--send")) copies = !strcmp(argv[i + 1], "copy");
  }
  signal(SIGPIPE, SIG_IGN);
  size_t head_bytes = strlen(head);
  FILE *beginning = media ? fopen(media, "rb") : 0;
  if (beginning) head_bytes += fread(head + head_bytes, 1, BEGINNING, beginning);
  size_t window = (size_t)bps * window_ms / 1000;
  char *bytes = malloc(window);
  if (!bytes) die("malloc");
  memset(bytes, 7, window);
  int file = memfd_create("floor", MFD_CLOEXEC);
  if (file < 0 || write(file, bytes, window) != (ssize_t)window) die("memfd");
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 4096)) die("listen");
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  long ns = (long)window_ms * 1000000;
  struct itimerspec every = {.it_interval = {ns / 1000000000, ns % 1000000000}, .it_value = {ns / 1000000000, ns % 1000000000}};
  timerfd_settime(timer, 0, &every, 0);
  int poll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, got[2];
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  event.data.fd = timer;
  epoll_ctl(poll, EPOLL_CTL_ADD, timer, &event);
  for (;;) {
    int ready = epoll_wait(poll, got, 2, -1);
    for (int e = 0; e < ready; e++) {
      if (got[e].data.fd == listener) {
        int fd;
        while (count < MOST && (fd = accept4(listener, 0, 0, SOCK_NONBLOCK)) >= 0) {
          setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
          if (send(fd, head, head_bytes, MSG_NOSIGNAL) < 0) close(fd);
          else fds[count++] = fd;
        }
        continue;
      }
      uint64_t expired;
      if (read(timer, &expired, sizeof expired) < 0) continue;
      // A reader that does not keep up loses the rest of a window: the load generator reads all.
      for (int i = 0; i < count; i++) {
        off_t from = 0;
        ssize_t sent = copies ? send(fds[i], bytes, window, MSG_NOSIGNAL) : sendfile(fds[i], file, &from, window);
        if (sent < 0 && errno != EAGAIN) leave(i--);
      }
    }
  }
}
