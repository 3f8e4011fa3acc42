import { z } from 'zod';
import { createIdTokens, type IdTokenOptions } from './id-tokens.ts';
import { normalizePhone } from './phones.ts';

/** A user of the mobile app's identity provider. */
export type Identity =
  | { readonly kind: 'phone'; readonly phoneNumber: string }
  | { readonly kind: 'anonymous'; readonly issuer: string; readonly subject: string };

/** The identity provider of the mobile app. */
export interface Idp {
  /**
   * Returns the user of an ID token, or null for an invalid token or another sign-in method.
   * @throws ApiError SERVICE_UNAVAILABLE if the provider's keys cannot be fetched
   */
  identify(idToken: string): Promise<Identity | null>;
}

const Claims = z.object({
  sub: z.string().min(1).max(256),
  phone_number: z.string().optional(),
  firebase: z.object({ sign_in_provider: z.enum(['phone', 'anonymous']) }),
});

/** Creates the provider. It accepts sign-in by phone and anonymous sign-in (docs/product.md I12). */
export function createIdp(options: IdTokenOptions): Idp {
  const idTokens = createIdTokens(options);
  return {
    identify: async (idToken) => {
      const claims = Claims.safeParse(await idTokens.verify(idToken)).data;
      if (claims === undefined) return null;
      const { sub: subject, phone_number = '', firebase } = claims;
      if (firebase.sign_in_provider === 'anonymous') {
        return { kind: 'anonymous', issuer: options.issuer, subject };
      }
      const phoneNumber = normalizePhone(phone_number);
      return phoneNumber === null ? null : { kind: 'phone', phoneNumber };
    },
  };
}

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

const StaffClaims = z.object({
  email: z.email().max(320),
  email_verified: z.unknown().optional(),
  hd: z.string().max(256).nullish(),
});

/** Creates the provider. */
export function createStaffIdp(options: IdTokenOptions): StaffIdp {
  const idTokens = createIdTokens(options);
  return {
    identify: async (idToken) => {
      const claims = StaffClaims.safeParse(await idTokens.verify(idToken)).data;
      if (claims === undefined) return null;
      return {
        email: claims.email.toLowerCase(),
        isEmailVerified: claims.email_verified === true,
        hostedDomain: claims.hd?.toLowerCase() ?? null,
      };
    },
  };
}
