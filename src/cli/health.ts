/** Checks whether a service on this computer is alive, bypassing any proxy of the environment. */

const ANSWER_MS = 3_000;

/** Whether `/healthz` answers 200 in time. */
export async function isHealthy(address: string): Promise<boolean> {
  const { hostname, port, host } = new URL(address);
  let connection: Deno.TcpConn | undefined;
  const timer = setTimeout(() => connection?.close(), ANSWER_MS);
  try {
    connection = await Deno.connect({
      hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(port || 80),
    });
    const request = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    await connection.write(new TextEncoder().encode(request));
    const first = new Uint8Array(64);
    const count = await connection.read(first);
    return /^HTTP\/1\.1 200 /.test(new TextDecoder().decode(first.subarray(0, count ?? 0)));
  } catch {
    return false; // nothing listens there, or it was too slow
  } finally {
    clearTimeout(timer);
    try {
      connection?.close();
    } catch {
      // closed by the timer
    }
  }
}
