import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { createTokens } from '../../src/auth/tokens.ts';
import { idOf } from './population.ts';

/** Whose tokens the API accepts. */
export const ISSUER = 'http://127.0.0.1:54321/auth/v1';

const ISSUED_AT = Math.floor(Date.now() / 1000);
const EXPIRES_AT = ISSUED_AT + 24 * 3600;

/** The claims of a user's access token, as the API hands them to Postgres. */
export function claimsOf(user: number): object {
  return {
    iss: ISSUER,
    aud: 'authenticated',
    role: 'authenticated',
    sub: idOf(user),
    session_id: idOf(user),
    iat: ISSUED_AT,
    exp: EXPIRES_AT,
  };
}

/** Access tokens of the population, each signed once. */
export interface Bearers {
  readonly signingKey: JWK;
  /** @param issue which of the user's tokens: each expires a second after the one before */
  tokenOf(user: number, issue?: number): Promise<string>;
}

/** Makes a signing key, and tokens as the service signs them. */
export async function createBearers(): Promise<Bearers> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const signingKey = { ...(await exportJWK(privateKey)), kid: 'bench', alg: 'ES256' };
  const tokens = await createTokens({ signingKeys: [signingKey], issuer: ISSUER });
  const signed = new Map<string, string>();
  const issuedAt = new Date(ISSUED_AT * 1000);
  return {
    signingKey,
    tokenOf: async (user, issue = 0) => {
      const name = `${user}/${issue}`;
      const known = signed.get(name);
      if (known !== undefined) return known;
      const expiresAt = new Date((EXPIRES_AT + issue) * 1000);
      const token = await tokens.sign({ userId: idOf(user), sessionId: idOf(user), issuedAt, expiresAt });
      signed.set(name, token);
      return token;
    },
  };
}
