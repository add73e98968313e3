// The test of carom.hpp: ownership, copies, lists, exceptions.
#include <carom.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

static int failures = 0;

static void expect(bool rule, const char *text, int line) {
    if (rule) return;
    failures++;
    std::printf("wrapper.cpp:%d: %s\n", line, text);
}

#define EXPECT(rule) expect((rule), #rule, __LINE__)

template <class Call> static carom_status refused(Call call) {
    try {
        call();
    } catch (const carom::error &error) {
        EXPECT(std::strlen(error.what()) > 5);
        return error.status();
    }
    return CAROM_OK;
}

int main() {
    carom::world world;
    carom_body ground = world.add(carom::body(CAROM_BODY_FIXED).at(0, -1).shape(carom_rect(40, 2)));
    carom_body ball = world.add(carom::body(CAROM_BODY_DYNAMIC).at(0, 3).shape(carom_circle(0.5f)));
    EXPECT(world.has(ball) && ball != ground && world.bodies().size() == 2);
    auto bytes = world.save();

    carom::world copy = world;
    int hits = 0;
    for (int k = 0; k < 120; k++) {
        world.step(1.0f / 60.0f);
        for (const carom_hit &hit : world.hits()) hits += hit.body_b == ball || hit.body_a == ball;
    }
    EXPECT(hits == 1 && std::fabs(world.position(ball).y - 0.5f) < 0.01f);
    EXPECT(copy.hash() != world.hash());
    for (int k = 0; k < 120; k++) copy.step(1.0f / 60.0f);
    EXPECT(copy.hash() == world.hash());
    world.load(bytes);
    EXPECT(world.step_count() == 0 && world.position(ball).y == 3.0f);
    copy = world;
    EXPECT(copy.hash() == world.hash());
    carom::world moved = std::move(copy);
    EXPECT(moved.hash() == world.hash());

    auto seen = world.ray({carom_at(0, 9), {0, -20}});
    EXPECT(seen && seen->body == ball);
    EXPECT(!world.ray({carom_at(9, 9), {0, 1}}));
    EXPECT(world.overlap(carom_box_at(carom_vec(-1, -1), carom_vec(1, 4))).size() == 2);
    EXPECT(world.nearest(carom_at(0, 9), 99)->body == ball);

    carom_joint rod = world.add(carom_joint_distance(ground, ball));
    world.step(1.0f / 60.0f);
    EXPECT(world.read(rod).gap < 0.01f);
    world.remove(rod);
    EXPECT(!world.has(rod));

    carom::ring ring(4);
    ring.save(world);
    world.step(1.0f / 60.0f);
    ring.load(1, world);
    EXPECT(world.step_count() == 1);
    EXPECT(refused([&] { ring.load(77, world); }) == CAROM_NO_SUCH_STEP);

    auto piece = carom::piece::cut(world, carom_box_at(carom_vec(-30, 1), carom_vec(30, 9)));
    EXPECT(!world.has(ball));
    auto again = carom::piece::read(piece.save());
    EXPECT(again.paste(world, carom_at(-30, 1)).size() == 1);

    carom::mover mover;
    auto outcome = mover.slide(world, carom_at(5, 0.91f), carom_vec(1, -1), 1.0f / 60.0f);
    EXPECT(outcome.grounded);
    carom::map map(carom_map_new(4, 4));
    EXPECT(carom_map_width(map.get()) == 4);

    EXPECT(refused([&] { world.step(-1.0f); }) == CAROM_BAD_NUMBER);
    EXPECT(refused([&] { world.remove(ball); }) == CAROM_NO_SUCH_BODY);
    EXPECT(refused([&] { carom::map none(carom_map_new(0, 0)); }) == CAROM_BAD_MAP);
    std::printf("wrapper: %d failed\n", failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
