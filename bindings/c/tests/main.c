/* The C test: every group of the header, by its answers. As C11 and as C++17. */
#include "check.h"

int check_count;
int check_failures;

carom_body check_body(carom_world *world, carom_body_kind kind, float x, float y,
                      carom_geometry geometry) {
    carom_shape_def shape = carom_shape_def_default(geometry);
    carom_body_def def = carom_body_def_default(kind);
    carom_body body;
    def.position = carom_at(x, y);
    def.shapes = &shape;
    def.shape_count = 1;
    CHECK_OK(carom_body_add(world, &def, &body));
    return body;
}

void check_steps(carom_world *world, int count) {
    for (int k = 0; k < count; k++) CHECK_OK(carom_world_step(world, 1.0f / 60.0f, NULL));
    CHECK_OK(carom_world_validate(world));
}

int main(void) {
    CHECK(carom_abi() == CAROM_ABI);
    CHECK(layout_is_checked() == 1);
    CHECK(strlen(carom_version()) >= 5);
    test_bodies();
    test_errors();
    test_events();
    test_geometry();
    test_hooks();
    test_joints();
    test_queries();
    test_snapshots();
    test_games();
    test_navigation();
    printf("%d checks, %d failed\n", check_count, check_failures);
    return check_failures == 0 ? 0 : 1;
}
