import { z } from 'zod';
import { ApiError } from '../contract/errors.ts';
import type { Call } from '../http/handler.ts';
import type { StaffAccess } from '../services.ts';
import { addressHashOf } from './client-args.ts';

/** What the sign-in page of staff needs. */
export async function describeStaffSignIn({ services: { staff } }: Call): Promise<unknown> {
  return { enabled: staff !== null, idpClientId: staff?.clientId ?? '' };
}

const IdTokenArgs = z.object({ idToken: z.string() });
const StaffSession = z.object({ email: z.string(), expiresAt: z.string(), expiresIn: z.int() });

/** Checks an ID token of the workspace; Postgres says whether its owner is staff, and keeps the attempt. */
export async function startStaffSession(call: Call): Promise<unknown> {
  const { secrets } = call.services;
  const { idp, policy } = configured(call);
  const token = secrets.newToken();
  const answer = await call.run({
    identity: await idp.identify(IdTokenArgs.parse(call.args).idToken),
    policy,
    tokenHash: secrets.fingerprint(token),
    addressHash: addressHashOf(call),
  });
  const { expiresIn, ...session } = StaffSession.parse(answer);
  call.staffCookie.keep(token, expiresIn);
  return session;
}

/** Ends the session and takes its cookie back. */
export async function endStaffSession(call: Call): Promise<unknown> {
  const answer = await call.run({});
  call.staffCookie.forget();
  return answer;
}

function configured({ services: { staff } }: Call): StaffAccess {
  if (staff === null) throw new ApiError('STAFF_SIGN_IN_UNAVAILABLE');
  return staff;
}
