// A ball is shot at a tower; the world goes back ten steps and the shot misses.
#include <carom.hpp>

#include <cstdio>

int main() {
    carom::world world;
    world.add(carom::body(CAROM_BODY_FIXED).at(0, -1).shape(carom_rect(60, 2)));
    carom_body top{};
    for (int k = 0; k < 8; k++)
        top = world.add(carom::body(CAROM_BODY_DYNAMIC)
                            .at(0, 0.5f + static_cast<float>(k))
                            .shape(carom_rect(1, 1)));

    carom_shape_def lead = carom_shape_def_default(carom_circle(0.4f));
    lead.weight = 20.0f;
    carom_body ball =
        world.add(carom::body(CAROM_BODY_DYNAMIC).at(-12, 3).velocity(25, 4).shape(lead));

    carom::ring ring(30);
    auto play = [&](int until) {
        while (world.step_count() < static_cast<std::uint64_t>(until)) {
            ring.save(world);
            world.step(1.0f / 60.0f);
            for (const carom_hit &hit : world.hits())
                if (hit.body_a == ball || hit.body_b == ball)
                    std::printf("step %d: the ball hits at %.1f m/s\n",
                                static_cast<int>(world.step_count()),
                                static_cast<double>(hit.speed));
        }
    };
    play(40);
    std::printf("hit: the top is %.2f m high\n", static_cast<double>(world.position(top).y));

    ring.load(20, world);
    world.set_velocity(ball, carom_vec(-5, 0));
    play(40);
    std::printf("missed: the top is %.2f m high\n", static_cast<double>(world.position(top).y));

    try {
        world.step(-1.0f);
    } catch (const carom::error &refused) {
        std::printf("refused: %s\n", refused.what());
    }
    return 0;
}
