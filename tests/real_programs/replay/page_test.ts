/** What was done in a page is done again where it looks different and is in another order, or not at all. */

import { expect } from "expect";
import { startCommand } from "../../support/command.ts";
import { pick } from "../../support/extent.ts";
import { testFolder } from "../../support/folder.ts";
import { waitFor } from "../../support/wait.ts";
import { startAccessibleSession } from "../support/accessible_session.ts";
import { Driver } from "./support/driver.ts";
import { replayWatched } from "./support/replayed.ts";

interface PageLook {
  readonly css: string;
  /** The names of the goods, in the order of the page. */
  readonly goods: readonly string[];
  readonly window: readonly [x: number, y: number, width: number, height: number];
}

const GOODS = ["Boots", "Socks", "Hat", "Scarf"];
const LOOKS: readonly PageLook[] = [
  { css: "", goods: GOODS, window: [20, 30, 900, 650] },
  {
    css: "body { background: black; color: white; font-size: 150% }",
    goods: GOODS.toReversed(),
    window: [200, 60, 700, 600],
  },
  {
    css: "body { zoom: 1.4; direction: rtl } li { display: inline-block; width: 45% }",
    goods: ["Hat", "Scarf", "Boots", "Socks"],
    window: [0, 0, 1_200, 780],
  },
  {
    css: "ul { display: flex; flex-wrap: wrap } * { font-family: monospace; margin: 8px }",
    goods: ["Scarf", "Boots", "Gloves", "Socks", "Hat"],
    window: [300, 100, 500, 650],
  },
  {
    css: "body { font-size: 60%; padding: 300px 0 0 200px }",
    goods: GOODS,
    window: [100, 20, 1_000, 500],
  },
];

/** A shop; what is ordered goes to the test. */
function shop({ css, goods }: PageLook): string {
  const items = goods.map((name) =>
    `<li>${name} <input type="number" aria-label="Number" value="0"> <button>Buy</button></li>`
  );
  return `<!doctype html><meta charset="utf-8"><title>Shop</title><style>${css}</style>
<h1>All goods</h1><ul>${items.join("")}</ul>
<form><label>Full name <input name="name"></label>
<label>Country <select name="country"><option>Austria<option>Brazil<option>Chad</select></label>
<label><input type="checkbox" name="gift">As a gift</label><button>Order</button></form>
<p id="said"></p><script>
  const cart = [];
  for (const item of document.querySelectorAll("li")) {
    item.querySelector("button").onclick = () => {
      cart.push(item.firstChild.data.trim() + " " + item.querySelector("input").value);
      said.textContent = "Bought " + item.firstChild.data;
    };
  }
  document.forms[0].onsubmit = (event) => {
    event.preventDefault();
    const { name, country, gift } = event.target.elements;
    const order = [...cart, name.value, country.value, gift.checked].join("|");
    fetch("/order", { method: "POST", body: order });
  };
</script>`;
}

const RUNS: readonly (readonly [bought: string, count: number, name: string, country: string])[] = [
  ["Socks", 3, "Zoë 中文", "Chad"],
  ...pick<typeof RUNS>({
    short: [],
    full: [["Hat", 1, "Ada", "Brazil"], ["Boots", 22, "Bob B.", "Chad"], [
      "Scarf",
      5,
      "E",
      "Brazil",
    ]],
  }),
];

async function openShop() {
  await using opening = new AsyncDisposableStack();
  const session = opening.use(await startAccessibleSession());
  let look = LOOKS[0]!;
  const orders: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    if (request.method === "POST") orders.push(await request.text());
    return new Response(shop(look), { headers: { "content-type": "text/html; charset=utf-8" } });
  });
  opening.defer(() => server.shutdown());
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const args = ["--display", `1=${session.display}`, "--open-browser", url];
  const service = opening.use(await startCommand(args, session.env));
  const open = opening.move();
  const call = async <T = unknown>(operation: string, body?: Record<string, unknown>) => {
    const isRead = body === undefined && /active|list|tabs/.test(operation);
    const answer = isRead
      ? await fetch(`${service.address}/api/${operation}`)
      : await service.post(`/api/${operation}`, body ?? {});
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  };
  return {
    service,
    call,
    orders,
    /** Loads the page as it looks then. */
    async show(next: PageLook) {
      look = next;
      orders.length = 0;
      await call("browser/navigate", { url });
      const windows = await call<{ id: string; app: string | null }[]>("window/list");
      const { id } = windows.find(({ app }) => /chrom/i.test(app ?? ""))!;
      const [x, y, width, height] = next.window;
      await call("window/resize", { id, width, height });
      await call("window/move", { id, x, y });
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

Deno.test("recorded runs in a page have the same result where it looks different", async (t) => {
  await using opened = await openShop();
  const { call, orders } = opened;
  for (const [bought, count, name, country] of RUNS) {
    await t.step(`${count} ${bought} for ${name}`, async () => {
      await using folder = await testFolder();
      await opened.show(LOOKS[0]!);
      const driver = await Driver.start(call, "page");
      const nth = GOODS.indexOf(bought);
      await driver.on({ role: "spinbutton", name: "Number", nth }, "browser.fill", {
        value: count,
      });
      await driver.on({ role: "button", name: "Buy", nth }, "browser.click");
      await driver.on({ role: "textbox", name: "Full name" }, "keyboard.type", { text: name });
      await driver.on({ role: "combobox", name: "Country" }, "browser.fill", { value: country });
      await driver.on({ role: "checkbox", name: "As a gift" }, "mouse.left-click");
      await driver.on({ role: "button", name: "Order" }, "mouse.left-click");
      const wanted = `${bought} ${count}|${name}|${country}|true`;
      await waitFor(() => orders.length === 1, { what: "the order" });
      expect(orders).toEqual([wanted]);
      await driver.export(`${folder.path}/export`);
      for (const look of pick({ short: LOOKS.slice(1, 4), full: LOOKS.slice(1) })) {
        await opened.show(look);
        const { code, stderr, wrong } = await replayWatched(opened, `${folder.path}/export`);
        if (code === 0) await waitFor(() => orders.length > 0, { what: "the order" });
        expect({ look, stderr, wrong, orders: [...orders] }).toEqual({
          look,
          stderr: "",
          wrong: [],
          orders: [wanted],
        });
      }
      await opened.show({ ...LOOKS[1]!, goods: GOODS.filter((each) => each !== bought) });
      const { code, stderr, inputs } = await replayWatched(opened, `${folder.path}/export`);
      expect({ code, inputs, orders }).toEqual({ code: 1, inputs: 0, orders: [] });
      expect(stderr).toContain(
        `Stopped at step 1  browser.fill spinbutton "Number" in the row "${bought}"`,
      );
    });
  }
});
