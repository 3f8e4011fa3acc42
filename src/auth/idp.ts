import { z } from 'zod';
import { createIdTokens, type IdTokenOptions } from './id-tokens.ts';
import { normalizePhone } from './phones.ts';

/** Whom the identity provider of the mobile app vouches for. */
export type Identity =
  | { readonly kind: 'phone'; readonly phoneNumber: string }
  | { readonly kind: 'anonymous'; readonly issuer: string; readonly subject: string };

/** The identity provider of the mobile app. */
export interface Idp {
  /**
   * Who signed in there, by an ID token; null where it is no good token, or of a way to sign in that does not count.
   * @throws ApiError SERVICE_UNAVAILABLE where the provider's keys are needed and cannot be had
   */
  identify(idToken: string): Promise<Identity | null>;
}

const Claims = z.object({
  sub: z.string().min(1).max(256),
  phone_number: z.string().optional(),
  firebase: z.object({ sign_in_provider: z.enum(['phone', 'anonymous']) }),
});

/** Makes the provider of these options: it signs in by phone or anonymously, and says which (docs/product.md I12). */
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
