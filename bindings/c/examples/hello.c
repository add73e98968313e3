/* A box falls on the ground: prints its height ten times a second. */
#include <carom.h>
#include <stdio.h>

int main(void) {
    if (carom_abi() != CAROM_ABI) {
        fprintf(stderr, "the library is of another version than the header\n");
        return 1;
    }
    carom_world *world = carom_world_new(NULL); /* gravity (0, -9.81) */

    carom_shape_def ground_shape = carom_shape_def_default(carom_rect(40.0f, 2.0f));
    carom_body_def ground = carom_body_def_default(CAROM_BODY_FIXED);
    ground.position = carom_at(0.0f, -1.0f);
    ground.shapes = &ground_shape;
    ground.shape_count = 1;
    carom_body_add(world, &ground, NULL);

    carom_shape_def box_shape = carom_shape_def_default(carom_rect(1.0f, 1.0f));
    carom_body_def box_def = carom_body_def_default(CAROM_BODY_DYNAMIC);
    box_def.position = carom_at(0.0f, 4.0f);
    box_def.shapes = &box_shape;
    box_def.shape_count = 1;
    carom_body box;
    if (carom_body_add(world, &box_def, &box) != CAROM_OK) {
        fprintf(stderr, "%s\n", carom_last_error());
        return 1;
    }

    for (int step = 1; step <= 90; step++) {
        carom_world_step(world, 1.0f / 60.0f, NULL);
        const carom_hit *hits;
        size_t hit_count;
        carom_world_hits(world, &hits, &hit_count);
        for (size_t k = 0; k < hit_count; k++)
            printf("step %d: a hit at %.1f m/s\n", step, (double)hits[k].speed);
        if (step % 6 == 0)
            printf("%.1f s: %.3f m\n", step / 60.0, (double)carom_body_position(world, box).y);
    }
    carom_world_free(world);
    return 0;
}
