/* Bodies, joints, events, errors and hooks. */
#include "check.h"

static const carom_body no_body = {0, 0};
static const carom_shape no_shape = {3, 1};
static const carom_joint no_joint = {3, 1};

void test_bodies(void) {
    carom_world_def def = carom_world_def_default();
    def.sub_steps = 8;
    carom_world *world = carom_world_new(&def);
    carom_world_def own;
    CHECK_OK(carom_world_get_def(world, &own));
    CHECK(own.sub_steps == 8 && own.gravity.y == -9.81f);

    carom_body ground = check_body(world, CAROM_BODY_FIXED, 0.0f, -1.0f, carom_rect(40.0f, 2.0f));
    carom_body box = check_body(world, CAROM_BODY_DYNAMIC, 0.0f, 4.0f, carom_rect(1.0f, 1.0f));
    CHECK(carom_world_body_count(world) == 2);
    carom_body_state state;
    CHECK_OK(carom_body_read(world, box, &state));
    CHECK(state.kind == CAROM_BODY_DYNAMIC && state.mass == 1.0f && state.awake);
    check_steps(world, 180);
    CHECK(fabsf(carom_body_position(world, box).y - 0.5f) < 0.01f);
    CHECK(!carom_body_exists(world, no_body));

    const carom_pose *poses;
    size_t pose_count;
    CHECK_OK(carom_world_poses(world, 1.0f, &poses, &pose_count));
    CHECK(pose_count == 2 && poses[box.slot].position.y == carom_body_position(world, box).y);
    CHECK(poses[ground.slot].rotation.cos == 1.0f);

    CHECK_OK(carom_body_set_velocity(world, box, carom_vec(3.0f, 0.0f)));
    CHECK(carom_body_velocity(world, box).x == 3.0f);
    CHECK_OK(carom_body_apply_impulse(world, box, carom_vec(0.0f, 5.0f)));
    CHECK(fabsf(carom_body_velocity(world, box).y - 5.0f) < 0.3f);
    CHECK_OK(carom_body_teleport_turned(world, box, carom_at(0.0f, 9.0f), 0.5f));
    CHECK(fabsf(carom_body_angle(world, box) - 0.5f) < 1e-5f);
    carom_mass mass = {5.0f, {0.0f, 0.0f}, 2.0f};
    CHECK_OK(carom_body_set_mass(world, box, &mass));
    CHECK_OK(carom_body_read(world, box, &state));
    CHECK(state.mass == 5.0f && state.inertia == 2.0f);
    CHECK_OK(carom_body_set_user_data(world, box, 77));
    CHECK(carom_body_user_data(world, box) == 77);

    /* Far out, regions keep digits that a vector loses. */
    carom_point far_out = {1000000, -5, {3.25f, 1.0f}};
    CHECK_OK(carom_body_teleport(world, box, far_out));
    carom_point place = carom_body_place(world, box);
    CHECK(place.region_x == 1000000 && fabsf(place.local.x - 3.25f) < 1e-4f);

    const carom_shape *shapes;
    size_t shape_count;
    CHECK_OK(carom_body_shapes(world, box, &shapes, &shape_count));
    CHECK(shape_count == 1);
    carom_shape shape = shapes[0];
    carom_shape_state seen;
    CHECK_OK(carom_shape_read(world, shape, &seen));
    CHECK(seen.body.slot == box.slot && seen.material.static_friction == 0.6f);
    CHECK_OK(carom_body_remove(world, box));
    CHECK(!carom_shape_exists(world, shape) && !carom_body_exists(world, box));
    CHECK(isnan(carom_body_position(world, box).x) && isnan(carom_body_angle(world, box)));
    carom_world_free(world);
}

