export * from "./classes.js";
