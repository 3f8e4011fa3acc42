import { existsSync } from 'node:fs';
import path from 'node:path';
import { Hono, type MiddlewareHandler } from 'hono';
import { etag } from 'hono/etag';
import { secureHeaders } from 'hono/secure-headers';
import { ConfigError } from '../config.ts';
import type { Services } from '../services.ts';
import { refuseOtherMethods } from './methods.ts';
import { pageFile } from './page-file.ts';
import type { Variables } from './requests.ts';

const DIRECTORY = path.join(import.meta.dirname, '../../clients/web/dist');
const PAGE = path.join(DIRECTORY, 'index.html');

/** The paths of share links, invitations and invite links below APP_URL. The app has the same paths after the `#`. */
const LINKS = ['/posts/:postId', '/invitations/:token', '/join/:token'];

/**
 * Mounts the reference app at `/`. It calls the API from its own origin, and storage by signed URLs.
 * @throws ConfigError if the app is not built
 */
export function mountWebApp(app: Hono<{ Variables: Variables }>, { config }: Services): void {
  if (!existsSync(PAGE)) throw new ConfigError('WEB_APP needs clients/web/dist: npm run build:web makes it.');
  const web = new Hono<{ Variables: Variables }>();
  const headers = headersFor(new URL(config.PUBLIC_SUPABASE_URL).origin);
  for (const route of ['/', '/app.js', '/app.css']) web.use(route, headers, revalidate, etag());
  web.get(
    '/',
    pageFile(PAGE, (page) => withTestPhones(page, config.SMS_TEST_NUMBERS?.text)),
  );
  for (const file of ['app.js', 'app.css']) web.get(`/${file}`, pageFile(path.join(DIRECTORY, file)));
  for (const link of LINKS) web.get(link, (c) => c.redirect(`/#${new URL(c.req.url).pathname}`));
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
