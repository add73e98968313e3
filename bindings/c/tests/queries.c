/* Geometry on its own, and queries of a world. */
#include "check.h"

void test_geometry(void) {
    const carom_vec2 square[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const carom_vec2 arrow[] = {{0, 0}, {2, 1}, {0, 2}, {1, 1}};
    const carom_geometry parts[] = {carom_circle(0.5f), carom_rect(1.0f, 0.2f)};
    carom_tile_cell cells[] = {{CAROM_TILE_SOLID, 0}, {CAROM_TILE_SLOPE_UP, 0}};
    const uint8_t pixels[] = {0, 1, 1, 0, 1, 1, 1, 1};
    const carom_geometry good[] = {
        carom_circle(1.0f),
        carom_capsule(carom_vec(0, 0), carom_vec(0, 1), 0.5f),
        carom_segment(carom_vec(0, 0), carom_vec(0, 1)),
        carom_rect(2.0f, 1.0f),
        carom_polygon(square, 4),
        carom_hull(square, 4),
        carom_regular(6, 1.0f),
        carom_outline(arrow, 4),
        carom_compound(parts, 2),
        carom_chain(square, 4),
        carom_closed_chain(square, 4),
        carom_tiles(1.0f, 2, cells, 2),
        carom_half_plane(carom_vec(0, 0), carom_vec(0, 1)),
        carom_mask(0.5f, 4, pixels, 8, 0.0f),
    };
    carom_transform origin = carom_transform_at(carom_vec(0, 0), 0.0f);
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        carom_aabb aabb;
        CHECK_OK(carom_geometry_check(&good[k]));
        CHECK_OK(carom_geometry_aabb(&good[k], origin, &aabb));
        CHECK(aabb.min.x <= aabb.max.x);
    }
    carom_geometry concave = carom_polygon(arrow, 4);
    CHECK(carom_geometry_check(&concave) == CAROM_BAD_SHAPE);
    cells[0].kind = 99;
    CHECK(carom_geometry_check(&good[11]) == CAROM_BAD_ENUM);
    /* A compound that holds itself has no end. */
    carom_geometry loop = carom_compound(NULL, 1);
    loop.parts = &loop;
    CHECK(carom_geometry_check(&loop) == CAROM_BAD_SHAPE);

    carom_mass mass;
    CHECK_OK(carom_geometry_mass(&good[3], 2.0f, &mass));
    CHECK(mass.mass == 4.0f);
    CHECK_OK(carom_geometry_mass(&good[13], 1.0f, &mass));
    CHECK(fabsf(mass.mass - 6.0f * 0.25f) < 1e-5f);
    carom_geometry moved = carom_rect(2.0f, 1.0f);
    moved.offset = carom_vec(5.0f, 0.0f);
    moved.rounding = 0.25f;
    CHECK_OK(carom_geometry_mass(&moved, 1.0f, &mass));
    CHECK(fabsf(mass.center.x - 5.0f) < 1e-5f && mass.mass > 2.0f);

    carom_geometry sword = carom_capsule(carom_vec(0, 0), carom_vec(0, 1.2f), 0.1f);
    carom_geometry slime = carom_circle(0.5f);
    carom_transform there = carom_transform_at(carom_vec(0.55f, 0.6f), 0.0f);
    carom_transform away = carom_transform_at(carom_vec(0.7f, 0.6f), 0.0f);
    carom_manifold manifold;
    CHECK(carom_contact_of(&sword, origin, &slime, there, &manifold));
    CHECK(fabsf(manifold.normal.x - 1.0f) < 1e-5f && fabsf(manifold.depth - 0.05f) < 1e-5f);
    CHECK(!carom_contact_of(&sword, origin, &slime, away, &manifold));
    CHECK(carom_overlap(&sword, origin, &slime, there));
    CHECK(!carom_overlap(&sword, origin, &slime, away));
    carom_separation separation;
    CHECK_OK(carom_separation_of(&sword, origin, &slime, away, &separation));
    CHECK(fabsf(separation.distance - 0.1f) < 1e-5f);
    carom_ray_hit hit;
    CHECK(carom_ray_on(&slime, origin, carom_vec(-2, 0), carom_vec(3, 0), &hit));
    CHECK(fabsf(hit.fraction - 0.5f) < 1e-5f && fabsf(hit.normal.x + 1.0f) < 1e-5f);
    carom_closest_point closest;
    CHECK_OK(carom_closest_point_on(&slime, origin, carom_vec(2, 0), &closest));
    CHECK(fabsf(closest.distance - 1.5f) < 1e-5f);

    carom_prepared *prepared = carom_prepare(&good[7]);
    CHECK(prepared != NULL && carom_prepare(&concave) == NULL);
    carom_geometry again = carom_prepared_geometry(prepared);
    again.angle = 1.0f;
    CHECK_OK(carom_geometry_check(&again));
    carom_prepared_free(prepared);
    CHECK(fabsf(carom_rot_angle(carom_rot_of(0.7f)) - 0.7f) < 1e-6f);
    CHECK(carom_point_to(carom_at(510, 0), carom_at(530, 0)).x == 20.0f);
    CHECK(carom_at(530.0f, 0.0f).region_x == 1);
}

static bool is_not(void *context, carom_shape shape) {
    return shape.slot != ((const carom_shape *)context)->slot;
}

