/* Maps, searches, fields, meshes and crowds. */
#include "check.h"

static carom_cell cell(int32_t x, int32_t y) {
    carom_cell it = {x, y};
    return it;
}

static void test_maps(void) {
    carom_map *map = carom_map_parse("..........\n..####....\n......#...\n");
    CHECK(map != NULL && carom_map_width(map) == 10 && carom_map_height(map) == 3);
    CHECK(carom_map_set_cost(map, cell(3, 0), 5) && carom_map_cost(map, cell(3, 0)) == 5);
    CHECK(!carom_map_set_cost(map, cell(3, 0), 0) && carom_last_status() == CAROM_BAD_NUMBER);
    carom_search *search = carom_search_new();
    carom_ask ask = carom_ask_default(cell(0, 0), cell(9, 2));
    double cells;
    const carom_cell *turns;
    size_t count;
    CHECK_OK(carom_search_path(search, map, &ask, &cells, &turns, &count));
    CHECK(cells > 9.0 && cells < 12.0 && turns[0].x == 0 && turns[count - 1].x == 9);
    CHECK(carom_search_expansions(search) > 0 && !carom_search_is_stale(search, map));
    CHECK_OK(carom_search_cells(search, &turns, &count));
    CHECK(count >= 10);
    CHECK_OK(carom_search_taut(search, map, CAROM_MAP_RULE_EIGHT, &turns, &count));
    CHECK(count >= 2);
    carom_cell goals[] = {{9, 2}, {0, 1}};
    ask.method = CAROM_SEARCH_METHOD_DIJKSTRA;
    CHECK_OK(carom_search_nearest(search, map, &ask, goals, 2, &cells, &turns, &count));
    CHECK(cells == 1.0);
    CHECK(carom_map_set_wall(map, cell(0, 1), true) && carom_search_is_stale(search, map));
    CHECK(!carom_map_is_free(map, cell(0, 1)) && carom_map_connected(map, cell(0, 0), cell(9, 2)));
    ask.goal = cell(4, 1);
    CHECK(carom_search_path(search, map, &ask, NULL, &turns, &count) == CAROM_BAD_SEARCH);
    CHECK(turns == NULL && count == 0);

    carom_flow *flow = carom_flow_new(goals, 1, CAROM_MAP_RULE_EIGHT);
    CHECK_OK(carom_flow_fill(flow, map));
    carom_cell next;
    CHECK(carom_flow_distance(flow, cell(9, 0), &cells) && cells == 2.0);
    CHECK(carom_flow_next(flow, map, cell(9, 0), &next) && next.x == 9 && next.y == 1);
    CHECK(carom_flow_heading(flow, map, carom_vec(9.5f, 0.5f)).y > 0.9f);
    CHECK_OK(carom_flow_update(flow, map));

    size_t size, written;
    CHECK(carom_map_save(map, NULL, 0, &size) == CAROM_BUFFER_TOO_SMALL);
    uint8_t *bytes = (uint8_t *)malloc(size);
    CHECK_OK(carom_map_save(map, bytes, size, &written));
    carom_map *copy = carom_map_read(bytes, written);
    CHECK(copy != NULL && carom_map_hash(copy) == carom_map_hash(map));
    free(bytes);
    carom_map_free(copy);
    carom_flow_free(flow);
    carom_search_free(search);
    carom_map_free(map);
}

static void test_meshes(void) {
    carom_world *world = carom_world_new(NULL);
    check_body(world, CAROM_BODY_FIXED, 5.0f, 0.0f, carom_rect(1.0f, 6.0f));
    carom_mesh *mesh = carom_mesh_new(NULL);
    uint32_t added, removed;
    CHECK_OK(carom_mesh_sync(mesh, world, carom_at(0, 0), &added, &removed));
    CHECK(added == 1 && removed == 0);
    CHECK(carom_mesh_sync(mesh, world, carom_at(1, 0), NULL, NULL) == CAROM_BAD_NUMBER);
    carom_way *way = carom_way_new();
    CHECK_OK(carom_mesh_way(mesh, carom_vec(0, 0), carom_vec(10, 0), 0.5f, way));
    CHECK(carom_way_length(way) > 11.0 && carom_way_length(way) < 14.0);
    const carom_vec2 *points;
    size_t count;
    CHECK_OK(carom_way_points(way, 0.01f, &points, &count));
    CHECK(count >= 4 && points[0].x == 0.0f && points[count - 1].x == 10.0f);
    CHECK(carom_mesh_is_current(mesh, way));
    carom_vec2 box[] = {{2, -40}, {3, -40}, {3, 40}, {2, 40}};
    carom_obstacle wall;
    CHECK_OK(carom_mesh_add(mesh, box, 4, &wall));
    CHECK(!carom_mesh_is_current(mesh, way));
    CHECK(carom_mesh_reachable(mesh, carom_vec(0, 0), carom_vec(10, 0), 0.5f));
    float radius;
    CHECK(carom_mesh_widest(mesh, carom_vec(0, 0), carom_vec(10, 0), &radius) && radius > 0.5f);
    CHECK(carom_mesh_remove(mesh, wall) && !carom_mesh_remove(mesh, wall));
    carom_vec2 ring[] = {{-3, -3}, {3, -3}, {3, 3}, {-3, 3}, {-3, -3}};
    CHECK_OK(carom_mesh_add_wall(mesh, ring, 5, &wall));
    CHECK(carom_mesh_way(mesh, carom_vec(0, 0), carom_vec(10, 0), 0.5f, way) == CAROM_NO_WAY);
    carom_mesh_area swamp;
    CHECK_OK(carom_mesh_add_area(mesh, box, 4, 3.0f, &swamp));
    CHECK(carom_mesh_set_area_factor(mesh, swamp, 2.0f) && carom_mesh_remove_area(mesh, swamp));
    size_t size, written;
    CHECK(carom_mesh_save(mesh, NULL, 0, &size) == CAROM_BUFFER_TOO_SMALL);
    uint8_t *bytes = (uint8_t *)malloc(size);
    CHECK_OK(carom_mesh_save(mesh, bytes, size, &written));
    carom_mesh *copy = carom_mesh_read(bytes, written);
    CHECK(copy != NULL && carom_mesh_hash(copy) == carom_mesh_hash(mesh));
    free(bytes);
    carom_mesh_free(copy);
    /* A way of a large mesh says nothing about a small one. */
    carom_mesh_def small = carom_mesh_def_default();
    small.half = 1.0f;
    copy = carom_mesh_new(&small);
    CHECK_OK(carom_mesh_way(mesh, carom_vec(100, 90), carom_vec(110, 100), 0.5f, way));
    CHECK(!carom_mesh_is_current(copy, way));
    carom_mesh_free(copy);
    carom_way_free(way);
    carom_mesh_free(mesh);

    carom_map *map = carom_map_raster(world, carom_at(0, -5), 1.0f, 10, 10, NULL);
    CHECK(map != NULL && !carom_map_is_free(map, cell(5, 5)) && carom_map_is_free(map, cell(0, 0)));
    carom_map_free(map);
    carom_world_free(world);
}

