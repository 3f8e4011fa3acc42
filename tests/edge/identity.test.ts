import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildFunctions,
  DENO_PACKAGES,
  type EdgeFunction,
  startEdgeFunction,
} from '../../scripts/local/edge-function.ts';
import { type Client, clientOf, refusal } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  anonymousClaims,
  cookieOf,
  idpEnvironment,
  phoneClaims,
  staffClaims,
  staffIdpEnvironment,
  withCookie,
} from '../support/id-tokens.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { testEnvironment } from '../support/opine.ts';

const ROBIN = 'robin@opine.example';

describe.each(DENO_PACKAGES)('the API function on npm package %s', (deno) => {
  let provider: IdentityProvider;
  let database: TestDatabase;
  let edge: EdgeFunction;
  let guest: Client;

  beforeAll(async () => {
    await buildFunctions();
    provider = await startIdentityProvider();
    database = await createTestDatabase();
    edge = await startEdgeFunction(
      {
        ...testEnvironment(database),
        ...idpEnvironment(provider),
        ...staffIdpEnvironment(provider, ROBIN),
      },
      { deno },
    );
    guest = clientOf(edge.url);
  });

  afterAll(async () => {
    await edge?.stop();
    await database?.drop();
    await provider?.close();
  });

  describe('identity and onboarding', () => {
    test('an ID token signs a phone in and merges the anonymous user of the bearer', async () => {
      const { data: anonymous } = await guest.post('/auth/idp/token', {
        idToken: await provider.sign(anonymousClaims('an install at the edge')),
      });
      const { data } = await clientOf(edge.url, anonymous.accessToken).post('/auth/idp/token', {
        idToken: await provider.sign(phoneClaims('+12025550900'), 'ES256'),
      });
      expect(data).toMatchObject({ user: { id: anonymous.user.id }, isNewUser: true, merged: true });
    });

    test('a new signing key of the identity provider is fetched', async () => {
      await provider.rotate();
      const idToken = await provider.sign(phoneClaims('+12025550901'));
      expect(await guest.post('/auth/idp/token', { idToken })).toMatchObject({ status: 200 });
    });

    test('staff sign in and out by cookie', async () => {
      const idToken = await provider.sign(staffClaims(ROBIN));
      const cookie = withCookie(cookieOf(await guest.post('/admin/auth/idp', { idToken })));
      expect((await guest.get('/admin/auth/session', cookie)).data.email).toBe(ROBIN);
      expect(await guest.post('/admin/auth/logout', undefined, cookie)).toMatchObject({ status: 200 });
      expect(await guest.get('/admin/auth/session', cookie)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    });

    test('a person registers a push token, uploads contacts and ends the account', async () => {
      const phoneNumber = '+12025550902';
      await guest.post('/auth/otp/request', { phoneNumber });
      const { data: session } = await guest.post('/auth/otp/verify', { phoneNumber, code: '4242' });
      const edda = clientOf(edge.url, session.accessToken);
      const basics = { fullName: 'Edda Edge', username: 'edda', termsAccepted: true };
      await edda.put('/users/me/onboarding/profile-basics', basics);
      await edda.put('/users/me/onboarding/media', {});
      const token = { token: 'a-push-token-of-the-edge', platform: 'ios' };
      expect((await edda.post('/notifications/device-tokens', token)).data).toEqual({ registered: true });
      const { data } = await edda.put('/users/me/onboarding/contacts', { permission: 'limited' });
      const contacts = [{ name: 'Jo', phoneNumbers: ['+1 202 555 0904'] }];
      const path = `/users/me/contact-sync/uploads/${data.snapshot.uploadId}`;
      expect((await edda.put(path, { contacts })).data).toMatchObject({ state: 'stored', contactCount: 1 });
      expect(await edda.delete('/users/me')).toMatchObject({ status: 200, data: {} });
      expect(await edda.get('/users/me/onboarding/status')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    });
  });
});
