// The engines of the race. Each builds a scene and gives { step, read, heights }: a step of 1/60 s,
// a sum over the poses of all bodies as a game reads them to draw, and the heights of bodies.
//
// All have four sub-steps or iterations, or their defaults. Nothing sleeps, for a world at rest is
// no race. Friction is 0.6, restitution 0, density 1.
import { readFileSync } from "node:fs";

const DT = 1 / 60;

const carom = async () => {
  const { load } = await import("../src/load.js");
  const bytes = readFileSync(
    process.env.CAROM_WASM ?? new URL("../dist/carom.wasm", import.meta.url),
  );
  const { Shape, World, slotOf } = await load(bytes);
  return ({ bodies, joints }) => {
    const world = new World({ gravity: [0, -10], sleep: false });
    const shapeOf = (part) =>
      part.r ? Shape.circle(part.r) : Shape.rect(part.w, part.h).at([part.x, part.y]);
    const kinds = ["fixed", "kinematic", "dynamic"];
    const ids = world.addAll(
      bodies.map((it) => ({
        kind: kinds[it.kind],
        at: [it.x, it.y],
        spin: it.spin,
        shapes: it.parts.map(shapeOf),
      })),
    );
    for (const { a, b, x, y } of joints)
      world.addJoint({ kind: "revolute", a: ids[a], b: ids[b], at: [x, y] });
    return {
      step: () => world.step(DT),
      read() {
        const poses = world.poses();
        let sum = 0;
        for (let i = 0; i < poses.length; i += 4) sum += poses[i] + poses[i + 1] + poses[i + 2];
        return sum;
      },
      heights: () => ids.map((id) => world.poses()[4 * slotOf(id) + 1]),
      free: () => world.free(),
    };
  };
};

const box2d = (kind) => async () => {
  const path = `./node_modules/box2d3-wasm/build/dist/es/${kind}/Box2D.${kind}.mjs`;
  const b2 = await (await import(path)).default();
  return ({ bodies, joints }) => {
    const worldDef = b2.b2DefaultWorldDef();
    worldDef.gravity.Set(0, -10);
    worldDef.enableSleep = false;
    if ("workerCount" in worldDef) worldDef.workerCount = 0;
    const world = b2.b2CreateWorld(worldDef);
    const { b2_staticBody, b2_kinematicBody, b2_dynamicBody } = b2.b2BodyType;
    const kinds = [b2_staticBody, b2_kinematicBody, b2_dynamicBody];
    const shapeDef = b2.b2DefaultShapeDef();
    const ids = bodies.map((it) => {
      const def = b2.b2DefaultBodyDef();
      def.type = kinds[it.kind];
      def.position.Set(it.x, it.y);
      def.angularVelocity = it.spin;
      const body = b2.b2CreateBody(world, def);
      for (const part of it.parts) {
        if (part.r) {
          const circle = new b2.b2Circle();
          circle.radius = part.r;
          b2.b2CreateCircleShape(body, shapeDef, circle);
        } else {
          const center = new b2.b2Vec2(part.x, part.y);
          b2.b2CreatePolygonShape(
            body,
            shapeDef,
            b2.b2MakeOffsetBox(part.w / 2, part.h / 2, center, b2.b2MakeRot(0)),
          );
        }
      }
      return body;
    });
    for (const { a, b, x, y } of joints) {
      const def = b2.b2DefaultRevoluteJointDef();
      def.base.bodyIdA = ids[a];
      def.base.bodyIdB = ids[b];
      def.base.localFrameA.p.Set(x - bodies[a].x, y - bodies[a].y);
      def.base.localFrameB.p.Set(x - bodies[b].x, y - bodies[b].y);
      b2.b2CreateRevoluteJoint(world, def);
    }
    const seen = (id, take) => {
      const transform = b2.b2Body_GetTransform(id);
      const { p, q } = transform;
      const value = take(p, q);
      p.delete();
      q.delete();
      transform.delete();
      return value;
    };
    const pose = (p, q) => p.x + p.y + q.c;
    const height = (p) => p.y;
    return {
      step: () => b2.b2World_Step(world, DT, 4),
      read() {
        let sum = 0;
        for (const id of ids) sum += seen(id, pose);
        return sum;
      },
      heights: () => ids.map((id) => seen(id, height)),
      free: () => b2.b2DestroyWorld(world),
    };
  };
};

