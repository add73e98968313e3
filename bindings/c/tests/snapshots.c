/* Snapshots, hash, ring, recordings. */
#include "check.h"

static carom_world *pile(void) {
    carom_world *world = carom_world_new(NULL);
    check_body(world, CAROM_BODY_FIXED, 0.0f, -1.0f, carom_rect(40.0f, 2.0f));
    for (int k = 0; k < 10; k++)
        check_body(world, CAROM_BODY_DYNAMIC, 0.1f * (float)k, 1.0f + 1.1f * (float)k,
                   carom_rect(1.0f, 1.0f));
    return world;
}

static void test_save(void) {
    carom_world *world = pile();
    size_t size;
    CHECK(carom_world_save(world, NULL, 0, &size) == CAROM_BUFFER_TOO_SMALL);
    CHECK(strstr(carom_last_error(), "are needed") != NULL);
    uint8_t *bytes = (uint8_t *)malloc(size);
    size_t written;
    CHECK(carom_world_save(world, bytes, size - 1, &written) == CAROM_BUFFER_TOO_SMALL);
    CHECK(written == size);
    CHECK_OK(carom_world_save(world, bytes, size, &written));
    carom_world *copy = carom_world_clone(world);
    check_steps(world, 60);
    uint64_t later = carom_world_hash(world);
    CHECK(carom_world_hash(copy) != later);
    uint8_t text[200];
    size_t length;
    CHECK(carom_world_difference(world, copy, text, sizeof text, &length) && length > 10);
    CHECK_OK(carom_world_load(world, bytes, written));
    CHECK(carom_world_hash(world) == carom_world_hash(copy));
    CHECK(!carom_world_difference(world, copy, text, sizeof text, &length) && length == 0);
    check_steps(world, 60);
    CHECK(carom_world_hash(world) == later);
    bytes[written / 2] ^= 1;
    CHECK(carom_world_load(world, bytes, written) == CAROM_BAD_BYTES);
    CHECK(carom_world_hash(world) == later);
    free(bytes);

    /* Another process has none of the geometry. */
    CHECK(carom_world_save_whole(copy, NULL, 0, &size) == CAROM_BUFFER_TOO_SMALL);
    bytes = (uint8_t *)malloc(size);
    CHECK_OK(carom_world_save_whole(copy, bytes, size, &written));
    carom_world *other = carom_world_new(NULL);
    CHECK_OK(carom_world_load(other, bytes, written));
    CHECK(carom_world_hash(other) == carom_world_hash(copy));
    CHECK_OK(carom_world_copy(other, world));
    CHECK(carom_world_hash(other) == later);
    free(bytes);
    carom_world_free(other);
    carom_world_free(copy);
    carom_world_free(world);
}

static void test_ring(void) {
    carom_world *world = pile();
    carom_ring *ring = carom_ring_new(8);
    uint64_t at_55 = 0;
    for (int step = 0; step < 60; step++) {
        if (step == 55) at_55 = carom_world_hash(world);
        CHECK_OK(carom_ring_save(ring, world));
        CHECK_OK(carom_world_step(world, 1.0f / 60.0f, NULL));
    }
    const uint64_t *steps;
    size_t count;
    CHECK_OK(carom_ring_steps(ring, &steps, &count));
    CHECK(count == 8 && steps[0] == 52 && steps[7] == 59);
    CHECK(carom_ring_load(ring, 3, world) == CAROM_NO_SUCH_STEP);
    CHECK_OK(carom_ring_load(ring, 55, world));
    CHECK(carom_world_hash(world) == at_55 && carom_world_step_count(world) == 55);
    CHECK(carom_ring_bytes(ring) > 1000);
    carom_ring_free(ring);
    carom_world_free(world);
}

static void test_recording(void) {
    carom_world *world = pile();
    CHECK_OK(carom_world_record(world, 30, true));
    CHECK(carom_world_is_recording(world));
    check_steps(world, 50);
    const carom_body *bodies;
    size_t count;
    CHECK_OK(carom_bodies(world, &bodies, &count));
    CHECK_OK(carom_body_apply_impulse(world, bodies[5], carom_vec(3.0f, 2.0f)));
    check_steps(world, 50);
    uint64_t end = carom_world_hash(world);
    const uint8_t *bytes;
    size_t size;
    CHECK(carom_world_stop_recording(world, &bytes, &size) && size > 100);
    carom_replay *replay = carom_replay_open(bytes, size);
    CHECK(replay != NULL);
    uint64_t first, last, diverged;
    CHECK_OK(carom_replay_steps(replay, &first, &last));
    CHECK(first == 0 && last == 100);
    CHECK(!carom_replay_divergence(replay, &diverged));
    CHECK_OK(carom_replay_seek(replay, 100));
    CHECK(carom_replay_seek(replay, 101) == CAROM_NO_SUCH_STEP);
    CHECK_OK(carom_replay_seek(replay, 99));
    bool stepped = false;
    CHECK_OK(carom_replay_step(replay, &stepped));
    CHECK(stepped);
    carom_world *copy = carom_world_new(NULL);
    CHECK_OK(carom_replay_world(replay, copy));
    CHECK(carom_world_hash(copy) == end);
    CHECK(!carom_world_stop_recording(world, &bytes, &size) && bytes == NULL && size == 0);
    carom_replay_free(replay);
    carom_world_free(copy);
    carom_world_free(world);
}

void test_snapshots(void) {
    test_save();
    test_ring();
    test_recording();
}
