import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { html } from 'hono/html';
import { NONCE, type SecureHeadersVariables, secureHeaders } from 'hono/secure-headers';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { z } from 'zod';
import { withClient } from './connection.ts';

/** The workspace of the local staff. */
export const STAFF_CLIENT_ID = 'opine-local-staff';
export const STAFF_DOMAIN = 'opine.example';

/** The roles of staff, each with one local member. */
export const StaffRole = z.enum(['support', 'moderator', 'admin']);
export type StaffRole = z.infer<typeof StaffRole>;

/** Returns the e-mail of the local staff member with this role. */
export function staffEmail(role: StaffRole): string {
  return `${role}@${STAFF_DOMAIN}`;
}

/** A running identity provider of the local staff. */
export interface RunningStaffProvider {
  /** Its issuer and address. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Whether a URL is the staff page on this machine, at any port (RFC 8252, section 7.3). */
function isStaffPage(url: string): boolean {
  return /^http:\/\/(localhost|127\.0\.0\.1|\[::1\]):\d{1,5}\/admin$/.test(url);
}

/** A request of OpenID Connect's implicit flow. */
const SignIn = z.object({
  client_id: z.literal(STAFF_CLIENT_ID),
  response_type: z.literal('id_token'),
  redirect_uri: z.string().refine(isStaffPage),
  scope: z.string().regex(/\bopenid\b/),
  nonce: z.string().min(1),
  state: z.string().optional(),
});

/** The error of OAuth for any wrong request. */
const INVALID = { error: 'invalid_request' };

/**
 * Starts the OpenID Connect provider of a workspace with one person for each role of staff, on loopback. Anybody on this machine
 * signs in as any of them, so no service in production accepts it (`findContradictions` in src/config.ts).
 * @throws Error in production
 */
export async function startStaffProvider(): Promise<RunningStaffProvider> {
  if (process.env.NODE_ENV === 'production') {
    throw new Error('The local staff provider does not run in production.');
  }
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const kid = crypto.randomUUID();
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const app = createApp(url, { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }, (claims) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' }).sign(privateKey),
  );
  server.on('request', getRequestListener(app.fetch));
  return {
    url,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function createApp(url: string, key: JWK, sign: (claims: Record<string, unknown>) => Promise<string>) {
  const app = new Hono<{ Variables: SecureHeadersVariables }>();
  // DNS rebinding: a foreign name may lead here.
  app.use(async (c, next) => (new URL(c.req.url).origin === url ? next() : c.json(INVALID, 421)));
  app.use(
    secureHeaders({
      // A form of this page sends its origin, which `csrf` checks.
      referrerPolicy: 'same-origin',
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        styleSrc: [NONCE],
        imgSrc: ['data:'],
        frameAncestors: ["'none'"],
      },
    }),
    csrf(),
  );
  app.get('/.well-known/openid-configuration', (c) => c.json(discoveryOf(url)));
  app.get('/jwks', (c) => c.json({ keys: [key] }));
  app.get('/authorize', (c) =>
    SignIn.safeParse(c.req.query()).success
      ? c.html(choiceView(c.get('secureHeadersNonce')))
      : c.json(INVALID, 400),
  );
  app.post('/authorize', async (c) => {
    const request = SignIn.safeParse(c.req.query()).data;
    const role = StaffRole.safeParse((await c.req.parseBody()).role).data;
    if (request === undefined || role === undefined) return c.json(INVALID, 400);
    const { nonce, redirect_uri: page, state } = request;
    const idToken = await sign(claimsOf(url, role, nonce));
    const answer = new URLSearchParams({ id_token: idToken, ...(state !== undefined && { state }) });
    return c.redirect(`${page}#${answer}`, 303);
  });
  return app;
}

function discoveryOf(url: string): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['id_token'],
    response_modes_supported: ['fragment'],
    grant_types_supported: ['implicit'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    scopes_supported: ['openid', 'email'],
    claims_supported: ['sub', 'email', 'email_verified', 'hd'],
  };
}

function claimsOf(issuer: string, role: StaffRole, nonce: string): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  const email = staffEmail(role);
  return {
    iss: issuer,
    aud: STAFF_CLIENT_ID,
    sub: role,
    email,
    email_verified: true,
    hd: STAFF_DOMAIN,
    nonce,
    iat: now,
    exp: now + 300,
  };
}

function choiceView(styleNonce: string | undefined) {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Opine staff on this machine</title>
  <link rel="icon" href="data:,">
  <style nonce="${styleNonce}">
    :root { color-scheme: light dark; font: 1rem / 1.5 system-ui, sans-serif }
    main { max-width: 24rem; margin: 10vh auto; padding: 1rem }
    button { display: block; width: 100%; margin: 0.5rem 0; padding: 0.5rem; font: inherit; cursor: pointer }
  </style>
</head>
<body>
  <main>
    <h1>Sign in as</h1>
    <form method="post">${StaffRole.options.map(
      (role) => html`<button name="role" value="${role}">${role} (${staffEmail(role)})</button>`,
    )}</form>
    <p>This provider comes with <code>npm start</code> and asks for no password.</p>
  </main>
</body>
</html>
`;
}

/** Lists the local staff, and keeps entries that exist. @param url connection URL of a superuser */
export async function admitLocalStaff(url: string): Promise<void> {
  await withClient(url, (client) =>
    client.query(
      `select staff.admit(given.email, given.role, 'Comes with the local stack.')
      from unnest($1::text[], $2::staff.role[]) as given (email, role)
      where not exists (select from staff.allowed_emails as a where a.email = given.email)`,
      [StaffRole.options.map(staffEmail), StaffRole.options],
    ),
  );
}