static void test_crowds(void) {
    carom_world_def def = carom_world_def_default();
    def.gravity = carom_vec(0, 0);
    carom_world *world = carom_world_new(&def);
    check_body(world, CAROM_BODY_FIXED, 5.0f, 0.0f, carom_rect(1.0f, 2.0f));
    carom_crowd *crowd = carom_crowd_new(NULL);
    carom_agent_def walker = carom_agent_def_default();
    walker.radius = 0.3f;
    carom_body body;
    carom_agent guard;
    CHECK_OK(carom_agent_body(world, &walker, carom_at(0, 0), &body));
    CHECK_OK(carom_crowd_add(crowd, world, body, &walker, &guard));
    CHECK(carom_crowd_add(crowd, world, body, &walker, NULL) == CAROM_TAKEN_BODY);
    carom_point way[] = {carom_at(4, 2), carom_at(6, 2), carom_at(10, 0)};
    CHECK_OK(carom_crowd_follow(crowd, guard, way, 3));
    int arrived = 0;
    for (int step = 0; step < 600; step++) {
        const carom_crowd_event *events;
        size_t count;
        CHECK_OK(carom_crowd_steer(crowd, world, 1.0f / 60.0f));
        CHECK_OK(carom_world_step(world, 1.0f / 60.0f, NULL));
        CHECK_OK(carom_crowd_events(crowd, &events, &count));
        if (count == 1 && events[0].kind == CAROM_CROWD_EVENT_ARRIVED) arrived++;
    }
    CHECK(arrived == 1 && fabsf(carom_body_position(world, body).x - 10.0f) < 0.2f);
    CHECK(carom_crowd_is_idle(crowd, guard) && !carom_crowd_is_stuck(crowd, guard));
    carom_body its;
    CHECK(carom_crowd_body(crowd, guard, &its) && its.slot == body.slot);

    /* Back along a field, then about. */
    carom_query_filter walls = carom_query_filter_default();
    walls.dynamic = false;
    carom_map *map = carom_map_raster(world, carom_at(-5, -5), 0.5f, 40, 20, &walls);
    carom_cell home = {10, 10};
    carom_flow *flow = carom_flow_new(&home, 1, CAROM_MAP_RULE_EIGHT);
    CHECK_OK(carom_flow_fill(flow, map));
    carom_flow_on field = {flow, map, carom_at(-5, -5), 0.5f};
    CHECK_OK(carom_crowd_stream(crowd, guard, 0));
    for (int step = 0; step < 900; step++) {
        CHECK_OK(carom_crowd_steer_by(crowd, world, &field, 1, 1.0f / 60.0f));
        CHECK_OK(carom_world_step(world, 1.0f / 60.0f, NULL));
    }
    CHECK(fabsf(carom_body_position(world, body).x) < 1.0f);
    field.side = 0.0f;
    CHECK(carom_crowd_steer_by(crowd, world, &field, 1, 1.0f / 60.0f) == CAROM_BAD_NUMBER);
    carom_wander wander = {3, 2.0f, true, carom_at(0, 0), 2.0f};
    CHECK_OK(carom_crowd_wander(crowd, guard, &wander));
    CHECK_OK(carom_crowd_steer(crowd, world, 1.0f / 60.0f));
    carom_flow_free(flow);
    carom_map_free(map);
    CHECK(carom_crowd_remove(crowd, guard) && carom_crowd_count(crowd) == 0);
    CHECK(carom_crowd_go(crowd, guard, carom_at(0, 0)) == CAROM_NO_SUCH_AGENT);
    carom_crowd_free(crowd);
    carom_world_free(world);
}

void test_navigation(void) {
    test_maps();
    test_meshes();
    test_crowds();
}
