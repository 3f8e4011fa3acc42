import { z } from 'zod';
import { firstEventOf, isStream } from './first-event.ts';

/** JSON whose shape a test knows. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there.
export type Json = any;

/** An answer of the API, its JSON read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly message: string;
  // The tests assert the shape; the server has checked it against its schema.
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

/** The body that some statuses require (docs/product.md W12, W14). */
const FAILURES: Readonly<Record<number, z.ZodType>> = {
  401: errorWith(z.literal('UNAUTHORIZED'), z.strictObject({})),
  422: errorWith(z.literal('VALIDATION_FAILED'), z.strictObject({ issues: z.array(Issue).min(1) })),
  429: errorWith(z.literal('RATE_LIMITED'), z.strictObject({ retryAfterSeconds: z.int().min(1) })),
  500: errorWith(z.literal('INTERNAL_ERROR'), z.strictObject({})),
  503: errorWith(z.enum(['SERVICE_UNAVAILABLE', 'STAFF_SIGN_IN_UNAVAILABLE']), z.looseObject({})),
};

type Rule = readonly [header: string, value: RegExp];

/** The headers of every answer. */
const EVERY: readonly Rule[] = [
  ['content-type', /^(application\/json|text\/event-stream$)/],
  ['x-request-id', /^[\x21-\x7e]{1,200}$/],
];
/** The headers that a status asks for. */
const HEADERS: Readonly<Record<number, readonly Rule[]>> = {
  401: [['www-authenticate', /^Bearer/]],
  405: [['allow', /^[A-Z]+(, ?[A-Z]+)*$/]],
  429: [['retry-after', /^[1-9]\d*$/]],
  503: [['retry-after', /^[1-9]\d*$/]],
};

/**
 * Reads an answer: of a stream its first event, as the data of an envelope.
 * @throws Error where it has not the form that every answer has: JSON in its envelope, a request id, and what its
 * status asks for
 */
export async function readReply(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const body: Json = isStream(response)
    ? { success: true, message: 'A stream.', data: JSON.parse(await firstEventOf(response)) }
    : await response.json();
  const Envelope = response.ok ? Success : (FAILURES[status] ?? Failure);
  const { error } = Envelope.safeParse(body);
  if (error) throw new Error(`Not the envelope of a ${status}: ${JSON.stringify(body)}\n${error}`);
  for (const [name, value] of [...EVERY, ...(HEADERS[status] ?? [])]) {
    if (!value.test(headers.get(name) ?? ''))
      throw new Error(`A ${status} with ${name}: ${headers.get(name)}`);
  }
  return { status, headers, message: body.message, data: body.data, error: body.error };
}
