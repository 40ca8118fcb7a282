/* A host of nothing but events, with a stop watch: sends events at a steady rate to each reader
   that it starts, and takes the time from the write to the socket to the line on the reader's
   standard output.

   Usage: FMSG_TOKEN=... stream RATE COUNT COMMAND... [-- REFERENCE...]

   Each reader has a URL of its own in FMSG_API_URL, and is ready when it prints its first line. One
   that prints "enough" is waited for no longer, whatever it has told of the events.
   With two of them the events of one go out halfway between those of the other, so that they do
   not compete for the processor more than they must. As on a real host a reader that leaves more
   than 16 frames unread is dropped, which ends it all.

   Prints a line a reader, parted by tabs: events that came exactly once, the median and the 99th
   percentile of their delay in milliseconds, and its resident memory in kilobytes when a tenth of
   the events had come and when all had. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "resident.h"

extern char **environ;

enum { readers_at_most = 2, connections_at_most = 8, frame_size = 2048, frames_held = 16 };
static const double patience = 30;

/* One connection of a reader: requests first, then perhaps the event socket. */
struct connection {
    int descriptor;
    char request[16384];
    size_t filled;
};

struct reader {
    pid_t pid;
    int listener, output;
    struct connection connections[connections_at_most];
    struct connection *socket;
    char held[frames_held * frame_size];
    size_t held_size;
    char line[1 << 20];
    size_t line_size;
    int is_ready, has_enough;
    long sent, came;
    unsigned char *times_came;
    double *delays;
    long memory_early, memory_late;
};

static struct reader readers[readers_at_most];
static int reader_count;
static long event_count;

static void fail(const char *what) {
    fprintf(stderr, "stream: %s\n", what);
    for (int index = 0; index < reader_count; index++) {
        if (readers[index].pid > 0) kill(readers[index].pid, SIGKILL);
    }
    exit(1);
}

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Writes all of it, or gives up. For what is small and rare. */
static void answer(int descriptor, const char *text) {
    size_t length = strlen(text);
    if (send(descriptor, text, length, MSG_NOSIGNAL) != (ssize_t)length) {
        fail("a reader does not take an answer");
    }
}

