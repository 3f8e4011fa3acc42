import { z } from 'zod';
import { createIdTokens, type IdTokenOptions } from './id-tokens.ts';

/** A user of the workspace's identity provider. */
export interface StaffIdentity {
  /** In lower case. */
  readonly email: string;
  readonly isEmailVerified: boolean;
  /** The workspace's domain, in lower case; null for an account outside of any workspace. */
  readonly hostedDomain: string | null;
}

/** The identity provider of the workspace. */
export interface StaffIdp {
  /**
   * Returns the user of an ID token, or null for an invalid token. Postgres decides if the user is staff.
   * @throws ApiError SERVICE_UNAVAILABLE if the provider's keys cannot be fetched
   */
  identify(idToken: string): Promise<StaffIdentity | null>;
}

const Claims = z.object({
  email: z.email().max(320),
  email_verified: z.unknown().optional(),
  hd: z.string().max(256).nullish(),
});

/** Creates the provider. */
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
