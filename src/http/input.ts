import { Buffer } from 'node:buffer';
import type { Context } from 'hono';
import type { z } from 'zod';
import { ApiError, type Issue, invalid } from '../contract/errors.ts';
import { expandParam, type Operation } from './operation.ts';
import { inPlainWords } from './plain-words.ts';

/** Returns the body of a request as a stream of bytes, or null without a body. */
export type ReadBody = (c: Context) => AsyncIterable<Uint8Array> | null;

/** Returns the body in any runtime. Web requests hide the body of a GET. */
export const readWebBody: ReadBody = (c) => c.req.raw.body;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Reads the JSON body of a request; an empty body counts as `{}`.
 * @throws ApiError PAYLOAD_TOO_LARGE beyond `limit` bytes; VALIDATION_FAILED unless it is JSON in UTF-8
 */
export async function readJson(c: Context, readBody: ReadBody, limit: number): Promise<unknown> {
  if (Number(c.req.header('content-length') ?? 0) > limit) throw new ApiError('PAYLOAD_TOO_LARGE');
  const bytes = await readBytes(readBody(c), limit);
  if (bytes.byteLength === 0) return {};
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw invalid({ path: [], code: 'invalid_content_type', message: 'The body must be application/json.' });
  }
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw invalid({ path: [], code: 'invalid_encoding', message: 'The body must be UTF-8.' });
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalid({ path: [], code: 'invalid_json', message: 'The body must be JSON.' });
  }
}

async function readBytes(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw new ApiError('PAYLOAD_TOO_LARGE');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A message lists unknown fields, so its length has no other limit. */
const MAX_MESSAGE = 300;

/** Validates a value. @throws ApiError VALIDATION_FAILED with issues, which never quote values */
export function validate(schema: z.ZodObject, value: unknown): object {
  const result = schema.safeParse(value, { error: inPlainWords });
  if (result.success) return result.data;
  throw invalid(...result.error.issues.map(toIssue));
}

/** Validates path parameters. @throws ApiError the parameter's own error, mostly a 404 */
export function validateParams(
  params: NonNullable<Operation['params']>,
  given: Readonly<Record<string, string>>,
): object {
  return Object.fromEntries(
    Object.entries(params).map(([name, param]) => {
      const { form, error } = expandParam(param);
      const result = form.safeParse(given[name], { error: inPlainWords });
      if (!result.success)
        throw error === 'VALIDATION_FAILED'
          ? invalid(...result.error.issues.map((issue) => ({ ...toIssue(issue), path: [name] })))
          : new ApiError(error);
      return [name, result.data];
    }),
  );
}

function toIssue(issue: z.core.$ZodIssue): Issue {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  return { path, code: issue.code, message: issue.message.slice(0, MAX_MESSAGE) };
}
