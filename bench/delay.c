/* Runs a command over a line to the host that is longer by so many milliseconds there and back.

   Usage: delay MILLISECONDS COMMAND...

   The host is the one of FMSG_API_URL, on 127.0.0.1; the command finds the longer line there in its
   place. Its standard output goes to /dev/null. Prints, parted by a tab: the seconds that it took,
   and how many connections it made. Fails when the command does. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64 };

/* Bytes on their way, and when they arrive; none are the end. */
struct piece {
    struct piece *next;
    double due;
    ssize_t size;
    char bytes[];
};

/* One direction of a connection. */
struct line {
    int from, to;
    bool ended;
    struct piece *first, **last;
};

static struct line lines[2 * MOST];
static int count, connections;
static double delay;

static void fail(const char *what) {
    fprintf(stderr, "delay: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static struct sockaddr_in loopback(int port) {
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons(port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int listen_anywhere(int *port) {
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 ||
        listen(listener, MOST) != 0 || getsockname(listener, (struct sockaddr *)&address, &size) != 0)
        fail("listen");
    *port = ntohs(address.sin_port);
    return listener;
}

static void add_line(int from, int to) {
    struct line *line = &lines[count++];
    *line = (struct line){.from = from, .to = to};
    line->last = &line->first;
}

static void take_connection(int listener, int port) {
    struct sockaddr_in address = loopback(port);
    int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    int host = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client < 0 || host < 0 || connect(host, (struct sockaddr *)&address, sizeof address) != 0)
        fail("connect");
    connections++;
    add_line(client, host);
    add_line(host, client);
}

static void receive(struct line *line) {
    char buffer[1 << 16];
    ssize_t size = read(line->from, buffer, sizeof buffer);
    if (size < 0) size = 0;
    line->ended = size == 0;
    struct piece *piece = malloc(sizeof *piece + size);
    if (!piece) fail("memory");
    *piece = (struct piece){.due = now() + delay / 2, .size = size};
    memcpy(piece->bytes, buffer, size);
    *line->last = piece;
    line->last = &piece->next;
}

static void deliver(struct line *line) {
    while (line->first && line->first->due <= now()) {
        struct piece *piece = line->first;
        ssize_t sent = 0;
        while (sent < piece->size) {
            ssize_t part = send(line->to, piece->bytes + sent, piece->size - sent, MSG_NOSIGNAL);
            if (part <= 0) break;
            sent += part;
        }
        if (piece->size == 0) shutdown(line->to, SHUT_WR);
        line->first = piece->next;
        if (!line->first) line->last = &line->first;
        free(piece);
    }
}

/* Closes what has ended both ways, and forgets it. */
static void tidy(void) {
    for (int i = 0; i + 1 < count; i += 2) {
        struct line *there = &lines[i], *back = &lines[i + 1];
        if (!there->ended || !back->ended || there->first || back->first) continue;
        close(there->from);
        close(back->from);
        count -= 2;
        if (i == count) return;
        lines[i] = lines[count];
        lines[i + 1] = lines[count + 1];
        for (int j = i; j < i + 2; j++)
            if (!lines[j].first) lines[j].last = &lines[j].first;
        i -= 2;
    }
}

static void relay(int listener, int port, int end) {
    for (;;) {
        struct pollfd waits[2 + 2 * MOST];
        double next = now() + 3600;
        waits[0] = (struct pollfd){.fd = end, .events = POLLIN};
        waits[1] = (struct pollfd){.fd = count < 2 * MOST ? listener : -1, .events = POLLIN};
        int lines_waited = count;
        for (int i = 0; i < count; i++) {
            waits[2 + i] = (struct pollfd){.fd = lines[i].ended ? -1 : lines[i].from,
                                           .events = POLLIN};
            if (lines[i].first && lines[i].first->due < next) next = lines[i].first->due;
        }
        double left = next - now();
        struct timespec wait = {.tv_sec = left > 0 ? (time_t)left : 0};
        wait.tv_nsec = left > 0 ? (long)((left - wait.tv_sec) * 1e9) : 0;
        ppoll(waits, 2 + count, &wait, NULL);
        if (waits[0].revents) return;
        for (int i = 0; i < lines_waited; i++)
            if (waits[2 + i].revents) receive(&lines[i]);
        if (waits[1].revents) take_connection(listener, port);
        for (int i = 0; i < count; i++) deliver(&lines[i]);
        tidy();
    }
}

int main(int argc, char **argv) {
    const char *url = getenv("FMSG_API_URL"), *colon = url ? strrchr(url, ':') : NULL;
    if (argc < 3 || !colon) {
        fprintf(stderr, "usage: FMSG_API_URL=http://127.0.0.1:PORT delay MILLISECONDS COMMAND...\n");
        return 2;
    }
    delay = atof(argv[1]) / 1000;
    int port, ends[2];
    int listener = listen_anywhere(&port);
    if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
    double start = now();
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        char longer[64];
        snprintf(longer, sizeof longer, "http://127.0.0.1:%d", port);
        setenv("FMSG_API_URL", longer, 1);
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        // The end that stays open tells that the command, or a child of it, still runs.
        fcntl(ends[1], F_SETFD, 0);
        execvp(argv[2], argv + 2);
        fail(argv[2]);
    }
    close(ends[1]);
    relay(listener, atoi(colon + 1), ends[0]);
    double seconds = now() - start;
    int status;
    waitpid(child, &status, 0);
    printf("%.3f\t%d\n", seconds, connections);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