void test_errors(void) {
    carom_world *world = carom_world_new(NULL);
    carom_body box = check_body(world, CAROM_BODY_DYNAMIC, 0.0f, 4.0f, carom_rect(1.0f, 1.0f));
    uint64_t hash = carom_world_hash(world);

    CHECK_REFUSED(carom_world_step(NULL, 0.1f, NULL), CAROM_NULL, "`world` must not be NULL");
    CHECK_REFUSED(carom_world_step(world, NAN, NULL), CAROM_BAD_NUMBER, "a step takes 0 to 1 s");
    CHECK_REFUSED(carom_body_add(world, NULL, NULL), CAROM_NULL, "`def`");
    carom_body_def def = carom_body_def_default(CAROM_BODY_DYNAMIC);
    def.shape_count = 1;
    CHECK_REFUSED(carom_body_add(world, &def, NULL), CAROM_NULL, "`shapes`");
    def.shape_count = 0;
    def.kind = 9;
    CHECK_REFUSED(carom_body_add(world, &def, NULL), CAROM_BAD_ENUM, "9 is no body_kind");
    carom_shape_def flat = carom_shape_def_default(carom_rect(1.0f, -1.0f));
    CHECK_REFUSED(carom_shape_attach(world, box, &flat, NULL), CAROM_BAD_SHAPE, "above 0");
    carom_shape_def none = carom_shape_def_default(carom_circle(1.0f));
    none.geometry.kind = CAROM_GEOMETRY_NONE;
    CHECK_REFUSED(carom_shape_attach(world, box, &none, NULL), CAROM_BAD_SHAPE, "it has none");
    carom_shape_def rough = carom_shape_def_default(carom_circle(1.0f));
    rough.material.restitution = 2.0f;
    CHECK_REFUSED(carom_shape_attach(world, box, &rough, NULL), CAROM_BAD_MATERIAL, "0 to 1");
    CHECK_REFUSED(carom_body_move_to(world, box, carom_at(0, 0)), CAROM_WRONG_KIND,
                  "not kinematic");
    CHECK_REFUSED(carom_body_set_dominance(world, box, 200), CAROM_BAD_NUMBER, "-128 to 127");

    carom_body gone = {box.slot, box.generation + 1};
    carom_body_state state;
    memset(&state, 7, sizeof state);
    CHECK_REFUSED(carom_body_read(world, gone, &state), CAROM_NO_SUCH_BODY, "is not in this world");
    CHECK(state.mass == 0.0f && state.user_data == 0);
    CHECK_REFUSED(carom_body_remove(world, no_body), CAROM_NO_SUCH_BODY, "zeros");
    CHECK_REFUSED(carom_shape_detach(world, no_shape), CAROM_NO_SUCH_SHAPE, "shape#3v1");
    CHECK_REFUSED(carom_joint_remove(world, no_joint), CAROM_NO_SUCH_JOINT, "joint#3v1");
    carom_joint_def weld = carom_joint_weld(box, box);
    CHECK_REFUSED(carom_joint_add(world, &weld, NULL), CAROM_BAD_JOINT, "two bodies");
    uint8_t bytes[16] = {0};
    CHECK_REFUSED(carom_world_load(world, bytes, sizeof bytes), CAROM_BAD_BYTES, "no snapshot");
    CHECK(carom_map_parse("..\n.\n") == NULL && carom_last_status() == CAROM_BAD_MAP);
    CHECK(carom_map_parse("\xff") == NULL && carom_last_status() == CAROM_BAD_TEXT);
    carom_world_def world_def = carom_world_def_default();
    world_def.sub_steps = 0;
    CHECK(carom_world_new(&world_def) == NULL && carom_last_status() == CAROM_BAD_NUMBER);
    CHECK_REFUSED(carom_world_copy(world, world), CAROM_BUSY, "names it twice");

    CHECK(strcmp(carom_status_text(CAROM_OK), "All went well.") == 0);
    CHECK(strcmp(carom_status_text(9999), "No status.") == 0);
    CHECK(carom_world_hash(world) == hash);
    carom_world_free(world);
    carom_world_free(NULL);
}

