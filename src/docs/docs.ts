import path from 'node:path';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { ROUTES } from '../domains/all.ts';
import { refuseOtherMethods } from '../http/methods.ts';
import { pageFile } from '../http/page-file.ts';
import type { Variables } from '../http/requests.ts';
import { DOCUMENTS, openApiDocument } from '../openapi/document.ts';
import type { Services } from '../services.ts';
import type { ApiDocument } from './api-document.ts';
import { PAGES, referencePage } from './reference.ts';

/**
 * Mounts `GET /docs`, the reference of the API as an app uses it, and `GET /docs/all` with the operations of staff. The pages are
 * whole without scripts: a script filters them and sends requests.
 */
export function mountDocs(app: Hono<{ Variables: Variables }>, { config }: Services): void {
  const docs = new Hono<{ Variables: Variables }>();
  for (const under of ['/docs', '/docs/*']) docs.use(under, headers);
  for (const { path, file } of PAGES) {
    // Bytes, which answers that nobody reads share.
    let page: Promise<Uint8Array<ArrayBuffer>> | undefined;
    docs.get(path, async (c) => {
      page ??= renderPage(path, file, config.PUBLIC_URL);
      return c.body(await page, 200, { 'Content-Type': 'text/html; charset=UTF-8' });
    });
  }
  for (const file of ['page.css', 'page.js']) {
    docs.get(`/docs/${file}`, pageFile(path.join(import.meta.dirname, file)));
  }
  refuseOtherMethods(docs);
  app.route('/', docs);
}

const headers = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ['data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

async function renderPage(path: string, file: string, publicUrl?: string): Promise<Uint8Array<ArrayBuffer>> {
  const operations = ROUTES.filter((operation) => DOCUMENTS[file]?.(operation));
  const document = openApiDocument(operations, publicUrl) as ApiDocument;
  return new TextEncoder().encode(String(await referencePage(document, path)));
}
