/**
 * Geometry of shapes. A Shape is a value: it is checked when a call takes it, or by `check`.
 */
import { fieldsOf, iterated } from "./write.js";
import { geometryAabb, geometryCheck, geometryMass } from "./generated/geometry.js";

export class Shape {
  /** `fields` has members of `geometry` in the table of definitions. */
  constructor(fields) {
    this.fields = fields;
  }

  get isShape() {
    return true;
  }

  static circle(radius) {
    return new Shape({ kind: "circle", radius });
  }

  static capsule(a, b, radius) {
    return new Shape({ kind: "capsule", a, b, radius });
  }

  static segment(a, b) {
    return new Shape({ kind: "segment", a, b });
  }

  static rect(width, height) {
    return new Shape({ kind: "rect", size: [width, height] });
  }

  static polygon(points) {
    return new Shape({ kind: "polygon", points });
  }

  static hull(points) {
    return new Shape({ kind: "hull", points });
  }

  static regular(corners, radius) {
    return new Shape({ kind: "regular", width: corners, radius });
  }

  static polar(points) {
    return new Shape({ kind: "polar", points });
  }

  static outline(points) {
    return new Shape({ kind: "outline", points });
  }

  static compound(parts) {
    return new Shape({ kind: "compound", parts: iterated(parts, fieldsOf, "parts") });
  }

  static chain(points) {
    return new Shape({ kind: "chain", points });
  }

  static closedChain(points) {
    return new Shape({ kind: "closedChain", points });
  }

  static tiles(side, width, cells) {
    return new Shape({ kind: "tiles", side, width, cells });
  }

  static mask(side, width, pixels, tolerance = 0) {
    return new Shape({ kind: "mask", side, width, pixels, tolerance });
  }

  static halfPlane(a, normal) {
    return new Shape({ kind: "halfPlane", a, b: normal });
  }

  static prepared(prepared) {
    return new Shape({ kind: "prepared", prepared });
  }

  /** The same, elsewhere in the frame of its body. */
  at(offset, angle = 0) {
    return new Shape({ ...this.fields, offset, angle });
  }

  /** The same with rounded corners. */
  rounded(radius) {
    return new Shape({ ...this.fields, rounding: radius });
  }

  /** A definition of a shape of this geometry: density, friction, sensor, filter, … */
  with(def) {
    return { ...def, geometry: this };
  }

  /** Throws the rule that it breaks, if any. */
  check() {
    geometryCheck(this);
  }

  /** Mass, centre and inertia. */
  mass(density = 1) {
    return geometryMass(this, density).copy();
  }

  /** The box around it: { min, max }. */
  aabb(place = [0, 0, 0]) {
    return geometryAabb(this, place).copy();
  }
}