const rapier = (name) => async () => {
  const R = (await import(name)).default;
  await R.init();
  return ({ bodies, joints }) => {
    const world = new R.World({ x: 0, y: -10 });
    world.timestep = DT;
    const kinds = [
      R.RigidBodyDesc.fixed,
      R.RigidBodyDesc.kinematicVelocityBased,
      R.RigidBodyDesc.dynamic,
    ];
    const ids = bodies.map((it) => {
      const def = kinds[it.kind]().setTranslation(it.x, it.y).setAngvel(it.spin).setCanSleep(false);
      const body = world.createRigidBody(def);
      for (const part of it.parts) {
        const shape = part.r
          ? R.ColliderDesc.ball(part.r)
          : R.ColliderDesc.cuboid(part.w / 2, part.h / 2).setTranslation(part.x, part.y);
        world.createCollider(shape.setFriction(0.6).setDensity(1), body);
      }
      return body;
    });
    for (const { a, b, x, y } of joints) {
      const at = (k) => ({ x: x - bodies[k].x, y: y - bodies[k].y });
      world
        .createImpulseJoint(R.JointData.revolute(at(a), at(b)), ids[a], ids[b], true)
        .setContactsEnabled(false);
    }
    return {
      step: () => world.step(),
      read() {
        let sum = 0;
        for (const body of ids) {
          const at = body.translation();
          sum += at.x + at.y + body.rotation();
        }
        return sum;
      },
      heights: () => ids.map((body) => body.translation().y),
      free: () => world.free(),
    };
  };
};

const planck = async () => {
  const pl = await import("planck");
  return ({ bodies, joints }) => {
    const world = new pl.World({ gravity: { x: 0, y: -10 }, allowSleep: false });
    const kinds = ["static", "kinematic", "dynamic"];
    const ids = bodies.map((it) => {
      const body = world.createBody({
        type: kinds[it.kind],
        position: { x: it.x, y: it.y },
        angularVelocity: it.spin,
      });
      for (const part of it.parts) {
        const shape = part.r
          ? new pl.Circle(part.r)
          : new pl.Box(part.w / 2, part.h / 2, { x: part.x, y: part.y });
        body.createFixture({ shape, density: 1, friction: 0.6 });
      }
      return body;
    });
    for (const { a, b, x, y } of joints)
      world.createJoint(new pl.RevoluteJoint({}, ids[a], ids[b], { x, y }));
    return {
      step: () => world.step(DT, 8, 3),
      read() {
        let sum = 0;
        for (const body of ids) {
          const at = body.getPosition();
          sum += at.x + at.y + body.getAngle();
        }
        return sum;
      },
      heights: () => ids.map((body) => body.getPosition().y),
      free() {},
    };
  };
};