static void upgrade(struct connection *connection) {
    char *key = strcasestr(connection->request, "\r\nSec-WebSocket-Key:");
    if (key == NULL) fail("an upgrade without a key");
    char words[128] = "";
    sscanf(key + strlen("\r\nSec-WebSocket-Key:"), " %80s", words);
    strcat(words, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    unsigned char digest[SHA_DIGEST_LENGTH], encoded[64];
    SHA1((unsigned char *)words, strlen(words), digest);
    EVP_EncodeBlock(encoded, digest, sizeof digest);
    char text[512];
    snprintf(text, sizeof text,
             "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Accept: %s\r\n\r\n",
             encoded);
    answer(connection->descriptor, text);
}

/* Answers each request that has come whole: an event socket, or an empty list. */
static void serve(struct reader *reader, struct connection *connection) {
    char *end;
    connection->request[connection->filled] = 0;
    while ((end = strstr(connection->request, "\r\n\r\n")) != NULL) {
        if (strncmp(connection->request, "GET /fmsg/ws", 12) == 0) {
            upgrade(connection);
            reader->socket = connection;
            connection->filled = 0;
            return;
        }
        answer(connection->descriptor, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                       "Content-Length: 2\r\n\r\n[]");
        size_t rest = connection->filled - (size_t)(end + 4 - connection->request);
        memmove(connection->request, end + 4, rest + 1);
        connection->filled = rest;
    }
}

static void receive(struct reader *reader, struct connection *connection) {
    char *start = connection->request + connection->filled;
    size_t room = sizeof connection->request - 1 - connection->filled;
    ssize_t count = recv(connection->descriptor, start, room, 0);
    if (count <= 0) {
        if (reader->socket == connection) fail("a reader has closed its event socket");
        close(connection->descriptor);
        connection->descriptor = -1;
        return;
    }
    /* What an event socket says is heard but not listened to. */
    if (reader->socket == connection) return;
    connection->filled += (size_t)count;
    serve(reader, connection);
}

static void accept_connection(struct reader *reader) {
    int descriptor = accept4(reader->listener, NULL, NULL, SOCK_CLOEXEC);
    if (descriptor < 0) return;
    int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    for (int index = 0; index < connections_at_most; index++) {
        struct connection *connection = &reader->connections[index];
        if (connection->descriptor >= 0) continue;
        connection->descriptor = descriptor;
        connection->filled = 0;
        return;
    }
    fail("a reader has too many connections");
}

static void flush(struct reader *reader) {
    if (reader->held_size == 0) return;
    ssize_t count = send(reader->socket->descriptor, reader->held, reader->held_size,
                         MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) fail("an event cannot be written");
    reader->held_size -= (size_t)count;
    memmove(reader->held, reader->held + count, reader->held_size);
}

static void send_event(struct reader *reader) {
    char text[frame_size];
    long number = reader->sent++;
    /* The moment stands last before the write. */
    int length = snprintf(
        text, sizeof text,
        "{\"type\":\"new_msg\",\"data\":{\"sha256\":"
        "\"90427d5900030da9b98c6f47c64f1f3624bdc0817130f7736c49223da93a6232\",\"psha256\":null,"
        "\"id\":%ld,\"version\":1,\"has_pid\":false,\"has_add_to\":false,\"important\":false,"
        "\"no_reply\":false,\"deflate\":false,\"terminal\":false,\"pid\":null,"
        "\"from\":\"@alice@example.com\",\"to\":[\"@bench@example.com\"],\"to_delivery\":[{"
        "\"addr\":\"@bench@example.com\",\"time_delivered\":\"2026-11-30T02:26:58Z\","
        "\"response_code\":200}],\"add_to\":null,\"time\":1796005618.013014,"
        "\"topic\":\"Greetings\",\"type\":\"text/plain\",\"size\":%d,"
        "\"short_text\":\"at %08ld %020lld\",\"read\":false,\"time_read\":null,"
        "\"attachments\":null,\"reaction\":null,\"reactions\":[]}}",
        number + 1, 3 + 8 + 1 + 20, number, (long long)nanoseconds());
    size_t size = (size_t)length + 4;
    if (length < 126 || reader->held_size + size > sizeof reader->held) {
        fail("a reader leaves too many events unread");
    }
    char *frame = reader->held + reader->held_size;
    frame[0] = (char)0x81;
    frame[1] = 126;
    frame[2] = (char)(length >> 8);
    frame[3] = (char)length;
    memcpy(frame + 4, text, (size_t)length);
    reader->held_size += size;
    flush(reader);
}

static void take_line(struct reader *reader, int64_t now) {
    static const char mark[] = "\"at ";
    char *place = strstr(reader->line, mark);
    if (place == NULL) {
        reader->is_ready = 1;
        reader->has_enough = strcmp(reader->line, "enough") == 0;
        return;
    }
    long number;
    long long moment;
    if (sscanf(place + sizeof mark - 1, "%ld %lld", &number, &moment) != 2) return;
    if (number < 0 || number >= event_count) fail("an event that was never sent");
    if (reader->times_came[number]++ == 0) {
        reader->delays[reader->came++] = (double)(now - moment) / 1e6;
    }
    if (reader->came == event_count / 10) reader->memory_early = resident_kilobytes(reader->pid);
    if (reader->came == event_count) reader->memory_late = resident_kilobytes(reader->pid);
}

static void read_lines(struct reader *reader) {
    size_t room = sizeof reader->line - 1 - reader->line_size;
    ssize_t count = read(reader->output, reader->line + reader->line_size, room);
    int64_t now = nanoseconds();
    if (count <= 0) fail("a reader has ended");
    reader->line_size += (size_t)count;
    char *end;
    while ((end = memchr(reader->line, '\n', reader->line_size)) != NULL) {
        *end = 0;
        take_line(reader, now);
        reader->line_size -= (size_t)(end + 1 - reader->line);
        memmove(reader->line, end + 1, reader->line_size);
    }
}

/* Serves what is to be served until the moment, or until something was. */
static void attend(int64_t until) {
    struct pollfd waits[readers_at_most * (connections_at_most + 2)];
    nfds_t count = 0;
    for (int index = 0; index < reader_count; index++) {
        struct reader *reader = &readers[index];
        waits[count++] = (struct pollfd){reader->output, POLLIN, 0};
        waits[count++] = (struct pollfd){reader->listener, POLLIN, 0};
        for (int number = 0; number < connections_at_most; number++) {
            struct connection *connection = &reader->connections[number];
            short events = POLLIN;
            if (connection == reader->socket && reader->held_size > 0) events |= POLLOUT;
            waits[count++] = (struct pollfd){connection->descriptor, events, 0};
        }
    }
    int64_t rest = until - nanoseconds();
    if (rest < 0) rest = 0;
    struct timespec wait = {rest / 1000000000, rest % 1000000000};
    if (ppoll(waits, count, &wait, NULL) <= 0) return;
    struct pollfd *next = waits;
    for (int index = 0; index < reader_count; index++) {
        struct reader *reader = &readers[index];
        if (next++->revents) read_lines(reader);
        if (next++->revents) accept_connection(reader);
        for (int number = 0; number < connections_at_most; number++, next++) {
            if (next->revents & POLLOUT) flush(reader);
            if (next->revents & ~POLLOUT) receive(reader, &reader->connections[number]);
        }
    }
}

static void start(struct reader *reader, char **command) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int ends[2];
    reader->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (reader->listener < 0 || bind(reader->listener, (struct sockaddr *)&address, size) != 0 ||
        listen(reader->listener, 8) != 0 ||
        getsockname(reader->listener, (struct sockaddr *)&address, &size) != 0 ||
        pipe2(ends, O_CLOEXEC) != 0) {
        fail("no socket is to be had");
    }
    for (int index = 0; index < connections_at_most; index++) {
        reader->connections[index].descriptor = -1;
    }
    reader->times_came = calloc((size_t)event_count, 1);
    reader->delays = calloc((size_t)event_count, sizeof *reader->delays);
    if (reader->times_came == NULL || reader->delays == NULL) fail("no memory is to be had");
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%d", ntohs(address.sin_port));
    setenv("FMSG_API_URL", url, 1);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    int error = posix_spawnp(&reader->pid, command[0], &actions, NULL, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) fail(command[0]);
    close(ends[1]);
    reader->output = ends[0];
}

