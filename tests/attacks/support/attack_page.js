// What a page tries to do to the service at `service`; each result says what the page has got of it.
async function attack(name, service) {
  const at = (path, how) => `${service}/api/${path}?by=${name}&how=${how}`;
  const json = { method: "POST", headers: { "content-type": "application/json" } };
  const move = { ...json, body: '{"x":1,"y":1}' };
  const read = async (url, options) => {
    try {
      const answer = await fetch(url, options);
      const headers = Object.fromEntries(answer.headers);
      return { status: answer.status, type: answer.type, headers, text: await answer.text() };
    } catch (error) {
      return { error: error.name };
    }
  };
  const element = (tag, attributes) =>
    new Promise((resolve) => {
      const made = Object.assign(document.createElement(tag), attributes);
      made.onload = () => {
        let text = null;
        try {
          text = made.contentDocument?.body.textContent ?? null;
        } catch { /* of another origin */ }
        resolve({ loaded: true, width: made.naturalWidth ?? null, text });
      };
      made.onerror = () => resolve({ error: "load" });
      document.body.append(made);
    });
  const channel = (make) =>
    new Promise((resolve) => {
      const made = make();
      made.onopen = () => resolve({ opened: true });
      made.onmessage = ({ data }) => resolve({ text: data });
      made.onerror = () => {
        made.close();
        resolve({ error: "channel" });
      };
    });
  const form = () => {
    const target = element("iframe", { name: `target-${name}` });
    const made = Object.assign(document.createElement("form"), {
      ...{ method: "post", enctype: "text/plain", target: `target-${name}` },
      action: at("mouse/move", "form"),
    });
    made.append(Object.assign(document.createElement("input"), { name: '{"x":1,"y":1,"z":"' }));
    document.body.append(made);
    made.submit();
    return target;
  };
  return {
    get: await read(at("display/screenshot", "get")),
    opaque: await read(at("display/screenshot", "opaque"), { mode: "no-cors" }),
    plain: await read(at("mouse/move", "plain"), { method: "POST", body: '{"x":1,"y":1}' }),
    json: await read(at("mouse/move", "json"), move),
    image: await element("img", { src: at("display/screenshot", "image") }),
    script: await element("script", { src: at("keyboard/held", "script") }),
    frame: await element("iframe", { src: at("display/screenshot", "frame") }),
    form: await form(),
    socket: await channel(() =>
      new WebSocket(at("display/screenshot", "socket").replace("http", "ws"))
    ),
    events: await channel(() => new EventSource(at("display/screenshot", "events"))),
  };
}

// deno-lint-ignore no-unused-vars -- the page calls it
async function start(name, control) {
  const service = await (await fetch(`${control}/service?by=${name}`)).text();
  const results = await attack(name, service);
  await fetch(`${control}/results?by=${name}`, { method: "POST", body: JSON.stringify(results) });
}
