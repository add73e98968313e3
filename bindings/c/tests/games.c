/* Movers, tiles, areas, pieces, bodies that break, predictions. */
#include "check.h"

static carom_shape only_shape(carom_world *world, carom_body body) {
    const carom_shape *shapes;
    size_t count;
    CHECK_OK(carom_body_shapes(world, body, &shapes, &count));
    CHECK(count == 1);
    return shapes[0];
}

static void test_mover(void) {
    carom_world *world = carom_world_new(NULL);
    check_body(world, CAROM_BODY_FIXED, 0.0f, -0.5f, carom_rect(40.0f, 1.0f));
    check_body(world, CAROM_BODY_FIXED, 3.0f, 0.1f, carom_rect(2.0f, 0.2f));
    carom_mover *mover = carom_mover_new(NULL);
    carom_move_outcome outcome;
    memset(&outcome, 0, sizeof outcome);
    outcome.place = carom_at(0.0f, 0.91f);
    for (int step = 0; step < 60; step++) {
        carom_vec2 velocity = carom_vec(3.0f, outcome.velocity.y - 9.81f / 60.0f);
        CHECK_OK(
            carom_mover_slide(mover, world, outcome.place, velocity, 1.0f / 60.0f, NULL, &outcome));
        CHECK_OK(carom_world_step(world, 1.0f / 60.0f, NULL));
    }
    CHECK(fabsf(outcome.position.x - 3.0f) < 0.05f && fabsf(outcome.position.y - 1.11f) < 0.05f);
    CHECK(outcome.grounded && outcome.ground_normal.y > 0.99f);
    const carom_mover_touch *touches;
    size_t count;
    CHECK_OK(carom_mover_touches(mover, &touches, &count));
    CHECK(count >= 1);
    carom_mover_def crouched = carom_mover_def_default();
    crouched.geometry = carom_circle(0.3f);
    CHECK_OK(carom_mover_set_def(mover, &crouched));
    CHECK_OK(carom_mover_forget(mover));
    crouched.skin = 5.0f;
    CHECK(carom_mover_set_def(mover, &crouched) == CAROM_BAD_NUMBER);

    carom_body lift = check_body(world, CAROM_BODY_KINEMATIC, -5.0f, 2.0f, carom_circle(0.3f));
    CHECK_OK(
        carom_mover_move_body(mover, world, lift, carom_vec(1, 0), 1.0f / 60.0f, NULL, &outcome));
    CHECK_OK(carom_world_step(world, 1.0f / 60.0f, NULL));
    CHECK(carom_body_position(world, lift).x > -5.0f);
    carom_mover_free(mover);
    carom_world_free(world);
}

static void test_tiles(void) {
    carom_world *world = carom_world_new(NULL);
    carom_tile_cell cells[8 * 2];
    memset(cells, 0, sizeof cells);
    for (int k = 0; k < 8; k++) cells[k].kind = CAROM_TILE_SOLID;
    carom_body map =
        check_body(world, CAROM_BODY_FIXED, 0.0f, 0.0f, carom_tiles(1.0f, 8, cells, 16));
    carom_shape shape = only_shape(world, map);
    carom_body ball = check_body(world, CAROM_BODY_DYNAMIC, 4.5f, 3.0f, carom_circle(0.3f));
    check_steps(world, 120);
    CHECK(fabsf(carom_body_position(world, ball).y - 1.3f) < 0.01f);
    carom_tile_cell cell;
    uint32_t columns, rows;
    CHECK(carom_tile(world, shape, 4, 0, &cell) && cell.kind == CAROM_TILE_SOLID);
    CHECK(!carom_tile(world, shape, 8, 0, &cell));
    CHECK(carom_tile_size(world, shape, &columns, &rows) && columns == 8 && rows == 2);
    cell.kind = CAROM_TILE_EMPTY;
    CHECK_OK(carom_tile_set(world, shape, 4, 0, cell));
    check_steps(world, 60);
    CHECK(carom_body_position(world, ball).y < 0.0f);
    carom_world_free(world);
}

static void test_areas(void) {
    carom_world *world = carom_world_new(NULL);
    carom_shape_def pool = carom_shape_def_default(carom_rect(9.0f, 4.0f));
    pool.sensor = true;
    carom_body_def def = carom_body_def_default(CAROM_BODY_FIXED);
    def.position = carom_at(0.0f, -2.0f);
    def.shapes = &pool;
    def.shape_count = 1;
    carom_body basin;
    CHECK_OK(carom_body_add(world, &def, &basin));
    carom_area water = carom_area_default();
    water.has_fluid = true;
    water.surface = carom_vec(0.0f, 2.0f);
    carom_shape sensor = only_shape(world, basin);
    CHECK_OK(carom_shape_set_area(world, sensor, &water));
    carom_area seen;
    CHECK(carom_shape_area(world, sensor, &seen) && seen.fluid_density == 1000.0f);
    carom_shape_def raft = carom_shape_def_default(carom_rect(1.0f, 0.4f));
    raft.weight = 500.0f;
    carom_body_def raft_def = carom_body_def_default(CAROM_BODY_DYNAMIC);
    raft_def.position = carom_at(0.0f, 0.3f);
    raft_def.shapes = &raft;
    raft_def.shape_count = 1;
    carom_body body;
    CHECK_OK(carom_body_add(world, &raft_def, &body));
    check_steps(world, 900);
    CHECK(fabsf(carom_body_position(world, body).y) < 0.002f);
    const carom_shape *visitors;
    size_t count;
    CHECK_OK(carom_shape_visitors(world, sensor, &visitors, &count));
    CHECK(count == 1);
    CHECK_OK(carom_shape_set_area(world, sensor, NULL));
    CHECK(!carom_shape_area(world, sensor, &seen));
    carom_world_free(world);
}

