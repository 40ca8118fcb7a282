#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <spawn.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

char **csystem_environment(void) { return environ; }

void csystem_error_text(int error, char *buffer, size_t size) {
    const char *words = strerrordesc_np(error);
    if (words) {
        snprintf(buffer, size, "%s", words);
    } else {
        snprintf(buffer, size, "error %d", error);
    }
}

// Opens /dev/null on whichever of the descriptors 0, 1 and 2 is closed, the wrong way round, so
// that no file opened later takes its place and using it still fails with EBADF. It runs before
// main, since the Swift runtime opens descriptors of its own.
__attribute__((constructor)) static void guard_standard_descriptors(void) {
    for (int descriptor = 0; descriptor < 3; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
            // open(2) takes the lowest free number, which is this one.
            if (open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) == -1) return;
        }
    }
}

int csystem_open(const char *path, int flags, mode_t mode) {
    int descriptor;
    do {
        descriptor = open(path, flags | O_CLOEXEC, mode);
    } while (descriptor == -1 && errno == EINTR);
    return descriptor;
}

int csystem_rename_new(const char *path, const char *name) {
#if defined(__APPLE__)
    return renamex_np(path, name, RENAME_EXCL);
#else
#ifdef RENAME_NOREPLACE
    if (renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
#endif
    // A file system without that: a second name is never given to one that is taken.
    return link(path, name) == 0 ? unlink(path) : -1;
#endif
}

int csystem_pipe(int *read_end, int *write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

int csystem_make_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags == -1 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

int csystem_terminal_columns(int descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void csystem_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

void csystem_keep_children(void) { signal(SIGCHLD, SIG_DFL); }

void csystem_block_broken_pipes(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static bool interrupts_are_ignored;
static struct sigaction former_interrupt, former_quit;

void csystem_ignore_interrupts(void) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGINT, &ignore, &former_interrupt);
    sigaction(SIGQUIT, &ignore, &former_quit);
    interrupts_are_ignored = true;
}

void csystem_heed_interrupts(void) {
    interrupts_are_ignored = false;
    sigaction(SIGINT, &former_interrupt, NULL);
    sigaction(SIGQUIT, &former_quit, NULL);
}

static int spawn(const char *program, char *const arguments[], char *const environment[],
                 const posix_spawn_file_actions_t *actions, short flags, pid_t *pid) {
    posix_spawnattr_t attributes;
    int error = posix_spawnattr_init(&attributes);
    if (error) return error;
    sigset_t defaults, none;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    // Only what is ignored for the child's sake; what a parent had ignored stays so.
    if (interrupts_are_ignored && former_interrupt.sa_handler != SIG_IGN) {
        sigaddset(&defaults, SIGINT);
    }
    if (interrupts_are_ignored && former_quit.sa_handler != SIG_IGN) {
        sigaddset(&defaults, SIGQUIT);
    }
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | flags);
    error = posix_spawn(pid, program, actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    return error;
}

int csystem_spawn(const char *program, char *const arguments[], char *const environment[],
                  pid_t *pid) {
    return spawn(program, arguments, environment, NULL, 0, pid);
}

int csystem_spawn_reading(const char *program, char *const arguments[], char *const environment[],
                          int input, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!error) error = spawn(program, arguments, environment, &actions, 0, pid);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// The groups that this process started and has not reaped; 0 is a free place.
static _Atomic(pid_t) groups[64];

static void remember_group(pid_t group) {
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        pid_t none = 0;
        if (atomic_compare_exchange_strong(&groups[i], &none, group)) return;
    }
}

static void forget_group(pid_t group) {
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        pid_t known = group;
        if (atomic_compare_exchange_strong(&groups[i], &known, 0)) return;
    }
}

