import { collect } from './bytes.ts';
import { invalidRequest } from './errors.ts';

/** One part of a `multipart/form-data` body, read where it stands: the next part only comes after it. */
export interface Part {
  readonly name: string;
  readonly isFile: boolean;
  readonly contentType: string | undefined;
  readonly content: AsyncGenerator<Buffer>;
}

const MAX_HEADER_BYTES = 16 * 1024;

/**
 * The parts of a `multipart/form-data` body, without holding any of them in memory.
 * Raises where the body is malformed or ends before its closing boundary.
 */
export async function* readParts(body: AsyncIterable<Uint8Array>, contentType: string): AsyncGenerator<Part> {
  const boundary = parameterOf(contentType, 'boundary');
  if (!boundary) {
    throw invalidRequest('Multipart: Boundary not found');
  }
  const reader = new DelimitedReader(body);
  await collectSmall(reader.until(`--${boundary}`), MAX_HEADER_BYTES);
  while ((await reader.take(2)) === '\r\n') {
    const headers = await collectSmall(reader.until('\r\n\r\n'), MAX_HEADER_BYTES);
    const disposition = headerOf(headers, 'content-disposition') ?? '';
    const content = reader.until(`\r\n--${boundary}`);
    yield {
      name: parameterOf(disposition, 'name') ?? '',
      isFile: parameterOf(disposition, 'filename') !== undefined,
      contentType: headerOf(headers, 'content-type'),
      content,
    };
    for await (const _ of content);
  }
}

/** The whole of a small piece of a form; raises where it has more than `maxBytes`. */
export async function collectSmall(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const collected = await collect(chunks, maxBytes);
  if (collected === undefined) {
    throw invalidRequest('Multipart: a header or field is too large');
  }
  return collected.toString('utf8');
}

/** Cuts a stream at delimiters that may lie across its chunks. */
class DelimitedReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #pending: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** What comes before `delimiter`, which is consumed as well. */
  async *until(delimiter: string): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#pending.indexOf(delimiter);
      if (end >= 0) {
        const last = this.#pending.subarray(0, end);
        this.#pending = this.#pending.subarray(end + delimiter.length);
        yield last;
        return;
      }
      const safe = Math.max(0, this.#pending.length - delimiter.length + 1);
      const chunk = this.#pending.subarray(0, safe);
      this.#pending = this.#pending.subarray(safe);
      yield chunk;
      await this.#fill();
    }
  }

  /** The next `length` bytes, as text. */
  async take(length: number): Promise<string> {
    while (this.#pending.length < length) {
      await this.#fill();
    }
    const taken = this.#pending.toString('latin1', 0, length);
    this.#pending = this.#pending.subarray(length);
    return taken;
  }

  async #fill(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) {
      throw invalidRequest('Multipart: unexpected end of form');
    }
    this.#pending = Buffer.concat([this.#pending, next.value]);
  }
}

function headerOf(headers: string, name: string): string | undefined {
  for (const line of headers.split('\r\n')) {
    const colon = line.indexOf(':');
    if (line.slice(0, colon).trim().toLowerCase() === name) {
      return line.slice(colon + 1).trim();
    }
  }
  return undefined;
}

function parameterOf(header: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]*))`, 'i').exec(header);
  return match?.[1] ?? match?.[2];
}