void test_events(void) {
    carom_world *world = carom_world_new(NULL);
    carom_body ground = check_body(world, CAROM_BODY_FIXED, 0.0f, -1.0f, carom_rect(40.0f, 2.0f));
    carom_body ball = check_body(world, CAROM_BODY_DYNAMIC, 0.0f, 3.0f, carom_circle(0.5f));
    carom_shape_def door = carom_shape_def_default(carom_rect(4.0f, 1.0f));
    door.sensor = true;
    carom_shape sensor;
    door.geometry.offset = carom_vec(0.0f, 3.0f);
    CHECK_OK(carom_shape_attach(world, ground, &door, &sensor));

    int begun = 0, hits = 0, entered = 0, left = 0, slept = 0;
    float speed = 0.0f;
    for (int step = 0; step < 300; step++) {
        const carom_touch *touches;
        const carom_hit *struck;
        const carom_sensor_event *visits;
        const carom_body *bodies;
        size_t count;
        CHECK_OK(carom_world_step(world, 1.0f / 60.0f, NULL));
        CHECK_OK(carom_world_begun(world, &touches, &count));
        begun += (int)count;
        CHECK_OK(carom_world_hits(world, &struck, &count));
        hits += (int)count;
        if (count > 0) speed = struck[0].speed;
        CHECK_OK(carom_world_entered(world, &visits, &count));
        entered += (int)count;
        CHECK_OK(carom_world_left(world, &visits, &count));
        if (count > 0) CHECK(visits[0].visitor_body.slot == ball.slot);
        left += (int)count;
        CHECK_OK(carom_world_slept(world, &bodies, &count));
        slept += (int)count;
    }
    CHECK(begun == 1 && hits == 1 && entered == 1 && left == 1 && slept == 1);
    CHECK(fabsf(speed - 7.0f - 0.0f) < 0.3f); /* the square root of 2 x 9.81 x 2.5 */

    const carom_contact *contacts;
    size_t count;
    CHECK_OK(carom_body_contacts(world, ball, &contacts, &count));
    CHECK(count == 1 && contacts[0].point_count == 1);
    CHECK(fabsf(contacts[0].impulse - 0.7854f * 9.81f / 60.0f) < 0.01f);
    const carom_moved *moved;
    CHECK_OK(carom_body_wake_up(world, ball));
    CHECK_OK(carom_world_step(world, 1.0f / 60.0f, NULL));
    CHECK_OK(carom_world_moved(world, &moved, &count));
    CHECK(count == 1 && moved[0].body.slot == ball.slot);
    const carom_line *lines;
    CHECK_OK(carom_world_lines(world, NULL, &lines, &count));
    CHECK(count > 30);
    carom_world_free(world);
}

struct hooked {
    carom_world *world;
    int asked, changed, busy;
};

static bool allows(void *context, const carom_pair_view *pair) {
    struct hooked *hooked = (struct hooked *)context;
    hooked->asked++;
    return pair->shape_data_a != 13 && pair->shape_data_b != 13;
}

static void bounce(void *context, const carom_pair_view *pair, carom_contact_edit *contact) {
    struct hooked *hooked = (struct hooked *)context;
    hooked->changed++;
    contact->restitution = 1.0f;
    /* A world that steps answers nobody. */
    if (carom_body_set_spin(hooked->world, pair->body_a, 1.0f) == CAROM_BUSY) hooked->busy++;
    carom_world_free(hooked->world);
}

void test_hooks(void) {
    struct hooked hooked = {carom_world_new(NULL), 0, 0, 0};
    carom_world *world = hooked.world;
    CHECK_OK(carom_world_set_filter_hook(world, allows, &hooked));
    CHECK_OK(carom_world_set_contact_hook(world, bounce, &hooked));
    CHECK(carom_world_set_contact_hook(world, NULL, NULL) == CAROM_NULL);
    check_body(world, CAROM_BODY_FIXED, 0.0f, -1.0f, carom_rect(40.0f, 2.0f));
    carom_body ghost = check_body(world, CAROM_BODY_DYNAMIC, 3.0f, 0.6f, carom_circle(0.5f));
    const carom_shape *shapes;
    size_t count;
    CHECK_OK(carom_body_shapes(world, ghost, &shapes, &count));
    CHECK_OK(carom_shape_set_user_data(world, shapes[0], 13));
    carom_shape_def rubber = carom_shape_def_default(carom_circle(0.5f));
    rubber.contact_hook = true;
    carom_body_def def = carom_body_def_default(CAROM_BODY_DYNAMIC);
    def.position = carom_at(0.0f, 2.5f);
    def.shapes = &rubber;
    def.shape_count = 1;
    carom_body ball;
    CHECK_OK(carom_body_add(world, &def, &ball));
    float highest = 0.0f;
    for (int step = 0; step < 80; step++) {
        CHECK_OK(carom_world_step(world, 1.0f / 60.0f, NULL));
        float y = carom_body_position(world, ball).y;
        if (step > 45 && y > highest) highest = y;
    }
    CHECK(highest > 2.2f);
    CHECK(carom_body_position(world, ghost).y < -5.0f);
    CHECK(hooked.asked >= 2 && hooked.changed > 0 && hooked.busy == hooked.changed);
    CHECK_OK(carom_world_clear_hooks(world));
    carom_world_free(world);
}

