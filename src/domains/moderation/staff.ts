import { z } from 'zod';
import { ApiError } from '../../contract/errors.ts';
import { idToken, nothing } from '../../contract/values.ts';
import { type Call, hashAddress, type Operation } from '../../http/operation.ts';
import type { StaffAccess } from '../../services.ts';
import { AT } from '../examples.ts';
import { StaffSession, WhoIsSignedIn } from './schemas.ts';

const session = { email: 'robin@opine.example', expiresAt: AT };

/** Staff sign-in, separate from the mobile app (docs/product.md S1-S3). */
export const staff: readonly Operation[] = [
  {
    id: 'get_staff_config',
    method: 'get',
    path: '/admin/auth/config',
    tag: 'Staff',
    summary: 'Get the configuration of staff sign-in',
    auth: 'none',
    data: z
      .strictObject({
        enabled: z.boolean().describe('Whether staff sign-in is set up here.'),
        idpClientId: z
          .string()
          .describe('The client id for the sign-in button; empty where sign-in is not set up.'),
      })
      .meta({ id: 'StaffConfig', description: 'The configuration of staff sign-in.' }),
    status: 200,
    message: 'Staff sign-in configuration.',
    example: { data: { enabled: true, idpClientId: '1234567890.apps.example.com' } },
    gateway: 'none',
    handle: describeStaffSignIn,
  },
  {
    id: 'start_staff_session',
    revokesAccess: false,
    method: 'post',
    path: '/admin/auth/idp',
    tag: 'Staff',
    summary: 'Sign in as staff',
    description:
      'Takes an ID token of the workspace. Sets the cookie `__Host-staff_session`, which opens only the operations of staff, for 8 hours.',
    auth: 'none',
    body: z
      .strictObject({ idToken: idToken.describe('An ID token of the workspace, with a verified e-mail.') })
      .describe('A staff sign-in.'),
    data: StaffSession,
    status: 200,
    message: 'Signed in as staff.',
    errors: ['FORBIDDEN', 'RATE_LIMITED', 'STAFF_SIGN_IN_UNAVAILABLE'],
    example: { body: { idToken: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl' }, data: session },
    gateway: 'service',
    handle: startStaffSession,
  },
  {
    id: 'get_staff_session',
    method: 'get',
    path: '/admin/auth/session',
    tag: 'Staff',
    summary: 'Get the staff session and its role',
    auth: 'staff',
    data: WhoIsSignedIn,
    status: 200,
    message: 'Staff session.',
    example: { data: { ...session, role: 'moderator' } },
  },
  {
    id: 'end_staff_session',
    method: 'post',
    path: '/admin/auth/logout',
    tag: 'Staff',
    summary: 'Sign out as staff',
    auth: 'staff',
    data: nothing,
    status: 200,
    message: 'Signed out.',
    example: { data: {} },
    handle: endStaffSession,
  },
];

/** Answers the configuration of staff sign-in. */
async function describeStaffSignIn({ services: { staff } }: Call): Promise<unknown> {
  return { enabled: staff !== null, idpClientId: staff?.clientId ?? '' };
}

const IdTokenArgs = z.object({ idToken: z.string() });
const NewSession = z.object({ email: z.string(), expiresAt: z.string(), expiresIn: z.int() });

/**
 * Verifies an ID token of the workspace and opens a staff session. Postgres decides who is staff and records the attempt.
 * @throws ApiError STAFF_SIGN_IN_UNAVAILABLE without configuration
 */
async function startStaffSession(call: Call): Promise<unknown> {
  const { secrets } = call.services;
  const { idp, policy } = requireStaffAccess(call);
  const token = secrets.newToken();
  const answer = await call.run({
    identity: await idp.identify(IdTokenArgs.parse(call.args).idToken),
    policy,
    tokenHash: secrets.fingerprint(token),
    addressHash: hashAddress(call),
  });
  const { expiresIn, ...session } = NewSession.parse(answer);
  call.staffCookie.set(token, expiresIn);
  return session;
}

/** Ends the staff session and deletes its cookie. */
async function endStaffSession(call: Call): Promise<unknown> {
  const answer = await call.run({});
  call.staffCookie.clear();
  return answer;
}

function requireStaffAccess({ services: { staff } }: Call): StaffAccess {
  if (staff === null) throw new ApiError('STAFF_SIGN_IN_UNAVAILABLE');
  return staff;
}
