/* The resident memory of a process in kilobytes; 0 when it cannot be told. */
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

static long resident_kilobytes(pid_t pid) {
    char path[64];
    long total, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}
