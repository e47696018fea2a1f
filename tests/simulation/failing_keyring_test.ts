/** Secrets in a real keyring, while the connections to its bus end at each message: see `failing_sockets.ts`. */

import { expect } from "expect";
import { configureLog } from "../../src/core/log.ts";
import { itemToText } from "../../src/features/secrets/stored.ts";
import { parseBusAddress } from "../../src/platform/linux/bus/types.ts";
import { busMessageSize, type Cut, CuttingProxy } from "../support/cutting_proxy.ts";
import { testFolder } from "../support/folder.ts";
import { type Keyring, startKeyring } from "../support/keyring.ts";
import { startService } from "../support/service.ts";
import { isOnPath, unless } from "../support/test_if.ts";
import { waitFor } from "../support/wait.ts";
import { countDescriptors } from "../support/wayland/socket_pair.ts";
import {
  type Answer,
  cutEachMessage,
  type CutOperation,
  type CutService,
} from "./failing_sockets.ts";

const ignore = unless(isOnPath("gnome-keyring-daemon"), "gnome-keyring is not installed");

configureLog({ level: "warn", format: "text" });

const CUTS: readonly Cut[] = ["before", "after", "half"];
/** Without a display. */
const NO_DISPLAY = ":65535";
const PROPERTIES = ["application", "computer-control", "service"];
/** What is stored beside the item that changes, and must stay as it is. */
const OTHERS = ["shop", "Büro 日本"];

interface Vault extends CutService, AsyncDisposable {
  /** The values of the service `bank`, past the proxy; `undefined`: it has no item. */
  stored(): Promise<string | undefined>;
  /** Gives it an item, past the proxy; without a value it has none. */
  put(value: string | undefined): Promise<void>;
}

async function openVault(): Promise<Vault> {
  await using opening = new AsyncDisposableStack();
  const keyring = opening.use(await startKeyring("unlocked"));
  const folder = opening.use(await testFolder());
  const path = `${folder.path}/bus`;
  const bus = parseBusAddress(keyring.address)[0]!;
  const proxy = opening.use(
    new CuttingProxy({
      listener: Deno.listen({ transport: "unix", path }),
      connect: () => Deno.connect({ transport: "unix", path: bus }),
      messageSize: busMessageSize,
    }),
  );
  for (const name of OTHERS) await store(keyring, name, passwordText(name));
  const service = opening.use(
    await startService({
      displays: [NO_DISPLAY],
      keychain: "secret-service",
      env: { ...Deno.env.toObject(), DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` },
      writeLog() {},
    }),
  );
  const open = opening.move();
  return {
    proxy,
    service,
    probe: { path: "keychain/list-services" },
    pressed: () => Promise.resolve([]), // nothing here presses anything
    async stored() {
      expect(await damaged(keyring)).toEqual([]);
      return await lookUp(keyring, "bank");
    },
    async put(value) {
      await keyring.secretTool(["clear", ...PROPERTIES, "bank"]);
      if (value !== undefined) await store(keyring, "bank", passwordText(value));
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function passwordText(value: string): string {
  return itemToText(new Map([["password", value]]));
}

async function store(keyring: Keyring, name: string, text: string): Promise<void> {
  await keyring.secretTool(["store", "--label=test", ...PROPERTIES, name], text);
}

async function lookUp(keyring: Keyring, name: string): Promise<string | undefined> {
  return await keyring.secretTool(["lookup", ...PROPERTIES, name]) || undefined;
}

/** The items that nobody has changed, and that are not as they were. */
async function damaged(keyring: Keyring): Promise<string[]> {
  const found = await Promise.all(OTHERS.map((name) => lookUp(keyring, name)));
  return OTHERS.filter((name, index) => found[index] !== passwordText(name));
}

const isDone = ({ status }: Answer) => status < 300;
let values = 0;
/** A value that was never stored before. */
const newValue = () => `the value ${++values}`;

const OPERATIONS: Readonly<Record<string, (vault: Vault) => CutOperation>> = {
  "a first value": (vault) => change(vault, { had: () => undefined }),
  "another value": (vault) => change(vault, { had: newValue }),
  "the end of a value": (vault) => {
    let before = "";
    return {
      path: "keychain/delete-item",
      async prepare() {
        await vault.put(before = newValue());
      },
      body: () => ({ service: "bank" }),
      async afterwards(answer) {
        const left = isDone(answer) ? [undefined] : [undefined, passwordText(before)];
        expect(left).toContain(await vault.stored());
      },
    };
  },
  "the check of a value": (vault) => {
    let value = "";
    return {
      path: "keychain/authenticate",
      async prepare() {
        await vault.put(value = newValue());
      },
      body: () => ({ service: "bank", authElements: [{ type: "password", value }] }),
      async afterwards(answer) {
        if (isDone(answer)) expect(answer.text).toBe("true");
        expect(await vault.stored()).toBe(passwordText(value));
      },
    };
  },
  "the names": (vault) => ({
    path: "keychain/list-services",
    prepare: () => vault.put("a value"),
    async afterwards(answer) {
      expect(await vault.stored()).toBe(passwordText("a value"));
      if (isDone(answer)) {
        expect(JSON.parse(answer.text)).toEqual(["bank", ...OTHERS].toSorted());
      }
    },
  }),
};

/** The item is the old one or the new one, and the new one where that was said. */
function change(vault: Vault, { had }: { had: () => string | undefined }): CutOperation {
  let [before, wanted]: (string | undefined)[] = [];
  return {
    path: "keychain/set-item",
    async prepare() {
      await vault.put(before = had());
    },
    body: () => ({ service: "bank", item: { password: wanted = newValue() } }),
    async afterwards(answer) {
      const old = before === undefined ? undefined : passwordText(before);
      const now = passwordText(wanted!);
      expect(isDone(answer) ? [now] : [old, now]).toContain(await vault.stored());
    },
  };
}

Deno.test({
  name: "operations on a keyring, whichever message to its bus is the last one",
  ignore,
  async fn(test) {
    await using vault = await openVault();
    await vault.service.call("/api/keychain/list-services");
    const before = countDescriptors();
    let all = 0;
    for (const [name, describe] of Object.entries(OPERATIONS)) {
      await test.step(name, async () => {
        const operation = describe(vault);
        let injected = 0;
        for (const cut of CUTS) injected += await cutEachMessage(vault, operation, { cut });
        console.log(`${name}: ${injected} connections were cut`);
        expect(injected).toBeGreaterThan(5 * CUTS.length);
        all += injected;
      });
    }
    console.log(`${all} connections to the keyring were cut`);

    await test.step("a bus that answers nothing any more is not waited for, and connected to anew", async () => {
      for (const name of ["another value", "the check of a value", "the names"]) {
        const operation = OPERATIONS[name]!(vault);
        expect(await cutEachMessage(vault, operation, { cut: "silent", most: 1 })).toBe(1);
      }
    });

    await test.step("no descriptor is left", async () => {
      await waitFor(() => countDescriptors() <= before, { what: "the descriptors to be closed" });
    });
  },
});
