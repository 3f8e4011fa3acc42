import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import {
  anonymousClaims,
  bring,
  FORGED_ID_TOKENS,
  phoneClaims,
  staffClaims,
  startTrustingOpine,
  type TrustingOpine,
} from '../support/id-tokens.ts';
import type { IdentityProvider } from '../support/identity-provider.ts';
import { aGuest, aPhone } from '../support/people.ts';

let provider: IdentityProvider;
let opine: TrustingOpine;

beforeAll(async () => {
  opine = await startTrustingOpine();
  provider = opine.provider;
});

afterAll(() => opine.stop());

describe('nobody is signed in by a token', () => {
  const refused = async (token: string) =>
    expect(await bring(aGuest(opine), token)).toMatchObject(refusal(401, 'UNAUTHORIZED'));

  test.for(FORGED_ID_TOKENS)('with %s', async ([, forge]) => {
    await refused(await forge(provider, phoneClaims(aPhone())));
    await refused(await forge(provider, anonymousClaims('an install that is forged')));
  });

  test.each(['password', 'google.com', 'apple.com', 'custom', 'Phone', '', null, ['phone']])(
    'of the provider %j',
    async (sign_in_provider) => {
      const firebase = { identities: {}, sign_in_provider };
      await refused(await provider.sign(phoneClaims(aPhone(), { firebase })));
    },
  );

  test.each([undefined, null, 'phone', {}])('whose firebase claim is %j', async (firebase) => {
    await refused(await provider.sign(phoneClaims(aPhone(), { firebase })));
  });

  test.each([undefined, null, '', 'maya', '2025550101', '+999123456789', 12_025_550_101])(
    'of the phone %j',
    async (phone_number) => {
      await refused(await provider.sign(phoneClaims(aPhone(), { phone_number })));
    },
  );

  test.each([undefined, '', 7])('of the anonymous subject %j', async (sub) => {
    await refused(await provider.sign(anonymousClaims('an install', { sub })));
  });

  test('of staff', async () => {
    await refused(await provider.sign(staffClaims('noor@opine.example')));
  });
});
