import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import { etag } from 'hono/etag';
import { secureHeaders } from 'hono/secure-headers';
import { ConfigError } from '../config.ts';
import type { Services } from '../services.ts';
import { refuseOtherMethods } from './methods.ts';
import { pageFile } from './page-file.ts';
import type { Variables } from './requests.ts';
import { withPreview } from './share-page.ts';

const DIRECTORY = path.join(import.meta.dirname, '../../clients/web/dist');
const PAGE = path.join(DIRECTORY, 'index.html');

const FILES = ['app.js', 'app.css', 'favicon.svg', 'manifest.webmanifest', 'robots.txt'];

const PAGES = ['/', '/posts/:postId'];

/**
 * Mounts the reference app at `/`. It calls the API from its own origin, and storage by signed URLs. Links below APP_URL lead to the
 * same path after the `#`; the link of a post is the page itself, with a preview of a public post.
 * @throws ConfigError if the app is not built
 */
export function mountWebApp(app: Hono<{ Variables: Variables }>, services: Services): void {
  const { config } = services;
  if (!existsSync(PAGE)) throw new ConfigError('WEB_APP needs clients/web/dist: npm run build:web makes it.');
  const web = new Hono<{ Variables: Variables }>();
  const headers = headersFor(new URL(config.PUBLIC_SUPABASE_URL).origin);
  for (const route of [...PAGES, ...FILES.map((file) => `/${file}`)])
    web.use(route, headers, revalidate, etag());
  const withPhones = (page: string) => withTestPhones(page, config.SMS_TEST_NUMBERS?.text);
  web.get('/', pageFile(PAGE, withPhones));
  const page = withPhones(readFileSync(PAGE, 'utf8'));
  web.get('/posts/:postId', async (c) => {
    const { postId } = c.req.param();
    return c.html(await withPreview(page, services, { postId, requestId: c.get('requestId') }));
  });
  for (const file of FILES) web.get(`/${file}`, pageFile(path.join(DIRECTORY, file)));
  for (const link of ['invitations', 'join'])
    web.get(`/${link}/:token`, (c) => c.redirect(`/#${new URL(c.req.url).pathname}`));
  refuseOtherMethods(web);
  app.route('/', web);
}

/** Allows the app its own files, and pictures and uploads at `storage`. */
function headersFor(storage: string): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      manifestSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', storage],
      connectSrc: ["'self'", storage],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
    referrerPolicy: 'no-referrer',
  });
}

/** File names have no hash, so browsers ask each time, and get 304 for what they have. */
const revalidate: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('Cache-Control', 'no-cache');
};

/** Adds the phones with a fixed code, which production refuses, for a hint on the sign-in screen. */
function withTestPhones(page: string, testNumbers: string | undefined): string {
  if (testNumbers === undefined) return page;
  return page.replace('</head>', `  <meta name="opine-test-phones" content="${testNumbers}">\n</head>`);
}
