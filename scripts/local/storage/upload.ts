import type { IncomingHttpHeaders } from 'node:http';
import { invalidMimeType, invalidRequest } from './errors.ts';
import { collectSmall, type Part, readParts } from './multipart.ts';
import type { ObjectHeaders } from './object-folders.ts';

/** A file that a client sends: what it says of it, and the bytes as they come in. */
export interface Upload {
  readonly headers: ObjectHeaders;
  readonly body: AsyncIterable<Uint8Array>;
}

const MAX_FIELDS = 10;
const MAX_FIELD_BYTES = 1024 * 1024;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/**
 * The file in a request with these headers and these bytes, sent as it is or as the file of a form.
 * Raises where its content type is none of `allowedMimeTypes`; its size is for the reader of the body to limit.
 */
export async function readUpload(
  request: IncomingHttpHeaders,
  bytes: AsyncIterable<Uint8Array>,
  allowedMimeTypes: readonly string[] | null,
): Promise<Upload> {
  const contentType = request['content-type'] ?? 'application/octet-stream';
  const isForm = contentType.startsWith('multipart/form-data');
  const upload = isForm ? await fromForm(bytes, contentType) : fromBody(request, bytes, contentType);
  const { mimeType, cacheControl } = upload.headers;
  if (allowedMimeTypes?.length && !isAllowed(mimeType, allowedMimeTypes)) {
    throw invalidMimeType(mimeType);
  }
  checkHeaderValue(mimeType);
  checkHeaderValue(cacheControl);
  return upload;
}

/** The `x-metadata` header's JSON; undefined where it is none. */
export function parseUserMetadata(header: string | undefined): Record<string, unknown> | undefined {
  return header === undefined ? undefined : parseObject(Buffer.from(header, 'base64').toString('utf8'));
}

/** Raises unless `value` may stand in a header of an answer. */
export function checkHeaderValue(value: string): void {
  if (!HEADER_VALUE.test(value)) {
    throw invalidRequest('Invalid character in a header value', 'invalid_header_char');
  }
}

function fromBody(request: IncomingHttpHeaders, body: AsyncIterable<Uint8Array>, mimeType: string): Upload {
  const metadata = request['x-metadata'];
  const userMetadata = parseUserMetadata(typeof metadata === 'string' ? metadata : undefined) ?? {};
  const cacheControl = request['cache-control'] ?? 'no-cache';
  return { headers: { mimeType, cacheControl, userMetadata }, body };
}

async function fromForm(bytes: AsyncIterable<Uint8Array>, contentType: string): Promise<Upload> {
  const parts = readParts(bytes, contentType);
  const fields = new Map<string, string>();
  for (;;) {
    const { value: part, done } = await parts.next();
    if (done || fields.size > MAX_FIELDS) {
      throw invalidRequest('No content provided');
    }
    if (part.isFile) {
      return { headers: formHeaders(fields, part), body: fileThenRest(part, parts) };
    }
    fields.set(part.name, await collectSmall(part.content, MAX_FIELD_BYTES));
  }
}

function formHeaders(fields: ReadonlyMap<string, string>, file: Part): ObjectHeaders {
  const cacheSeconds = fields.get('cacheControl');
  return {
    mimeType: fields.get('contentType') || (file.contentType ?? 'text/plain'),
    cacheControl: cacheSeconds ? `max-age=${cacheSeconds}` : 'no-cache',
    userMetadata: parseObject(fields.get('metadata') ?? fields.get('userMetadata') ?? '') ?? {},
  };
}

/** The file ends well only if the form does: what follows it is read, and dropped. */
async function* fileThenRest(file: Part, parts: AsyncGenerator<Part>): AsyncGenerator<Uint8Array> {
  yield* file.content;
  for await (const _ of parts);
}

function isAllowed(mimeType: string, allowed: readonly string[]): boolean {
  const [type, subtype] = mimeType.split('/');
  return allowed.some((each) => each === mimeType || (subtype !== undefined && each === `${type}/*`));
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
