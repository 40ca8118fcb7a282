/* Runs a command that tells its requests on standard error (--verbose), and prints what it cost.

   Usage: peak UNTIL COMMAND...

   The command is ended by SIGTERM once a line of its standard output holds the text UNTIL; with an
   empty UNTIL it is left to end by itself, which it must do with success.

   Prints, parted by tabs: its largest resident memory in kilobytes, the requests for a page of a
   list that it told, how many of them it had told when its first line came out, and its lines. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char page[] = "fmsg: GET ", query[] = "limit=";

/* Bytes that wait for the end of their line; what is too long for it is cut. */
struct lines {
    int descriptor;
    char line[1 << 16];
    size_t size;
};

static struct lines output, talk;
static long line_count, page_count, pages_before_first;
static const char *until;
static pid_t child;

static void take_output(const char *line) {
    if (line_count++ == 0) pages_before_first = page_count;
    if (*until != 0 && strstr(line, until) != NULL) kill(child, SIGTERM);
}

static void take_talk(const char *line) {
    if (strncmp(line, page, sizeof page - 1) == 0 && strstr(line, query) != NULL) page_count++;
}

static void take(struct lines *lines, void (*use)(const char *)) {
    char bytes[1 << 16];
    ssize_t count = read(lines->descriptor, bytes, sizeof bytes);
    if (count <= 0) {
        lines->descriptor = -1;
        return;
    }
    for (ssize_t index = 0; index < count; index++) {
        if (bytes[index] != '\n') {
            if (lines->size < sizeof lines->line - 1) lines->line[lines->size++] = bytes[index];
            continue;
        }
        lines->line[lines->size] = 0;
        lines->size = 0;
        use(lines->line);
    }
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: peak UNTIL COMMAND...\n", stderr);
        return 64;
    }
    until = argv[1];
    int out[2], err[2];
    if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return 1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    if (posix_spawnp(&child, argv[2], &actions, NULL, argv + 2, environ) != 0) {
        fprintf(stderr, "peak: %s cannot be run\n", argv[2]);
        return 1;
    }
    close(out[1]);
    close(err[1]);
    output.descriptor = out[0];
    talk.descriptor = err[0];

    while (output.descriptor >= 0 || talk.descriptor >= 0) {
        struct pollfd waits[] = {{talk.descriptor, POLLIN, 0}, {output.descriptor, POLLIN, 0}};
        if (poll(waits, 2, -1) < 0) continue;
        /* The talk first: what was told before a line is then counted before it. */
        if (waits[0].revents) take(&talk, take_talk);
        if (waits[1].revents) take(&output, take_output);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child) return 1;
    int is_expected = *until == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 0
                                  : WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM;
    if (!is_expected) {
        fprintf(stderr, "peak: %s ended in an unexpected way (%d)\n", argv[2], status);
        return 1;
    }
    printf("%ld\t%ld\t%ld\t%ld\n", usage.ru_maxrss, page_count, pages_before_first, line_count);
    return 0;
}
