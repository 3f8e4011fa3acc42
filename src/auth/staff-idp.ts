import { z } from 'zod';
import { createIdTokens, type IdTokenOptions } from './id-tokens.ts';

/** Whom the workspace's identity provider vouches for. */
export interface StaffIdentity {
  /** In lower case. */
  readonly email: string;
  readonly isEmailVerified: boolean;
  /** The workspace's domain, in lower case; null for an account of no workspace. */
  readonly hostedDomain: string | null;
}

/** The identity provider of the workspace. */
export interface StaffIdp {
  /**
   * Who signed in there, by an ID token; null where it is no good token. Whether they are staff is for Postgres to say.
   * @throws ApiError SERVICE_UNAVAILABLE where the provider's keys are needed and cannot be had
   */
  identify(idToken: string): Promise<StaffIdentity | null>;
}

const Claims = z.object({
  email: z.email().max(320),
  email_verified: z.unknown().optional(),
  hd: z.string().max(256).nullish(),
});

/** Makes the provider of these options. */
export function createStaffIdp(options: IdTokenOptions): StaffIdp {
  const idTokens = createIdTokens(options);
  return {
    identify: async (idToken) => {
      const claims = Claims.safeParse(await idTokens.verify(idToken)).data;
      if (claims === undefined) return null;
      return {
        email: claims.email.toLowerCase(),
        isEmailVerified: claims.email_verified === true,
        hostedDomain: claims.hd?.toLowerCase() ?? null,
      };
    },
  };
}
