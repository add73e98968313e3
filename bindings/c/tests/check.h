/* Checks of the C tests: they print what failed and count. */
#ifndef CHECK_H
#define CHECK_H

#include <carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int check_count;
extern int check_failures;

#define CHECK(rule)                                                                                \
    do {                                                                                           \
        check_count++;                                                                             \
        if (!(rule)) {                                                                             \
            check_failures++;                                                                      \
            printf("%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #rule, carom_last_error()); \
        }                                                                                          \
    } while (0)

#define CHECK_OK(call) CHECK((call) == CAROM_OK)

/* Whether a call is refused with a status and a text that holds words. */
#define CHECK_REFUSED(call, status, words)                                                         \
    do {                                                                                           \
        CHECK((call) == (status));                                                                 \
        CHECK(carom_last_status() == (status));                                                    \
        CHECK(strstr(carom_last_error(), (words)) != NULL);                                        \
    } while (0)

/* A body of one shape. */
carom_body check_body(carom_world *world, carom_body_kind kind, float x, float y,
                      carom_geometry geometry);

/* Steps a world by sixtieths of a second. */
void check_steps(carom_world *world, int count);

int layout_is_checked(void);
void test_bodies(void);
void test_errors(void);
void test_events(void);
void test_geometry(void);
void test_hooks(void);
void test_joints(void);
void test_queries(void);
void test_snapshots(void);
void test_games(void);
void test_navigation(void);

#endif
