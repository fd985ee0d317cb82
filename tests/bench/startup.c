/* startup.c: how long a server takes from exec to its first answer.
 *
 *   bench_startup RUNS COMMAND [ARGUMENT...]
 *
 * Starts the command, which prints its address on its first line, sends one ListTables, and prints
 * a line for each run: milliseconds until the answer, and the resident memory in KiB after it. */
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SETTLE_MS 200 /* before memory is read */

extern char **environ;

static const char request[] =
    "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"
    "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20240101T000000Z\r\n"
    "Authorization: AWS4-HMAC-SHA256 Credential=a/20240101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date, Signature=0\r\nContent-Length: 2\r\n\r\n{}";

static void fail(const char *doing)
{
    perror(doing);
    exit(EXIT_FAILURE);
}

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Starts the command; its standard output becomes *output. */
static pid_t start(char **command, FILE **output)
{
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t pid;

    if (pipe(ends))
        fail("pipe");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    if (posix_spawnp(&pid, command[0], &actions, NULL, command, environ))
        fail(command[0]);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!(*output = fdopen(ends[0], "r")))
        fail("fdopen");
    return pid;
}

/* The port at the end of "… listening on http://ADDRESS:PORT". */
static int read_port(FILE *output)
{
    char line[1024];
    const char *colon;

    if (!fgets(line, sizeof line, output) || !(colon = strrchr(line, ':')))
        return -1;
    return (int)strtol(colon + 1, NULL, 10);
}

static int answers(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    char reply[4096] = "";
    ssize_t got = 0;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
        write(fd, request, sizeof request - 1) == (ssize_t)sizeof request - 1)
        got = read(fd, reply, sizeof reply);
    close(fd);
    return got > 12 && memcmp(reply + 9, "200", 3) == 0;
}

static long resident_kib(pid_t pid)
{
    char path[64], line[256];
    long kib = -1;
    FILE *status;

    (void)snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    if (!(status = fopen(path, "r")))
        fail(path);
    while (fgets(line, sizeof line, status))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    (void)fclose(status);
    return kib;
}

static void run(char **command)
{
    const struct timespec settle = {.tv_nsec = SETTLE_MS * 1000000L};
    double begin = now_ms(), end;
    FILE *output;
    pid_t pid = start(command, &output);
    int good = answers(read_port(output));

    end = now_ms();
    nanosleep(&settle, NULL);
    if (good)
        printf("%.3f %ld\n", end - begin, resident_kib(pid));
    (void)fflush(stdout);
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    (void)fclose(output);
    if (!good) {
        (void)fprintf(stderr, "%s did not answer\n", command[0]);
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        (void)fprintf(stderr, "usage: bench_startup RUNS COMMAND [ARGUMENT...]\n");
        return EXIT_FAILURE;
    }
    for (long i = strtol(argv[1], NULL, 10); i > 0; i--)
        run(argv + 2);
    return EXIT_SUCCESS;
}
