import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError, type Issue } from '../../src/contract/errors.ts';
import { answerError } from '../../src/http/answer.ts';
import { readJson, readWebBody, validate, validateParams } from '../../src/http/input.ts';

const LIMIT = 10;

/** Reads a body in pieces, without a length unless the headers have one. */
async function read(
  pieces: readonly (string | Uint8Array)[],
  headers: Record<string, string> = {},
): Promise<unknown> {
  const app = new Hono()
    .onError(answerError)
    .post('/', async (c) => c.json({ body: await readJson(c, readWebBody, LIMIT) }));
  const body = new ReadableStream({
    start: (controller) => {
      for (const piece of pieces)
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      controller.close();
    },
  });
  const init = {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    duplex: 'half',
  };
  const answer = await app.request('/', init);
  const { body: taken, error } = await answer.json();
  return answer.ok ? taken : [answer.status, error.details.issues?.[0]?.code];
}

const TOO_LARGE = [413, undefined];

describe('the body of a request', () => {
  test('a body of as many bytes as the limit is read, and one more is refused, whatever its pieces', async () => {
    expect(await read(['"12345678"'])).toBe('12345678');
    expect(await read(['"1234', '5678"'])).toBe('12345678');
    expect(await read(['"123456789"'])).toEqual(TOO_LARGE);
    expect(await read(['"1234', '56789"'])).toEqual(TOO_LARGE);
    // Umlauts have two bytes.
    expect(await read(['"äöüä"'])).toBe('äöüä');
    expect(await read(['"äöüäö"'])).toEqual(TOO_LARGE);
  });

  test('a body with a length over the limit is refused unread', async () => {
    expect(await read(['1'], { 'content-length': '10' })).toBe(1);
    expect(await read(['1'], { 'content-length': '11' })).toEqual(TOO_LARGE);
  });

  test('no body counts as an empty object, of any type', async () => {
    expect(await read([], { 'content-type': 'text/plain' })).toEqual({});
  });

  test.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/merge-patch+json',
    'application/json ;x',
  ])('a body of type %s is read', async (type) => {
    expect(await read(['1'], { 'content-type': type })).toBe(1);
  });

  test.each(['text/plain', 'application/jsonp', 'text/json', 'x-application/json', ''])(
    'a body of type %j is refused',
    async (type) => {
      expect(await read(['1'], { 'content-type': type })).toEqual([422, 'invalid_content_type']);
    },
  );

  test('a body that is no UTF-8 or no JSON is refused', async () => {
    expect(await read([Uint8Array.of(0x22, 0xff, 0x22)])).toEqual([422, 'invalid_encoding']);
    expect(await read(['{"a":'])).toEqual([422, 'invalid_json']);
    // A byte order mark is no part of the text.
    expect(await read([Uint8Array.of(0xef, 0xbb, 0xbf), '1'])).toBe(1);
  });
});

/** Returns the issues of a refusal. */
function issuesOf(use: () => unknown): readonly Issue[] | string {
  try {
    use();
    return 'valid';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (error.details.issues as Issue[] | undefined) ?? error.code;
  }
}

describe('a value that is not valid', () => {
  test('each issue names its field, and a message has 300 characters at most', () => {
    const schema = z.strictObject({ posts: z.array(z.object({ id: z.uuid() })) });
    const [issue] = issuesOf(() => validate(schema, { posts: [{ id: 'none' }] }));
    expect(issue).toMatchObject({ path: ['posts', 0, 'id'], code: 'invalid_format' });
    const long = { posts: [], ['x'.repeat(1_000)]: 1 };
    expect(issuesOf(() => validate(schema, long))).toMatchObject([
      { message: expect.stringMatching(/^.{300}$/) },
    ]);
  });

  test('an answer lists a hundred issues at most', () => {
    const schema = z.object({ ids: z.array(z.uuid()) });
    expect(issuesOf(() => validate(schema, { ids: Array(100).fill('none') }))).toHaveLength(100);
    expect(issuesOf(() => validate(schema, { ids: Array(101).fill('none') }))).toHaveLength(100);
  });

  test('a malformed parameter of a path is its own error, or an issue of its name', () => {
    const given = { postId: 'none', uploadId: 'none' };
    expect(issuesOf(() => validateParams({ postId: 'POST_NOT_FOUND' }, given))).toBe('POST_NOT_FOUND');
    expect(issuesOf(() => validateParams({ uploadId: 'VALIDATION_FAILED' }, given))).toMatchObject([
      { path: ['uploadId'], message: 'Must be a UUID.' },
    ]);
    const id = crypto.randomUUID();
    expect(validateParams({ postId: 'POST_NOT_FOUND' }, { postId: id.toUpperCase() })).toEqual({
      postId: id,
    });
  });
});
