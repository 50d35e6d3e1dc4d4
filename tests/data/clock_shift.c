/* Preloaded into the server by tests: the time of day is that of the machine plus the milliseconds in the file
   that CLOCK_SHIFT_FILE names, which a test may change at any moment. Elapsed time is the machine's. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long long *shift;

__attribute__((constructor)) static void open_shift(void) {
    const char *path = getenv("CLOCK_SHIFT_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *map = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
    if (map != MAP_FAILED)
        shift = map;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int failed = (int)syscall(SYS_clock_gettime, clock, time);
    if (!failed && shift && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        long long nanos = time->tv_nsec + (*shift % 1000) * 1000000LL;
        time->tv_sec += *shift / 1000 + nanos / 1000000000LL;
        time->tv_nsec = nanos % 1000000000LL;
        if (time->tv_nsec < 0) {
            time->tv_nsec += 1000000000LL;
            time->tv_sec -= 1;
        }
    }
    return failed;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone) {
    struct timespec time;
    (void)zone;
    int failed = clock_gettime(CLOCK_REALTIME, &time);
    value->tv_sec = time.tv_sec;
    value->tv_usec = time.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}