const phaser = async () => {
  const b2 = await import("phaser-box2d/dist/PhaserBox2D.min.js");
  b2.b2CreateWorldArray();
  return ({ bodies, joints }) => {
    const worldDef = b2.b2DefaultWorldDef();
    worldDef.gravity = new b2.b2Vec2(0, -10);
    worldDef.enableSleep = false;
    const world = b2.b2CreateWorld(worldDef);
    const kinds = [b2.STATIC ?? 0, b2.KINEMATIC ?? 1, b2.DYNAMIC ?? 2];
    const ids = bodies.map((it) => {
      const def = b2.b2DefaultBodyDef();
      def.type = kinds[it.kind];
      def.position = new b2.b2Vec2(it.x, it.y);
      def.angularVelocity = it.spin;
      const body = b2.b2CreateBody(world, def);
      for (const part of it.parts) {
        const shapeDef = b2.b2DefaultShapeDef();
        shapeDef.restitution = 0;
        if (part.r)
          b2.b2CreateCircleShape(body, shapeDef, new b2.b2Circle(new b2.b2Vec2(0, 0), part.r));
        else
          b2.b2CreatePolygonShape(
            body,
            shapeDef,
            b2.b2MakeOffsetBox(part.w / 2, part.h / 2, new b2.b2Vec2(part.x, part.y), 0),
          );
      }
      return body;
    });
    for (const { a, b, x, y } of joints) {
      const def = b2.b2DefaultRevoluteJointDef();
      def.bodyIdA = ids[a];
      def.bodyIdB = ids[b];
      def.localAnchorA = new b2.b2Vec2(x - bodies[a].x, y - bodies[a].y);
      def.localAnchorB = new b2.b2Vec2(x - bodies[b].x, y - bodies[b].y);
      b2.b2CreateRevoluteJoint(world, def);
    }
    return {
      step: () => b2.b2World_Step(world, DT, 4),
      read() {
        let sum = 0;
        for (const id of ids) {
          const { p, q } = b2.b2Body_GetTransform(id);
          sum += p.x + p.y + q.c;
        }
        return sum;
      },
      heights: () => ids.map((id) => b2.b2Body_GetTransform(id).p.y),
      free: () => b2.b2DestroyWorld(world),
    };
  };
};

/** Matter has pixels, y down, a mass of its own units and no joints but springs of length 0. */
const matter = async () => {
  const { Bodies, Body, Composite, Constraint, Engine } = (await import("matter-js")).default;
  const SCALE = 50;
  return ({ bodies, joints }) => {
    const engine = Engine.create({ enableSleeping: false });
    engine.gravity.y = 1;
    const ids = bodies.map((it) => {
      const options = { isStatic: it.kind !== 2, friction: 0.6, restitution: 0 };
      const parts = it.parts.map((part) =>
        part.r
          ? Bodies.circle(it.x * SCALE, -it.y * SCALE, part.r * SCALE, options)
          : Bodies.rectangle(
              (it.x + part.x) * SCALE,
              -(it.y + part.y) * SCALE,
              part.w * SCALE,
              part.h * SCALE,
              options,
            ),
      );
      const body = parts.length === 1 ? parts[0] : Body.create({ parts, ...options });
      Composite.add(engine.world, body);
      return body;
    });
    const spun = bodies.map((it, k) => [it, ids[k]]).filter(([it]) => it.kind === 1);
    for (const { a, b, x, y } of joints) {
      const at = (k) => ({ x: (x - bodies[k].x) * SCALE, y: -(y - bodies[k].y) * SCALE });
      Composite.add(
        engine.world,
        Constraint.create({
          bodyA: ids[a],
          bodyB: ids[b],
          pointA: at(a),
          pointB: at(b),
          length: 0,
          stiffness: 1,
        }),
      );
    }
    return {
      step() {
        for (const [it, body] of spun) Body.rotate(body, -it.spin * DT);
        Engine.update(engine, 1000 * DT);
      },
      read() {
        let sum = 0;
        for (const body of ids) sum += body.position.x + body.position.y + body.angle;
        return sum;
      },
      heights: () => ids.map((body) => -body.position.y / SCALE),
      free() {},
    };
  };
};

export const ENGINES = [
  ["carom", carom],
  ["box2d3-wasm compat", box2d("compat")],
  ["box2d3-wasm deluxe", box2d("deluxe")],
  ["rapier2d-simd", rapier("@dimforge/rapier2d-simd-compat")],
  ["rapier2d-deterministic", rapier("@dimforge/rapier2d-deterministic-compat")],
  ["planck", planck],
  ["phaser-box2d", phaser],
  ["matter-js", matter],
];
