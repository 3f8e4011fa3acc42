import { vi } from 'vitest';
import { z } from 'zod';
import { withPosition } from '../../clients/typescript/src/position.ts';

// Fails a request that hangs.
const TIMEOUT_MS = 30_000;

/** How long a replica of a test may be behind, and more. */
const REPLICATION_MS = 10_000;

/** Options of a request. */
export interface Extras {
  readonly headers?: Record<string, string>;
}

/** A caller of the API: a guest or the owner of an access token. */
export interface Client {
  get(path: string, extras?: Extras): Promise<Reply>;
  post(path: string, body?: unknown, extras?: Extras): Promise<Reply>;
  put(path: string, body?: unknown, extras?: Extras): Promise<Reply>;
  patch(path: string, body?: unknown, extras?: Extras): Promise<Reply>;
  delete(path: string, extras?: Extras): Promise<Reply>;
  /** Sends the body unchanged, without a default content type. */
  send(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    extras?: Extras,
  ): Promise<Reply>;
}

/**
 * Creates a client of the API at `url`; paths are relative to `/api/v1`.
 * Its methods throw if a reply violates the rules of `readReply`.
 */
export function clientOf(url: string, accessToken?: string): Client {
  // Like the apps, each client remembers its own writes.
  const fetchApi = withPosition((address: string, init: RequestInit & { headers: Record<string, string> }) =>
    fetch(address, init),
  );
  const send: Client['send'] = async (method, path, body, extras = {}) => {
    const response = await fetchApi(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
        ...extras.headers,
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return readReply(response);
  };
  const sendJson = (method: string, path: string, body: unknown, extras: Extras = {}) =>
    body === undefined
      ? send(method, path, undefined, extras)
      : send(method, path, JSON.stringify(body), {
          headers: { 'content-type': 'application/json', ...extras.headers },
        });
  return {
    get: (path, extras) => sendJson('GET', path, undefined, extras),
    post: (path, body, extras) => sendJson('POST', path, body, extras),
    put: (path, body, extras) => sendJson('PUT', path, body, extras),
    patch: (path, body, extras) => sendJson('PATCH', path, body, extras),
    delete: (path, extras) => sendJson('DELETE', path, undefined, extras),
    send,
  };
}

/** Returns the expected shape of an error reply, for `toMatchObject`. */
export function refusal(status: number, code: string, details: Json = {}): Json {
  return { status, error: { code, details } };
}

/** A well-formed id without a row, and malformed ids. */
export const NONEXISTENT = { id: '01990000-0000-7000-8000-00000000dead' };

export const MALFORMED_IDS = ['no-uuid', '1', `${NONEXISTENT.id}0`, '%00', '%25', "'%20or%201=1--", '🙂'];

export function withQuery(path: string, query: object): string {
  return `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
}

/** Reads all pages of the list at `path`. */
export async function allPages(viewer: Client, path: string, query: object = {}): Promise<Json[][]> {
  const pages: Json[][] = [];
  for (let cursor: object = {}; pages.length < 200; ) {
    const { items, nextCursor } = await expectOk(viewer.get(withQuery(path, { ...query, ...cursor })));
    pages.push(items);
    if (nextCursor === null) return pages;
    cursor = { cursor: nextCursor };
  }
  throw new Error(`${path} has too many pages.`);
}

export function idsOf(items: readonly Json[]): string[] {
  return items.map(({ id }) => id);
}

/**
 * Returns the data of a successful reply.
 * @throws Error with the refusal otherwise
 */
export async function expectOk(reply: Promise<Reply>): Promise<Json> {
  const { status, data, error } = await reply;
  if (status >= 300) throw new Error(`The API answered ${status}: ${JSON.stringify(error)}`);
  return data;
}

/** Returns what `find` finds, which a replica may have later. */
export function findReplicated(find: () => Promise<Json>): Promise<Json> {
  return vi.waitFor(async () => {
    const found = await find();
    if (found === undefined) throw new Error('No replica has it yet.');
    return found;
  }, REPLICATION_MS);
}

/** Returns the ids of items that are given oldest first. */
export function newestFirst(posts: readonly Json[]): string[] {
  return posts.map(({ id }) => id).reverse();
}

/** Returns everything that a refusal discloses. */
export function refusalOf({ status, error }: Reply): unknown[] {
  return [status, error?.code, error?.details];
}

/** JSON whose shape the test knows. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there.
export type Json = any;

/** A parsed reply of the API. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly message: string;
  // Tests assert the shape; the server has checked it against its schema.
  readonly data: Json;
  readonly error: { readonly code: string; readonly message: string; readonly details: Json };
}

const Success = z.strictObject({
  success: z.literal(true),
  message: z.string().min(1),
  data: z.looseObject({}),
});

const errorWith = (code: z.ZodType, details: z.ZodType) =>
  z.strictObject({
    success: z.literal(false),
    error: z.strictObject({ code, message: z.string().min(1), details }),
  });

const Failure = errorWith(z.string().regex(/^[A-Z_]+$/), z.looseObject({}));

const Issue = z.strictObject({
  path: z.array(z.union([z.string(), z.int()])),
  code: z.string().min(1),
  message: z.string().min(1),
});

/** Required error bodies by status (docs/product.md W12, W14). */
const FAILURES: Readonly<Record<number, z.ZodType>> = {
  401: errorWith(z.literal('UNAUTHORIZED'), z.strictObject({})),
  422: errorWith(z.literal('VALIDATION_FAILED'), z.strictObject({ issues: z.array(Issue).min(1) })),
  429: errorWith(z.literal('RATE_LIMITED'), z.strictObject({ retryAfterSeconds: z.int().min(1) })),
  500: errorWith(z.literal('INTERNAL_ERROR'), z.strictObject({})),
  503: errorWith(z.enum(['SERVICE_UNAVAILABLE', 'STAFF_SIGN_IN_UNAVAILABLE']), z.looseObject({})),
};

type Rule = readonly [header: string, value: RegExp];

/** Required headers of every reply. */
const EVERY: readonly Rule[] = [
  ['content-type', /^(application\/json|text\/event-stream$)/],
  ['x-request-id', /^[\x21-\x7e]{1,200}$/],
];
/** Required headers by status. */
const HEADERS: Readonly<Record<number, readonly Rule[]>> = {
  401: [['www-authenticate', /^Bearer/]],
  405: [['allow', /^[A-Z]+(, ?[A-Z]+)*$/]],
  429: [['retry-after', /^[1-9]\d*$/]],
  503: [['retry-after', /^[1-9]\d*$/]],
};

/**
 * Parses a reply; of a stream, its first event.
 * @throws Error if body, request id or the headers of its status are invalid
 */
export async function readReply(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const body: Json = isStream(response)
    ? { success: true, message: 'A stream.', data: JSON.parse(await firstEventOf(response)) }
    : await response.json();
  const Envelope = response.ok ? Success : (FAILURES[status] ?? Failure);
  const { error } = Envelope.safeParse(body);
  if (error) throw new Error(`Invalid body of a ${status}: ${JSON.stringify(body)}\n${error}`);
  for (const [name, value] of [...EVERY, ...(HEADERS[status] ?? [])]) {
    if (!value.test(headers.get(name) ?? ''))
      throw new Error(`Invalid header of a ${status}: ${name}: ${headers.get(name)}`);
  }
  return { status, headers, message: body.message, data: body.data, error: body.error };
}

/** Event streams have no end to wait for. */
export function isStream({ headers }: Response): boolean {
  return headers.get('content-type') === 'text/event-stream';
}

/** Returns the data of the first event and closes the stream. */
export async function firstEventOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const data = /^data: (.*)\n\n/m.exec(text)?.[1];
    if (data !== undefined) return data;
  }
  throw new Error(`The stream ended without an event: ${text}`);
}
