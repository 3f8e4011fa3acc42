import { decodeJwt } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { readEdgeConfig } from '../../src/edge-config.ts';
import { anOpine, testEnvironment } from '../support/opine.ts';
import { registeredPerson } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { startFlakyStorage } from '../support/storage.ts';
import { aPresignedUpload, completeUpload, putFile, requestDownload } from '../support/uploads.ts';

const PUBLIC = 'https://project.opine.example';

test('tokens and storage URLs use PUBLIC_SUPABASE_URL even if the service reaches Supabase by another URL', async () => {
  const storage = await startFlakyStorage();
  onTestFinished(() => storage.remove());
  const opine = await anOpine({ ...storage.environment, PUBLIC_SUPABASE_URL: PUBLIC });
  const maya = await registeredPerson(opine, 'Maya');
  expect(decodeJwt(maya.session.accessToken).iss).toBe(`${PUBLIC}/auth/v1`);

  const picture = await aPng();
  const presigned = await aPresignedUpload(maya, picture);
  expect(new URL(presigned.uploadUrl).origin).toBe(PUBLIC);
  const behind = presigned.uploadUrl.replace(PUBLIC, storage.environment.SUPABASE_URL ?? '');
  await putFile({ ...presigned, uploadUrl: behind }, picture);
  const { status, data: asset } = await completeUpload(maya, presigned, picture);
  expect(status).toBe(201);
  expect(new URL((await requestDownload(maya, asset.assetId)).data.url).origin).toBe(PUBLIC);
  await maya.patch('/users/me/profile', { profileAssetId: asset.assetId });
  const { data: profile } = await maya.get('/users/me/profile');
  expect(new URL(profile.profilePhotoUrl).origin).toBe(PUBLIC);
});

test.each([
  [undefined, '/api/v1'],
  ['https://api.opine.example', 'https://api.opine.example/api/v1'],
  ['https://opine.example/base/', 'https://opine.example/base/api/v1'],
])(
  'with PUBLIC_URL %s the OpenAPI documents and the docs page name the server %s',
  async (PUBLIC_URL, server) => {
    const { url } = await anOpine({ ...(PUBLIC_URL && { PUBLIC_URL }) });
    for (const file of ['openapi.json', 'openapi.app.json']) {
      const document = await (await fetch(`${url}/api/v1/${file}`)).json();
      expect(document.servers).toEqual([{ url: server }]);
    }
    expect(await (await fetch(`${url}/docs`)).text()).toContain(`Paths are below <code>${server}</code>.`);
  },
);

test('an edge function reads the public URL from SUPABASE_PUBLIC_URL, and otherwise from SUPABASE_URL', async () => {
  const opine = await anOpine();
  const given = { ...testEnvironment(opine.database), SUPABASE_URL: 'http://kong:8000' };
  expect(readEdgeConfig({ ...given, SUPABASE_PUBLIC_URL: PUBLIC }).PUBLIC_SUPABASE_URL).toBe(PUBLIC);
  expect(readEdgeConfig(given).PUBLIC_SUPABASE_URL).toBe('http://kong:8000');
});

test('an edge function names its address below /functions/v1 of the project, unless PUBLIC_URL is set', async () => {
  const opine = await anOpine();
  const given = { ...testEnvironment(opine.database), SUPABASE_URL: 'http://kong:8000' };
  expect(readEdgeConfig({ ...given, SUPABASE_PUBLIC_URL: PUBLIC }).PUBLIC_URL).toBe(`${PUBLIC}/functions/v1`);
  expect(readEdgeConfig(given).PUBLIC_URL).toBe('http://kong:8000/functions/v1');
  expect(readEdgeConfig({ ...given, PUBLIC_URL: PUBLIC }).PUBLIC_URL).toBe(PUBLIC);
});
