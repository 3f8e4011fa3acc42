import { type Client, expectOk, type Reply } from './client.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { type Opine, startOpine } from './opine.ts';
import { aGuest } from './people.ts';

const PROJECT = 'opine-of-tests';
const FIREBASE = `https://securetoken.google.com/${PROJECT}`;
const STAFF_CLIENT = 'staff-pages-of-tests.apps.example';
const GOOGLE = 'https://accounts.google.com';

export const STAFF_DOMAIN = 'opine.example';

/** Claims to add or override; `undefined` removes a claim. */
export type Claims = Readonly<Record<string, unknown>>;

/** Environment of a server that accepts users of `provider`. */
export function idpEnvironment({ jwksUrl }: IdentityProvider) {
  return { IDP_ISSUER: FIREBASE, IDP_AUDIENCE: PROJECT, IDP_JWKS_URL: jwksUrl };
}

/** Environment of a server that accepts these staff members of `provider`. */
export function staffIdpEnvironment({ jwksUrl }: IdentityProvider, ...emails: string[]) {
  return {
    STAFF_IDP_CLIENT_ID: STAFF_CLIENT,
    STAFF_ALLOWED_DOMAIN: STAFF_DOMAIN,
    STAFF_IDP_JWKS_URL: jwksUrl,
    STAFF_ALLOWED_EMAILS: emails.join(','),
  };
}

export interface OpineWithIdp extends Opine {
  readonly provider: IdentityProvider;
}

/** Starts an Opine with a provider of its own; `stop` stops both. */
export async function startOpineWithIdp(...staff: string[]): Promise<OpineWithIdp> {
  const provider = await startIdentityProvider();
  const opine = await startOpine({ ...idpEnvironment(provider), ...staffIdpEnvironment(provider, ...staff) });
  return {
    ...opine,
    provider,
    stop: async () => {
      await opine.stop();
      await provider.close();
    },
  };
}

/** Firebase's claims for a verified phone. */
export function phoneClaims(phoneNumber: unknown, changes: Claims = {}): Claims {
  return {
    ...firebaseClaims(`firebase-user-of-${phoneNumber}`),
    phone_number: phoneNumber,
    firebase: { identities: { phone: [phoneNumber] }, sign_in_provider: 'phone' },
    ...changes,
  };
}

/** Firebase's claims for an anonymous install. */
export function anonymousClaims(subject: string, changes: Claims = {}): Claims {
  return {
    ...firebaseClaims(subject),
    provider_id: 'anonymous',
    firebase: { identities: {}, sign_in_provider: 'anonymous' },
    ...changes,
  };
}

/** Google's claims for a staff member. */
export function staffClaims(email: string, changes: Claims = {}): Claims {
  const now = seconds();
  return {
    iss: GOOGLE,
    aud: STAFF_CLIENT,
    azp: STAFF_CLIENT,
    sub: `google-user-of-${email}`,
    email,
    email_verified: true,
    hd: STAFF_DOMAIN,
    iat: now,
    exp: now + 3600,
    ...changes,
  };
}

function firebaseClaims(subject: string): Claims {
  const now = seconds();
  return {
    iss: FIREBASE,
    aud: PROJECT,
    sub: subject,
    user_id: subject,
    auth_time: now - 60,
    iat: now - 1,
    exp: now + 3600,
  };
}

/** Provider tokens expire by the real clock, which no test moves. */
function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

export function signInWithIdToken(caller: Client, idToken: unknown): Promise<Reply> {
  return caller.post('/auth/idp/token', { idToken });
}

export function signInStaffWithIdToken(opine: Opine, idToken: unknown): Promise<Reply> {
  return aGuest(opine).post('/admin/auth/idp', { idToken });
}

/** Returns the staff session cookie that a reply sets. */
export function cookieOf({ headers }: Reply): string {
  const [cookie = ''] = headers.getSetCookie();
  return cookie.split(';', 1)[0] ?? '';
}

export async function signInAsStaff(opine: Opine, provider: IdentityProvider, email: string): Promise<Reply> {
  return signInStaffWithIdToken(opine, await provider.sign(staffClaims(email)));
}

/** Signs a staff member in. Returns the session cookie. */
export async function aStaffCookie(opine: Opine, provider: IdentityProvider, email: string): Promise<string> {
  const reply = signInAsStaff(opine, provider, email);
  await expectOk(reply);
  return cookieOf(await reply);
}

export function withCookie(cookie: string) {
  return { headers: { cookie } };
}

export function staffSession(opine: Opine, cookie: string): Promise<Reply> {
  return aGuest(opine).get('/admin/auth/session', withCookie(cookie));
}