void test_queries(void) {
    carom_world *world = carom_world_new(NULL);
    carom_body walls[4];
    for (int k = 0; k < 4; k++)
        walls[k] =
            check_body(world, CAROM_BODY_FIXED, 3.0f * (float)k, 0.0f, carom_rect(1.0f, 2.0f));
    carom_ray ray = {carom_at(-3.0f, 0.0f), {20.0f, 0.0f}};
    carom_ray_answer answer;
    CHECK(carom_world_ray(world, ray, NULL, &answer));
    CHECK(answer.body.slot == walls[0].slot && fabsf(answer.fraction - 0.125f) < 1e-5f);
    CHECK(carom_world_ray_any(world, ray, NULL));

    carom_query_filter filter = carom_query_filter_default();
    filter.without = walls[0];
    filter.without_all = &walls[1];
    filter.without_all_count = 1;
    CHECK(carom_world_ray(world, ray, &filter, &answer) && answer.body.slot == walls[2].slot);
    carom_shape skipped = answer.shape;
    filter.predicate = is_not;
    filter.context = &skipped;
    CHECK(carom_world_ray(world, ray, &filter, &answer) && answer.body.slot == walls[3].slot);
    filter.dynamic = filter.kinematic = true;
    filter.fixed = false;
    CHECK(!carom_world_ray(world, ray, &filter, &answer) && answer.body.generation == 0);

    const carom_ray_answer *rays;
    const carom_cast_answer *casts;
    const carom_overlap_answer *overlaps;
    const carom_nearest_answer *nearest;
    const size_t *ends;
    size_t count, end_count;
    CHECK_OK(carom_world_ray_all(world, ray, NULL, &rays, &count));
    CHECK(count == 4 && rays[3].body.slot == walls[3].slot);
    carom_cast cast = {carom_circle(0.5f), carom_at(-3.0f, 0.0f), 0.0f, {20.0f, 0.0f}, 0.0f, 0.1f};
    carom_cast_answer touched;
    CHECK(carom_world_cast(world, &cast, NULL, &touched));
    CHECK(fabsf(touched.time - 1.9f / 20.0f) < 1e-4f);
    CHECK_OK(carom_world_cast_all(world, &cast, NULL, &casts, &count));
    CHECK(count == 4);
    carom_geometry disc = carom_circle(3.0f);
    CHECK_OK(carom_world_overlap(world, &disc, carom_at(0, 0), 0.0f, NULL, &overlaps, &count));
    CHECK(count == 2);
    CHECK_OK(carom_world_overlap_point(world, carom_at(3.2f, 0.5f), NULL, &overlaps, &count));
    CHECK(count == 1 && overlaps[0].body.slot == walls[1].slot);
    carom_world_aabb boxes[] = {carom_box_at(carom_vec(-1, -1), carom_vec(4, 1)),
                                carom_box_at(carom_vec(50, 0), carom_vec(51, 1)),
                                carom_box_at(carom_vec(8, -1), carom_vec(10, 1))};
    CHECK_OK(carom_world_overlap_box(world, boxes[0], NULL, &overlaps, &count));
    CHECK(count == 2);
    CHECK_OK(
        carom_world_overlap_boxes(world, boxes, 3, NULL, &ends, &end_count, &overlaps, &count));
    CHECK(end_count == 3 && ends[0] == 2 && ends[1] == 2 && ends[2] == 3 && count == 3);
    carom_nearest_answer near_one;
    CHECK(carom_world_nearest(world, carom_at(-2.0f, 0.0f), 10.0f, NULL, &near_one));
    CHECK(fabsf(near_one.distance - 1.5f) < 1e-5f);
    CHECK(!carom_world_nearest(world, carom_at(-20.0f, 0.0f), 1.0f, NULL, &near_one));
    CHECK_OK(carom_world_nearest_few(world, carom_at(0, 0), 99.0f, 3, NULL, &nearest, &count));
    CHECK(count == 3 && nearest[0].body.slot == walls[0].slot);

    carom_ray many[] = {ray, {carom_at(0.0f, 9.0f), {0.0f, 1.0f}}, ray};
    CHECK_OK(carom_world_rays(world, many, 3, NULL, &rays, &count));
    CHECK(count == 3 && rays[1].body.generation == 0 && rays[2].body.slot == walls[0].slot);
    carom_cast both[] = {cast, cast};
    CHECK_OK(carom_world_casts(world, both, 2, NULL, &casts, &count));
    CHECK(count == 2 && casts[1].time == touched.time);
    carom_point points[] = {carom_at(-2.0f, 0.0f), carom_at(11.0f, 0.0f)};
    CHECK_OK(carom_world_nearest_to_points(world, points, 2, 9.0f, NULL, &nearest, &count));
    CHECK(count == 2 && nearest[1].body.slot == walls[3].slot);
    const bool *any;
    CHECK_OK(carom_world_rays_any(world, many, 3, NULL, &any, &count));
    CHECK(count == 3 && any[0] && !any[1] && any[2]);
    CHECK_OK(carom_world_rays_all(world, many, 3, NULL, &ends, &end_count, &rays, &count));
    CHECK(end_count == 3 && ends[0] == 4 && ends[1] == 4 && ends[2] == 8 && count == 8);
    CHECK_OK(carom_world_casts_all(world, both, 2, NULL, &ends, &end_count, &casts, &count));
    CHECK(end_count == 2 && ends[0] == 4 && count == 8);
    carom_placed placed = {disc, carom_at(0, 0), 0.0f};
    CHECK_OK(
        carom_world_overlap_shapes(world, &placed, 1, NULL, &ends, &end_count, &overlaps, &count));
    CHECK(end_count == 1 && count == 2);
    CHECK_OK(
        carom_world_overlap_points(world, points, 2, NULL, &ends, &end_count, &overlaps, &count));
    CHECK(end_count == 2 && count == 0);
    CHECK_OK(carom_world_nearest_few_to_points(world, points, 2, 99.0f, 2, NULL, &ends, &end_count,
                                               &nearest, &count));
    CHECK(end_count == 2 && ends[0] == 2 && count == 4);
    CHECK_OK(carom_world_prepare_queries(world));
    carom_world_free(world);
}
