// Navigation: maps, fields, meshes, crowds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Crowd, FlowField, GridMap, GridSearch, NavMesh, Shape, Way, World } from "carom";

const TEXT = "..........\n..........\n######.###\n..........\n..........";

test("a path on a map of cells", () => {
  const map = GridMap.parse(TEXT);
  assert.deepEqual([map.width(), map.height()], [10, 5]);
  assert.equal(map.isFree([0, 2]), false);
  const search = new GridSearch();
  const { cells, turns } = search.path(map, { start: [0, 0], goal: [0, 4] });
  assert.ok(cells > 12 && cells < 15, `${cells}`);
  assert.ok(turns instanceof Int32Array && turns.length >= 6);
  assert.deepEqual([...turns.slice(0, 2)], [0, 0]);
  assert.ok(search.cells().length >= 26);
  assert.ok(search.taut(map, "eight").length >= 4);
  map.setWall([6, 2], true);
  assert.equal(search.isStale(map), true);
  assert.throws(() => search.path(map, { start: [0, 0], goal: [0, 4] }), { code: "no_way" });
  assert.equal(map.connected([0, 0], [0, 4]), false);
  assert.deepEqual(map.nearestReachable("eight", [0, 0], [0, 4]).length, 2);
  const again = GridMap.read(map.save());
  assert.equal(again.hash(), map.hash());
  map.setCost([1, 1], 5);
  assert.equal(map.cost([1, 1]), 5);
});

test("a flow field leads to its goal", () => {
  const map = GridMap.parse(TEXT);
  const field = new FlowField([[0, 4]], "eight");
  field.fill(map);
  let at = [0, 0];
  for (let k = 0; k < 40 && at[1] !== 4; k += 1) at = [...field.next(map, at)];
  while (at[0] !== 0) at = [...field.next(map, at)];
  assert.deepEqual(at, [0, 4]);
  assert.ok(field.distance([0, 0]) > 12);
  map.setWall([6, 2], true);
  field.update(map);
  assert.equal(field.distance([0, 0]), null);
});

test("a way through a mesh, and a crowd that walks it", () => {
  const world = new World({ gravity: [0, 0] });
  world.addFixed({ at: [0, 0], shape: Shape.rect(1, 10) });
  const mesh = new NavMesh({ half: 64 });
  assert.ok(mesh.sync(world, [0, 0]).added > 0);
  const way = new Way();
  mesh.way([-5, 0], [5, 0], 0.4, way);
  assert.ok(way.length() > 14, `${way.length()}`);
  const points = way.points(0.05);
  assert.ok(points instanceof Float32Array && points.length >= 8);
  assert.equal(mesh.isCurrent(way), true);
  assert.equal(mesh.reachable([-5, 0], [5, 0], 0.4), true);
  const pond = mesh.add([
    [10, 10],
    [12, 10],
    [12, 12],
    [10, 12],
  ]);
  assert.equal(mesh.remove(pond), true);
  assert.equal(mesh.remove(pond), false);

  const crowd = new Crowd();
  const walker = { radius: 0.4, speed: 2 };
  const body = world.addAgentBody(walker, [-5, 0]);
  const agent = crowd.add(world, body, walker);
  const route = [];
  for (let k = 0; k < points.length; k += 2) route.push([points[k], points[k + 1]]);
  crowd.follow(agent, route);
  let arrived = false;
  for (let k = 0; k < 900 && !arrived; k += 1) {
    crowd.steer(world, 1 / 60);
    for (const event of crowd.events())
      arrived ||= event.kind === "arrived" && event.agent === agent;
    world.step(1 / 60);
  }
  assert.equal(arrived, true);
  assert.equal(crowd.body(agent), body);
  assert.throws(() => crowd.add(world, body, walker), { code: "taken_body" });
});

test("a crowd streams along a field", () => {
  const world = new World({ gravity: [0, 0] });
  const map = new GridMap(20, 20);
  const flow = new FlowField([[19, 19]], "eight");
  flow.fill(map);
  const crowd = new Crowd();
  const agents = [2, 4, 6].map((x) => crowd.add(world, world.addAgentBody({}, [x, 2]), {}));
  for (const agent of agents) crowd.stream(agent, 0);
  for (let k = 0; k < 600; k += 1) {
    crowd.steerBy(world, [{ flow, map, origin: [0, 0], side: 1 }], 1 / 60);
    world.step(1 / 60);
  }
  const [x, y] = world.position(crowd.body(agents[0]));
  assert.ok(x > 10 && y > 10, `${x}, ${y}`);
  assert.throws(() => crowd.steerBy(world, [{ flow: map, map }], 1 / 60), { code: "bad_type" });
});
