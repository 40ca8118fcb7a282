/* A person at a terminal, with a stop watch.

   Usage: prompt start RUNS COMMAND... against REFERENCE...
          prompt echo KEYS FILE COMMAND... against REFERENCE...
          prompt memory COUNT FILE COMMAND...

   Each command runs on a pseudo-terminal of its own and shows a prompt that ends in "> ".

   start: runs the commands in turn, and prints the median time in milliseconds until the prompt of
   each, parted by a tab.
   echo: types a key in one and the other in turn, and writes to FILE the median time in milliseconds
   until each shows it.
   memory: waits until the prompt shows "(COUNT)", and writes to FILE the resident memory of the
   command in kilobytes when it had shown a tenth of that, and then.

   echo and memory are readers of `stream`: they print a line once the prompt of the command shows an
   address and is no longer connecting, "enough" when they are done, and end when they are told to. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "resident.h"

/* A command on its terminal, and the last that it showed. */
struct terminal {
    pid_t pid;
    int controller;
    char shown[1 << 16];
    size_t size;
};

static const int patience = 60000;
/* No notice and no prompt holds it. */
static const char key = '~', erase = 0x7F;

static void fail(const char *what) {
    fprintf(stderr, "prompt: %s\n", what);
    exit(1);
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void start(struct terminal *terminal, char **command) {
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    terminal->size = 0;
    terminal->pid = forkpty(&terminal->controller, NULL, NULL, &size);
    if (terminal->pid < 0) fail("no terminal is to be had");
    if (terminal->pid == 0) {
        setenv("TERM", "xterm", 1);
        setenv("INPUTRC", "/dev/null", 1);
        execvp(command[0], command);
        _exit(127);
    }
    fcntl(terminal->controller, F_SETFD, FD_CLOEXEC);
}

static void end(struct terminal *terminal) {
    kill(terminal->pid, SIGKILL);
    waitpid(terminal->pid, NULL, 0);
    close(terminal->controller);
}

/* Reads what is shown within the time; 0 when nothing was. */
static int look(struct terminal *terminal, int limit) {
    struct pollfd wait = {terminal->controller, POLLIN, 0};
    if (poll(&wait, 1, limit) <= 0) return 0;
    size_t half = sizeof terminal->shown / 2;
    if (terminal->size > half) {
        memmove(terminal->shown, terminal->shown + terminal->size - half / 2, half / 2);
        terminal->size = half / 2;
    }
    ssize_t count = read(terminal->controller, terminal->shown + terminal->size, half);
    if (count <= 0) fail("a command has ended");
    terminal->size += (size_t)count;
    terminal->shown[terminal->size] = 0;
    return 1;
}

static int ends_in_prompt(const struct terminal *terminal) {
    return terminal->size >= 2 && memcmp(terminal->shown + terminal->size - 2, "> ", 2) == 0;
}

static void wait_for_prompt(struct terminal *terminal) {
    while (!ends_in_prompt(terminal)) {
        if (!look(terminal, patience)) fail("there is no prompt");
    }
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

static double time_to_prompt(char **command) {
    static struct terminal terminal;
    double begin = milliseconds();
    start(&terminal, command);
    wait_for_prompt(&terminal);
    double time = milliseconds() - begin;
    end(&terminal);
    return time;
}

static double time_to_echo(struct terminal *terminal) {
    /* What was shown before is over. */
    while (look(terminal, 10)) {
    }
    terminal->size = 0;
    double begin = milliseconds();
    if (write(terminal->controller, &key, 1) != 1) fail("a key cannot be typed");
    do {
        if (!look(terminal, patience)) fail("a key is not shown");
    } while (memchr(terminal->shown, key, terminal->size) == NULL);
    double time = milliseconds() - begin;
    if (write(terminal->controller, &erase, 1) != 1) fail("a key cannot be typed");
    return time;
}

static void wait_until_connected(struct terminal *terminal) {
    const char *last;
    do {
        if (!look(terminal, patience)) fail("there is no connection");
        last = strrchr(terminal->shown, '\r');
    } while (last == NULL || !ends_in_prompt(terminal) || strstr(last, "@bench") == NULL ||
             strstr(last, "connecting") != NULL);
    puts("ready");
    fflush(stdout);
}

static void rest(struct terminal *terminal) {
    puts("enough");
    fflush(stdout);
    /* What is shown is still taken, so that nobody waits for it. */
    for (;;) look(terminal, patience);
}

/* The number in the last "(N)" that was shown. */
static long count_shown(const struct terminal *terminal) {
    for (size_t index = terminal->size; index-- > 0;) {
        if (terminal->shown[index] == '(') return atol(terminal->shown + index + 1);
    }
    return 0;
}

static FILE *opened(const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) fail(path);
    return file;
}

static struct terminal own, other;

int main(int argc, char **argv) {
    const char *what = argc > 3 ? argv[1] : "";
    int count = argc > 3 ? atoi(argv[2]) : 0;
    int is_start = strcmp(what, "start") == 0;
    if (argc < 5) count = 0;
    char **command = argv + (is_start || argc < 5 ? 3 : 4), **reference = command;
    while (*reference != NULL && strcmp(*reference, "against") != 0) reference++;
    if (*reference != NULL) *reference++ = NULL;
    int needs_reference = is_start || strcmp(what, "echo") == 0;
    if (count < 1 || *command == NULL || (needs_reference && *reference == NULL)) {
        fputs("usage: prompt start|echo|memory COUNT [FILE] COMMAND... [against REFERENCE...]\n", stderr);
        return 64;
    }
    double *times = calloc((size_t)count, sizeof *times);
    double *reference_times = calloc((size_t)count, sizeof *reference_times);
    if (times == NULL || reference_times == NULL) return 1;

    if (is_start) {
        for (int run = -3; run < count; run++) {
            double time = time_to_prompt(command), reference_time = time_to_prompt(reference);
            if (run < 0) continue;
            times[run] = time;
            reference_times[run] = reference_time;
        }
        printf("%.2f\t%.2f\n", median(times, count), median(reference_times, count));
        return 0;
    }
    start(&own, command);
    if (needs_reference) start(&other, reference);
    wait_until_connected(&own);
    if (needs_reference) {
        wait_for_prompt(&other);
        for (int index = 0; index < count; index++) {
            times[index] = time_to_echo(&own);
            reference_times[index] = time_to_echo(&other);
        }
        FILE *file = opened(argv[3]);
        fprintf(file, "%.3f\t%.3f\n", median(times, count), median(reference_times, count));
        fclose(file);
    } else {
        long early = 0;
        while (count_shown(&own) < count) {
            if (early == 0 && count_shown(&own) >= count / 10) early = resident_kilobytes(own.pid);
            if (!look(&own, patience)) fail("not all events are counted");
        }
        FILE *file = opened(argv[3]);
        fprintf(file, "%ld\t%ld\n", early, resident_kilobytes(own.pid));
        fclose(file);
    }
    rest(&own);
}
