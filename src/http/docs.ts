/**
 * The interactive documentation: Swagger UI from files inside the program, so that it works without
 * a network.
 */

import { Refusal } from "./refusal.ts";

/** Allows no external resources, no inline scripts and no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Every page and file of a page has them. */
export const PAGE_HEADERS = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** Uses relative links, so that the page works under every computer's name. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Computer Control Service</title>
<link rel="icon" href="favicon.ico">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const START = `function dropToken() { // of somebody who is signed in already
  if (location.hash.startsWith("#token=")) history.replaceState(null, "", location.pathname);
}
addEventListener("hashchange", dropToken);
dropToken();
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

/** The page itself. */
export function docsPage(): Response {
  return new Response(PAGE, {
    headers: { ...PAGE_HEADERS, "content-type": "text/html; charset=utf-8" },
  });
}

/**
 * A file of the page, loaded on first use.
 * @throws Refusal `not_found`
 */
export async function docsAsset(file: string): Promise<Response> {
  const asset = ASSETS.get(file);
  if (asset === undefined) throw new Refusal("not_found", "The documentation has no such file");
  const headers = {
    ...PAGE_HEADERS,
    "content-type": asset.mediaType,
    "cache-control": "max-age=3600",
  };
  return new Response(await asset.text(), { headers });
}

/** The favicon, which browsers request from every address. */
export async function favicon(): Promise<Response> {
  const { default: bytes } = await import("./favicon.ico", { with: { type: "bytes" } });
  const headers = {
    ...PAGE_HEADERS,
    "content-type": "image/vnd.microsoft.icon",
    "cache-control": "max-age=3600",
  };
  return new Response(bytes, { headers });
}

interface Asset {
  readonly mediaType: string;
  text(): string | Promise<string>;
}

const ASSETS: ReadonlyMap<string, Asset> = new Map(Object.entries<Asset>({
  "swagger-ui-bundle.js": {
    mediaType: "text/javascript; charset=utf-8",
    text: async () =>
      (await import("swagger-ui-dist/swagger-ui-bundle.js", { with: { type: "text" } })).default,
  },
  "swagger-ui.css": {
    mediaType: "text/css; charset=utf-8",
    text: async () =>
      (await import("swagger-ui-dist/swagger-ui.css", { with: { type: "text" } })).default,
  },
  "start.js": { mediaType: "text/javascript; charset=utf-8", text: () => START },
}));
