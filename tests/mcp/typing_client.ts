/** The official client in a process of its own: types a long text, until it is killed. */

import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Era, newClient } from "../support/mcp_program.ts";

const [era, url, text] = Deno.args;
const client = await newClient(era as Era, new StreamableHTTPClientTransport(new URL(url!)));
await client.callTool({ name: "type", arguments: { text: text! } });
