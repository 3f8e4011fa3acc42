import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { type Opine, startOpine } from '../support/opine.ts';

type Item = {
  name: string;
  event?: { script: { exec: string[] } }[];
  request: {
    method: string;
    auth?: { type: string };
    url: { path: string[]; variable: { key: string; value: string }[] };
    body?: { raw: string };
  };
};
type Variable = { key: string; value: string };
type Collection = { variable: Variable[]; item: { name: string; item: Item[] }[] };

const FILE = path.join(import.meta.dirname, '../../clients/postman/opine.postman_collection.json');
const collection: Collection = JSON.parse(readFileSync(FILE, 'utf8'));
const requests = collection.item.flatMap(({ name, item }) =>
  item.map((request) => ({ folder: name, ...request })),
);

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

test('the Postman collection has every operation in the folder of its tag', () => {
  const listed = requests.map(({ folder, name, request: { method, url } }) => [
    folder,
    name,
    `${method} /${url.path.join('/')}`,
  ]);
  const operations = ROUTES.map(({ tag, summary, method, path }) => [
    tag,
    summary,
    `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  ]);
  expect(listed.toSorted()).toEqual(operations.toSorted());
});

/** Returns a function that sends a request of the collection and applies its scripts, as Postman does. */
function collectionRunner() {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  variables.set('baseUrl', `${opine.url}/api/v1`);
  const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, key) => variables.get(key) ?? '');

  return async (name: string): Promise<number> => {
    const found = requests.find((request) => request.name === name);
    if (found === undefined) throw new Error(`There is no request "${name}".`);
    const { method, auth, url, body } = found.request;
    const inPath = new Map(url.variable.map(({ key, value }) => [`:${key}`, filled(value)]));
    const response = await fetch(
      filled(`{{baseUrl}}/${url.path.map((part) => inPath.get(part) ?? part).join('/')}`),
      {
        method,
        headers: {
          ...(auth?.type !== 'noauth' && { Authorization: filled('Bearer {{accessToken}}') }),
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: filled(body.raw) }),
      },
    );
    const answer = await response.json();
    for (const { script } of found.event ?? []) {
      const collectionVariables = { set: (key: string, value: string) => variables.set(key, value) };
      runInNewContext(script.exec.join('\n'), {
        pm: { response: { json: () => answer }, collectionVariables },
      });
    }
    return response.status;
  };
}

test('the requests of the Postman collection sign a guest in, refresh the session and sign out', async () => {
  const send = collectionRunner();
  expect(await send('List the home feed')).toBe(200);
  expect(await send("Get the caller's profile")).toBe(401);
  expect(await send('Send a one-time code to a phone')).toBe(200);
  expect(await send('Sign in with a phone and its code')).toBe(200);
  expect(await send('Refresh a session')).toBe(200);
  expect(await send('Get the onboarding status')).toBe(200);
  expect(await send("Get a post with the viewer's permissions")).toBe(404);
  expect(await send('End the current session, or all sessions of the user')).toBe(200);
  expect(await send('Get the onboarding status')).toBe(401);
});
