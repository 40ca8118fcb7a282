#ifndef FMSG_CSYSTEM_H
#define FMSG_CSYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The commit that this was built from; empty when the build was not told.
const char *csystem_build_commit(void);

/// The process's environment: "NAME=value" strings, ended by a null pointer.
char **csystem_environment(void);

/// Writes the system's words for an errno into `buffer`, cut to `size` bytes with the final NUL.
void csystem_error_text(int error, char *buffer, size_t size);

/// Opens a file, close-on-exec. Returns a descriptor, or -1 with errno.
int csystem_open(const char *path, int flags, mode_t mode);

/// Renames a file unless the new name is taken, also by a link: then it fails with EEXIST. Returns 0,
/// or -1 with errno.
int csystem_rename_new(const char *path, const char *name);

/// A pipe, both ends close-on-exec. Returns 0, or -1 with errno.
int csystem_pipe(int *read_end, int *write_end);

/// Makes reads and writes return EAGAIN instead of waiting. Returns 0, or -1 with errno.
int csystem_make_nonblocking(int descriptor);

/// The columns of the terminal behind `descriptor`, 0 when it is none or does not know.
int csystem_terminal_columns(int descriptor);

/// Ignores SIGPIPE, so that a lost reader is an error of write(2).
void csystem_ignore_broken_pipes(void);

/// Keeps SIGPIPE from this thread, so that a lost reader is an error of write(2) for it.
void csystem_block_broken_pipes(void);

/// Gives SIGCHLD its default effect: where a parent had it ignored, exit statuses would be lost.
void csystem_keep_children(void);

/// Starts `program`, a path, with the given arguments and environment, signals at their defaults
/// and the standard descriptors inherited. Returns 0 and the pid, or an errno.
int csystem_spawn(const char *program, char *const arguments[], char *const environment[],
                  pid_t *pid);

/// As csystem_spawn, with the given descriptor as standard input.
int csystem_spawn_reading(const char *program, char *const arguments[], char *const environment[],
                          int input, pid_t *pid);

/// As csystem_spawn, in a process group of its own that the pid names, with the given descriptors
/// as standard input and output, standard error inherited, and no other descriptor open.
int csystem_spawn_group(const char *program, char *const arguments[], char *const environment[],
                        int input, int output, pid_t *pid);

/// As csystem_spawn, in a session of its own, with nothing to read and nowhere to write, and no
/// other descriptor open: it goes on when this process and its terminal are gone.
int csystem_spawn_detached(const char *program, char *const arguments[],
                           char *const environment[]);

/// As csystem_spawn, as the leader of a session of its own whose terminal is the one at `path`, with
/// that as its standard streams and no other descriptor open.
int csystem_spawn_session(const char *program, char *const arguments[], char *const environment[],
                          const char *path, pid_t *pid);

/// Waits until a child has ended, and leaves its pid taken.
void csystem_await_exit(pid_t pid);

/// Frees the pid of a child that has ended. Returns its exit status; 128 + N when signal N ended
/// it, which `signal` then holds (0 otherwise); 127 when there is no such child.
int csystem_reap(pid_t pid, int *signal);

/// Sends a signal to every process of a group. Returns 0, or -1 with errno.
int csystem_signal_group(pid_t group, int signal);

/// The bytes that can be read from a pipe now.
int csystem_bytes_waiting(int descriptor);

/// Replaces this process. Returns only on failure, with an errno.
int csystem_execute(const char *program, char *const arguments[], char *const environment[]);

/// From now on the first SIGINT, SIGTERM or SIGHUP writes its number as one byte to `descriptor`; one
/// within half a second after it is passed over, and any later one, as a SIGQUIT at any time, kills the
/// groups of csystem_spawn_group and has its default effect. A signal that is ignored stays so.
void csystem_catch_signals(int descriptor);

/// Gives SIGINT, SIGTERM and SIGHUP back their default effect where they were caught.
void csystem_release_signals(void);

/// From now on each of the signals writes its number as one byte to `descriptor`, every time it
/// comes. One that is ignored stays so.
void csystem_watch_signals(const int signals[], size_t count, int descriptor);

/// Stops this process as the terminal's suspend key does, and returns when it goes on. SIGTSTP is
/// at its default effect meanwhile.
void csystem_suspend(void);
/// Ignores SIGINT and SIGQUIT until csystem_heed_interrupts: what is typed belongs to a child that
/// has the terminal, which gets their default effects. One child at a time.
void csystem_ignore_interrupts(void);
void csystem_heed_interrupts(void);

/// What a terminal was set to before its echo was turned off.
typedef struct csystem_terminal_state csystem_terminal_state;

/// Turns off the echo (but for line ends) and the keys that suspend or abort, and drops what was
/// typed ahead. Returns its former state, to be handed to csystem_restore_terminal, or NULL.
csystem_terminal_state *csystem_hide_input(int descriptor);

/// Restores and frees the state.
void csystem_restore_terminal(int descriptor, csystem_terminal_state *state);

/// A new pseudo-terminal. Returns 0 and both ends, close-on-exec, or -1 with errno.
int csystem_open_terminal(int *controller, int *terminal);

/// Whether a terminal echoes what is typed.
bool csystem_terminal_echoes(int descriptor);

/// The calendar date and time of a moment in the local time zone.
typedef struct {
    int year, month, day, hour, minute, second;
    /// Seconds east of UTC.
    long offset;
} csystem_local_time;

/// Converts POSIX seconds; false when the year cannot be represented.
bool csystem_to_local_time(int64_t seconds, csystem_local_time *result);

#endif