void test_joints(void) {
    const carom_spring soft = {4.0f, 0.7f};
    carom_world *world = carom_world_new(NULL);
    carom_body a = check_body(world, CAROM_BODY_DYNAMIC, 1.0f, 0.0f, carom_rect(1.0f, 0.2f));
    carom_body b = check_body(world, CAROM_BODY_DYNAMIC, 2.0f, 0.0f, carom_rect(1.0f, 0.2f));
    carom_joint_def defs[] = {
        carom_joint_revolute(a, b),
        carom_joint_prismatic(a, b, carom_vec(1.0f, 0.0f)),
        carom_joint_distance(a, b),
        carom_joint_rope(a, b, 2.0f),
        carom_joint_weld(a, b),
        carom_joint_wheel(a, b, carom_vec(0.0f, 1.0f), soft),
        carom_joint_motor(a, b, soft),
        carom_joint_drag(b, carom_at(2.0f, 1.0f), 100.0f),
        carom_joint_friction(a, b, 1.0f, 1.0f),
        carom_joint_pulley(a, b, carom_at(1.0f, 3.0f), carom_at(2.0f, 3.0f), 1.0f),
        carom_joint_filter(a, b),
    };
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        carom_joint joint;
        carom_joint_def own;
        CHECK_OK(carom_joint_add(world, &defs[k], &joint));
        CHECK_OK(carom_joint_get_def(world, joint, &own));
        CHECK(own.kind == defs[k].kind);
        CHECK_OK(carom_joint_change(world, joint, &own));
        CHECK_OK(carom_world_step(world, 1.0f / 60.0f, NULL));
        CHECK_OK(carom_joint_remove(world, joint));
    }
    CHECK(carom_world_joint_count(world) == 0);

    carom_joint hinge, slider, gear;
    carom_joint_def hinge_def = carom_joint_revolute(no_body, a);
    hinge_def.anchor_a = hinge_def.anchor_b = carom_anchor_at(carom_at(0.5f, 0.0f));
    hinge_def.drive.has_limits = true;
    hinge_def.drive.limits.lower = -0.5f;
    hinge_def.drive.limits.upper = 0.5f;
    CHECK_OK(carom_joint_add(world, &hinge_def, &hinge));
    check_steps(world, 240);
    carom_joint_state state;
    CHECK_OK(carom_joint_read(world, hinge, &state));
    CHECK(state.gap < 1e-3f && fabsf(state.angle) < 0.51f);
    CHECK(state.drive.at_limit != CAROM_RANGE_END_NONE);
    carom_motor motor = {2.0f, INFINITY};
    CHECK_OK(carom_joint_set_motor(world, hinge, &motor));
    CHECK_OK(carom_joint_set_motor(world, hinge, NULL));
    carom_joint_def slider_def = carom_joint_prismatic(no_body, b, carom_vec(1.0f, 0.0f));
    CHECK_OK(carom_joint_add(world, &slider_def, &slider));
    carom_joint_def gear_def = carom_joint_gear(hinge, slider, 2.0f);
    CHECK_OK(carom_joint_add(world, &gear_def, &gear));
    check_steps(world, 30);
    const carom_joint *joints;
    size_t count;
    CHECK_OK(carom_body_joints(world, a, &joints, &count));
    CHECK(count == 2);

    /* What is too weak breaks, and what was geared to it is lost. */
    hinge_def.break_force = 0.001f;
    CHECK_OK(carom_joint_change(world, hinge, &hinge_def));
    const carom_joint_break *broken;
    const carom_joint_loss *lost;
    CHECK_OK(carom_world_step(world, 1.0f / 60.0f, NULL));
    CHECK_OK(carom_world_broken(world, &broken, &count));
    CHECK(count == 1 && broken[0].joint.slot == hinge.slot && broken[0].body_a.generation == 0);
    CHECK_OK(carom_world_lost(world, &lost, &count));
    CHECK(count == 1 && lost[0].joint.slot == gear.slot);
    CHECK(!carom_joint_exists(world, hinge));
    carom_world_free(world);
}