static void test_pieces(void) {
    carom_world *world = carom_world_new(NULL);
    check_body(world, CAROM_BODY_FIXED, 20.0f, 0.5f, carom_rect(8.0f, 1.0f));
    carom_body crate = check_body(world, CAROM_BODY_DYNAMIC, 20.0f, 1.5f, carom_rect(1.0f, 1.0f));
    check_steps(world, 120);
    carom_world_aabb tile = carom_box_at(carom_vec(16, 0), carom_vec(32, 16));
    carom_piece *piece = carom_world_cut(world, tile, CAROM_TIES_STAY);
    CHECK(piece != NULL && carom_world_body_count(world) == 0 &&
          carom_piece_body_count(piece) == 2);
    CHECK(!carom_body_exists(world, crate));
    const carom_body *bodies;
    const carom_joint *joints;
    size_t count, joint_count, size;
    CHECK_OK(carom_piece_taken(piece, &bodies, &count));
    CHECK(count == 2 && bodies[1].slot == crate.slot);
    CHECK(carom_piece_save(piece, NULL, 0, &size) == CAROM_BUFFER_TOO_SMALL && size > 100);
    uint8_t *bytes = (uint8_t *)malloc(size);
    CHECK_OK(carom_piece_save(piece, bytes, size, &size));
    carom_piece_free(piece);
    piece = carom_piece_read(bytes, size);
    CHECK(piece != NULL);
    CHECK_OK(
        carom_world_paste(world, piece, carom_at(16, 0), &bodies, &count, &joints, &joint_count));
    CHECK(count == 2 && joint_count == 0);
    carom_body_state state;
    CHECK_OK(carom_body_read(world, bodies[1], &state));
    CHECK(!state.awake && fabsf(state.position.y - 1.5f) < 0.01f);
    carom_piece_free(piece);
    free(bytes);

    carom_body plate = check_body(world, CAROM_BODY_DYNAMIC, 0.0f, 9.0f, carom_rect(4.0f, 1.0f));
    CHECK_OK(carom_body_slice(world, plate, carom_at(0, 5), carom_at(0, 12), &bodies, &count));
    CHECK(count == 2);
    carom_point cracks[] = {carom_at(-1.5f, 9.0f), carom_at(-0.5f, 9.0f)};
    CHECK_OK(carom_body_fragment(world, bodies[0], cracks, 2, &bodies, &count));
    CHECK(count == 2);
    carom_geometry bite = carom_rect(0.3f, 0.3f);
    bool changed = false;
    carom_point place = carom_body_place(world, bodies[0]);
    CHECK_OK(carom_body_subtract(world, bodies[0], &bite, place, 0.0f, &changed));
    CHECK(carom_world_explode(world, carom_at(0, 8), 1.0f, 2.0f, 1.0f) == CAROM_OK);
    check_steps(world, 5);
    carom_world_free(world);
}

static void test_prediction(void) {
    carom_world *world = carom_world_new(NULL);
    carom_body ground = check_body(world, CAROM_BODY_FIXED, 0.0f, -0.5f, carom_rect(99.0f, 1.0f));
    carom_body ball = check_body(world, CAROM_BODY_DYNAMIC, 0.0f, 1.0f, carom_circle(0.2f));
    carom_prediction *aim = carom_prediction_new();
    carom_start thrown = {ball, true, false, {3.0f, 4.0f}, 0.0f};
    CHECK_OK(carom_world_predict(world, &thrown, 1, 60, 1.0f / 60.0f, aim));
    const carom_path_point *path;
    const carom_meeting *meetings;
    size_t count;
    CHECK_OK(carom_prediction_meetings(aim, &meetings, &count));
    CHECK(count >= 1 && meetings[0].other.slot == ground.slot);
    CHECK_OK(carom_prediction_path(aim, ball, &path, &count));
    CHECK(count == 60);
    CHECK_OK(carom_body_set_velocity(world, ball, carom_vec(3.0f, 4.0f)));
    check_steps(world, 60);
    carom_point end = carom_body_place(world, ball);
    CHECK(memcmp(&end, &path[59].position, sizeof end) == 0);
    carom_prediction_free(aim);
    carom_world_free(world);
}

void test_games(void) {
    test_mover();
    test_tiles();
    test_areas();
    test_pieces();
    test_prediction();
}
