/* Runs two commands in turn and prints the median of each and the ratio of the two.

   Usage: measure wall|cpu RUNS COMMAND... -- REFERENCE...

   The time is that on the clock (wall), or that of the process in user and kernel mode (cpu). The
   commands take turns, so that what else the machine does meets both alike. Their output goes to
   /dev/null. A command that fails ends it all. Prints: median and reference median in
   milliseconds, and their ratio, parted by tabs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static const int warm_ups = 3;

static double monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

/* The seconds of one run. Ends the program when the command fails. */
static double run(char **command, bool is_cpu) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);

    pid_t child;
    double start = monotonic();
    int error = posix_spawnp(&child, command[0], &actions, NULL, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        fprintf(stderr, "measure: %s: %s\n", command[0], strerror(error));
        exit(1);
    }
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno == EINTR) continue;
        perror("measure: wait4");
        exit(1);
    }
    double elapsed = monotonic() - start;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "measure: %s failed\n", command[0]);
        exit(1);
    }
    return is_cpu ? seconds(usage.ru_utime) + seconds(usage.ru_stime) : elapsed;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    int middle = count / 2;
    return count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

static int refuse(void) {
    fputs("usage: measure wall|cpu RUNS COMMAND... -- REFERENCE...\n", stderr);
    return 64;
}

int main(int argc, char **argv) {
    if (argc < 6) return refuse();
    bool is_cpu = strcmp(argv[1], "cpu") == 0;
    int runs = atoi(argv[2]);
    if ((!is_cpu && strcmp(argv[1], "wall") != 0) || runs < 1 || runs > 100000) return refuse();

    char **command = argv + 3;
    char **reference = command;
    while (*reference != NULL && strcmp(*reference, "--") != 0) reference++;
    if (reference == command || *reference == NULL || reference[1] == NULL) return refuse();
    *reference++ = NULL;

    double *times = calloc((size_t)runs, sizeof *times);
    double *reference_times = calloc((size_t)runs, sizeof *reference_times);
    if (times == NULL || reference_times == NULL) return 1;
    for (int index = -warm_ups; index < runs; index++) {
        double time = run(command, is_cpu);
        double reference_time = run(reference, is_cpu);
        if (index < 0) continue;
        times[index] = time;
        reference_times[index] = reference_time;
    }
    double own = median(times, runs), other = median(reference_times, runs);
    printf("%.2f\t%.2f\t%.2f\n", own * 1000, other * 1000, own / other);
    free(times);
    free(reference_times);
    return 0;
}
