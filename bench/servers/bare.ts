/** The floor: a bare `Deno.serve` that parses the same JSON and answers 204; a GET it answers at once. */

const server = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen: () => {} },
  async (request) => {
    if (request.method !== "GET") await request.json();
    return new Response(null, { status: 204 });
  },
);
console.log(server.addr.port);
