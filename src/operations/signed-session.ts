import { z } from 'zod';
import { SessionGrant } from '../contract/models/sessions.ts';
import type { Call } from '../http/handler.ts';
import type { Services } from '../services.ts';

/** What every sign-in tells Postgres of the session to open: `refreshToken` by its hash, and the kind of device. */
export function sessionArgs({ services, client }: Call, refreshToken: string): object {
  return { refreshTokenHash: services.secrets.fingerprint(refreshToken), deviceKind: client.deviceKind };
}

/** What Postgres counts a client's address by; null where it is not to be counted. */
export function addressHashOf({ client, services }: Call): string | null {
  return client.address === null ? null : services.secrets.hashAddress(client.address);
}

/** The session that a grant stands for. Its times are the database's, whose clock alone counts. */
export async function signed({ tokens }: Services, answer: unknown, refreshToken: string): Promise<object> {
  const { sessionId, issuedAt, expiresAt, expiresIn, user } = SessionGrant.parse(answer);
  const accessToken = await tokens.sign({ userId: user.id, sessionId, issuedAt, expiresAt });
  return {
    accessToken,
    refreshToken,
    tokenType: 'Bearer',
    expiresIn,
    expiresAt: expiresAt.toISOString(),
    user,
  };
}

/** As `signed`, for a session that may have made or merged a user. */
export async function signedIn(services: Services, answer: unknown, refreshToken: string): Promise<object> {
  const { isNewUser, merged } = SignIn.parse(answer);
  return { ...(await signed(services, answer, refreshToken)), isNewUser, merged };
}

const SignIn = z.object({ isNewUser: z.boolean(), merged: z.boolean() });
