// What builds for the sanitizers need to be told; in all others this file is empty.
#if defined(__has_feature)

#if __has_feature(address_sanitizer)

// What Swift's runtime allocates once and keeps for good is no leak.
const char *__asan_default_options(void) { return "detect_leaks=0"; }

#endif

// ThreadSanitizer is told of Swift's Mutex. Its quick ways are compiled into each caller, where the
// sanitizer sees them; the slow ones, for a mutex that somebody else holds, are in a library that is
// not instrumented, so that whatever they order would be reported as a race. These two stand before
// the library's own.
#if __has_feature(thread_sanitizer) && defined(__linux__)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// A race ends the program at once, also one that a test runs with an environment of its own. By
// default a program would sleep a second at its end for the races of that moment, and complain of
// threads that nobody waited for, which is how an interruption ends one.
const char *__tsan_default_options(void) {
    return "halt_on_error=1:atexit_sleep_ms=0:report_thread_leaks=0";
}

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void (*LockSlow)(
    uint32_t thread, __attribute__((swift_context)) void *handle);
typedef __attribute__((swiftcall)) void (*UnlockSlow)(
    __attribute__((swift_context)) void *handle);

__attribute__((swiftcall)) void csystem_mutex_lock_slow(
    uint32_t thread, __attribute__((swift_context)) void *handle) __asm__(LOCK_SLOW);
__attribute__((swiftcall)) void csystem_mutex_unlock_slow(
    __attribute__((swift_context)) void *handle) __asm__(UNLOCK_SLOW);

__attribute__((swiftcall)) void csystem_mutex_lock_slow(
    uint32_t thread, __attribute__((swift_context)) void *handle) {
    LockSlow lock = (LockSlow)dlsym(RTLD_NEXT, LOCK_SLOW);
    lock(thread, handle);
    __tsan_acquire(handle);
}

__attribute__((swiftcall)) void csystem_mutex_unlock_slow(
    __attribute__((swift_context)) void *handle) {
    UnlockSlow unlock = (UnlockSlow)dlsym(RTLD_NEXT, UNLOCK_SLOW);
    __tsan_release(handle);
    unlock(handle);
}

#endif
#endif
