/** What of the service's environment a command gets. */

import { expect } from "expect";
import { commandEnvironment } from "../../src/platform/environment.ts";

const ENV = {
  HOME: "/home/u",
  COMPUTER_CONTROL_TOKEN: "t",
  Computer_Control_Key: "k",
  COMPUTER: "c",
  COPY: "t",
  EMPTY: "",
  ABSENT: undefined,
};

Deno.test("commandEnvironment() leaves out what is the service's own", () => {
  expect(commandEnvironment(ENV, { token: "t" })).toEqual({
    HOME: "/home/u",
    COMPUTER: "c",
    EMPTY: "",
  });
});

Deno.test("commandEnvironment() keeps all other values when there is no token", () => {
  expect(commandEnvironment(ENV, { token: undefined })).toEqual({
    HOME: "/home/u",
    COMPUTER: "c",
    COPY: "t",
    EMPTY: "",
  });
});
