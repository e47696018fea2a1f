/** The floor: a bare `Deno.serve` that parses the same JSON and answers 204. */

const server = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen: () => {} },
  async (request) => {
    await request.json();
    return new Response(null, { status: 204 });
  },
);
console.log(server.addr.port);
