// An app that imports the package as users do.
import * as carom from "carom";
import { answer } from "./answer.js";

globalThis.answer = answer(carom);
