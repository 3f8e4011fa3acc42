import { z } from 'zod';
import { SessionGrant } from '../contract/models/sessions.ts';
import type { Services } from '../services.ts';

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