int csystem_spawn_group(const char *program, char *const arguments[], char *const environment[],
                        int input, int output, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (!error) {
        error = spawn(program, arguments, environment, &actions, POSIX_SPAWN_SETPGROUP, pid);
    }
    if (!error) remember_group(*pid);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int csystem_spawn_detached(const char *program, char *const arguments[],
                           char *const environment[]) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    for (int descriptor = 0; !error && descriptor < 3; descriptor++) {
        error = posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
    }
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    pid_t pid;
    if (!error) {
        error = spawn(program, arguments, environment, &actions, POSIX_SPAWN_SETSID, &pid);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int csystem_spawn_session(const char *program, char *const arguments[], char *const environment[],
                          const char *path, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    // Whoever leads a session and opens a terminal has it as its own.
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (!error) error = spawn(program, arguments, environment, &actions, POSIX_SPAWN_SETSID, pid);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

void csystem_await_exit(pid_t pid) {
    siginfo_t info;
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) == -1 && errno == EINTR) {
    }
}

int csystem_reap(pid_t pid, int *signal) {
    int status;
    pid_t result;
    // Before its number can be another's.
    forget_group(pid);
    do {
        result = waitpid(pid, &status, 0);
    } while (result == -1 && errno == EINTR);
    *signal = 0;
    if (result == -1) return 127;
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    *signal = WTERMSIG(status);
    return 128 + *signal;
}

int csystem_signal_group(pid_t group, int signal) {
    return group > 1 ? kill(-group, signal) : -1;
}

int csystem_bytes_waiting(int descriptor) {
    int count;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

int csystem_execute(const char *program, char *const arguments[], char *const environment[]) {
    signal(SIGPIPE, SIG_DFL);
    execve(program, arguments, environment);
    int error = errno;
    signal(SIGPIPE, SIG_IGN);
    return error;
}

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t signal_descriptor = -1;

static void report_signal(int number) {
    int saved = errno;
    char byte = (char)number;
    ssize_t written = write(signal_descriptor, &byte, 1);
    (void)written;
    errno = saved;
}

// What was started in groups of its own does not get the terminal's signals: nothing of it stays.
static void end_by(int number) {
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        pid_t group = groups[i];
        if (group > 1) kill(-group, SIGKILL);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static _Atomic(int64_t) first_signal_at;

// The first one is reported, and the next ends the process; but one that follows at once is the same
// wish told twice, as timeout(1) tells a process and then its group.
static void heed_signal(int number) {
    int saved = errno;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    int64_t now = (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000 + 1;
    int64_t none = 0;
    if (atomic_compare_exchange_strong(&first_signal_at, &none, now)) {
        report_signal(number);
    } else if (now - none > 500) {
        end_by(number);
    }
    errno = saved;
}

void csystem_catch_signals(int descriptor) {
    signal_descriptor = descriptor;
    first_signal_at = 0;
    // A runtime that shows where a program crashed takes SIGQUIT for a crash.
    struct sigaction quit;
    if (sigaction(SIGQUIT, NULL, &quit) == 0 && quit.sa_handler != SIG_IGN) signal(SIGQUIT, end_by);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        struct sigaction former;
        if (sigaction(caught[i], NULL, &former) == 0 && former.sa_handler == SIG_IGN) continue;
        struct sigaction action = {.sa_handler = heed_signal, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        sigaction(caught[i], &action, NULL);
    }
}

void csystem_release_signals(void) {
    struct sigaction quit;
    if (sigaction(SIGQUIT, NULL, &quit) == 0 && quit.sa_handler == end_by) signal(SIGQUIT, SIG_DFL);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++) {
        struct sigaction former;
        if (sigaction(caught[i], NULL, &former) == 0 && former.sa_handler == heed_signal) {
            signal(caught[i], SIG_DFL);
        }
    }
}

void csystem_watch_signals(const int signals[], size_t count, int descriptor) {
    signal_descriptor = descriptor;
    for (size_t i = 0; i < count; i++) {
        struct sigaction former;
        if (sigaction(signals[i], NULL, &former) == 0 && former.sa_handler == SIG_IGN) continue;
        struct sigaction action = {.sa_handler = report_signal, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        sigaction(signals[i], &action, NULL);
    }
}

void csystem_suspend(void) {
    struct sigaction former, action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTSTP, &action, &former);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &former, NULL);
}

struct csystem_terminal_state {
    struct termios settings;
};

csystem_terminal_state *csystem_hide_input(int descriptor) {
    csystem_terminal_state *state = malloc(sizeof *state);
    if (!state) return NULL;
    if (tcgetattr(descriptor, &state->settings) != 0) {
        free(state);
        return NULL;
    }
    struct termios hidden = state->settings;
    hidden.c_lflag &= ~(tcflag_t)ECHO;
    hidden.c_lflag |= ECHONL | ICANON | ISIG;
    hidden.c_cc[VSUSP] = _POSIX_VDISABLE;
    hidden.c_cc[VQUIT] = _POSIX_VDISABLE;
    if (tcsetattr(descriptor, TCSAFLUSH, &hidden) != 0) {
        free(state);
        return NULL;
    }
    return state;
}

void csystem_restore_terminal(int descriptor, csystem_terminal_state *state) {
    while (tcsetattr(descriptor, TCSADRAIN, &state->settings) == -1 && errno == EINTR) {
    }
    free(state);
}

int csystem_open_terminal(int *controller, int *terminal) {
    int first = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (first == -1) return -1;
    char name[128];
    int second = -1;
    if (grantpt(first) == 0 && unlockpt(first) == 0 && ptsname_r(first, name, sizeof name) == 0) {
        second = csystem_open(name, O_RDWR | O_NOCTTY, 0);
    }
    if (second == -1) {
        int error = errno;
        close(first);
        errno = error;
        return -1;
    }
    *controller = first;
    *terminal = second;
    return 0;
}

bool csystem_terminal_echoes(int descriptor) {
    struct termios settings;
    return tcgetattr(descriptor, &settings) == 0 && (settings.c_lflag & ECHO);
}

bool csystem_to_local_time(int64_t seconds, csystem_local_time *result) {
    time_t moment = (time_t)seconds;
    struct tm fields;
    if (!localtime_r(&moment, &fields) || fields.tm_year > 8099 || fields.tm_year < -1900) {
        return false;
    }
    *result = (csystem_local_time){fields.tm_year + 1900, fields.tm_mon + 1, fields.tm_mday,
                                   fields.tm_hour,        fields.tm_min,     fields.tm_sec,
                                   fields.tm_gmtoff};
    return true;
}