static int all_are(int (*holds)(const struct reader *)) {
    for (int index = 0; index < reader_count; index++) {
        if (!holds(&readers[index])) return 0;
    }
    return 1;
}

static int is_listening(const struct reader *reader) {
    return reader->is_ready && reader->socket != NULL;
}

static int has_all(const struct reader *reader) {
    return reader->has_enough || reader->came == event_count;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void report(const struct reader *reader) {
    long once = 0;
    for (long index = 0; index < event_count; index++) once += reader->times_came[index] == 1;
    qsort(reader->delays, (size_t)reader->came, sizeof *reader->delays, ascending);
    double median = reader->came > 0 ? reader->delays[reader->came / 2] : 0;
    double high = reader->came > 0 ? reader->delays[reader->came * 99 / 100] : 0;
    printf("%ld\t%.3f\t%.3f\t%ld\t%ld\n", once, median, high, reader->memory_early,
           reader->memory_late);
}

int main(int argc, char **argv) {
    if (argc < 4 || getenv("FMSG_TOKEN") == NULL) {
        fputs("usage: FMSG_TOKEN=... stream RATE COUNT COMMAND... [-- REFERENCE...]\n", stderr);
        return 64;
    }
    double rate = atof(argv[1]);
    event_count = atol(argv[2]);
    if (rate <= 0 || event_count < 10 || event_count > 10000000) fail("not that many events");
    prctl(PR_SET_TIMERSLACK, 1);

    char **reference = argv + 3;
    while (*reference != NULL && strcmp(*reference, "--") != 0) reference++;
    if (*reference != NULL) *reference++ = NULL;
    start(&readers[reader_count++], argv + 3);
    if (*reference != NULL) start(&readers[reader_count++], reference);

    int64_t limit = nanoseconds() + (int64_t)(patience * 1e9);
    while (!all_are(is_listening)) {
        if (nanoseconds() > limit) fail("a reader is not ready");
        attend(limit);
    }
    int64_t begin = nanoseconds() + 100000000;
    for (long number = 0; number < event_count * reader_count; number++) {
        int64_t due = begin + (int64_t)((double)number / reader_count / rate * 1e9);
        while (nanoseconds() < due) attend(due);
        send_event(&readers[number % reader_count]);
    }
    limit = nanoseconds() + (int64_t)(patience * 1e9);
    while (!all_are(has_all) && nanoseconds() < limit) attend(limit);

    for (int index = 0; index < reader_count; index++) {
        report(&readers[index]);
        kill(readers[index].pid, SIGTERM);
        waitpid(readers[index].pid, NULL, 0);
    }
    return 0;
}
