/** A request, as the `fetch` of every platform takes it. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
}

/** What the client reads of a response. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The body as it arrives. React Native's `fetch` has none. */
  readonly body?: StreamedBody | null | undefined;
  text(): Promise<string>;
}

/** A body that can be read while it arrives: a web stream, or chunks of text or of UTF-8. */
export type StreamedBody = { getReader(): BodyReader } | AsyncIterable<string | Uint8Array>;

interface BodyReader {
  read(): Promise<{ done: boolean; value?: string | Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Sends a request and resolves when the headers of its response have arrived. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** Returns the SHA-256 of `bytes`: 32 bytes, or their 64 hex characters. */
export type Digest = (
  bytes: Uint8Array<ArrayBuffer>,
) => Promise<ArrayBuffer | Uint8Array | string> | ArrayBuffer | Uint8Array | string;

/** A file to upload: bytes, a `Blob`, or whatever the option `readFile` reads, such as a path or `{ uri, type }`. */
export type UploadFile = object | string;

/** Returns the bytes of a file. The app knows what it uploads, so the parameter may have any type. */
export type ReadFile = (file: never) => Promise<ArrayBuffer | Uint8Array<ArrayBuffer>>;

/** The parts that differ between platforms. By default the client uses those of the web, as far as the platform has them. */
export interface PlatformOptions {
  /** Sends requests. */
  readonly fetch?: Fetch;
  /** Computes a SHA-256, for uploads. */
  readonly digest?: Digest;
  /** Reads files, for uploads. */
  readonly readFile?: ReadFile;
  /** Sends the request of the event stream: a `fetch` whose response has a body that can be read while it arrives. */
  readonly openStream?: Fetch;
}

/** This platform lacks a part, and the app has not passed one to `createOpine`. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';

  /** The option of `createOpine` that adds the part. */
  readonly option: keyof PlatformOptions;

  /** @param problem a sentence */
  constructor(option: keyof PlatformOptions, problem: string) {
    super(`${problem} Pass \`${option}\` to createOpine.`);
    this.option = option;
  }
}

/** The parts that the client uses. Only `openStream` may be missing, because there are other ways to read a stream. */
export type Platform = Required<Omit<PlatformOptions, 'openStream'>> & Pick<PlatformOptions, 'openStream'>;

/** Returns the parts that the app passes, and those of the web for the others. @throws PlatformError without `fetch` */
export function platformOf({ fetch, digest, readFile, openStream }: PlatformOptions): Platform {
  return {
    fetch: fetch ?? webFetch(),
    digest: digest ?? webDigest,
    readFile: readFile ?? readWebFile,
    ...(openStream !== undefined && { openStream }),
  };
}

function webFetch(): Fetch {
  if (typeof fetch !== 'function') throw new PlatformError('fetch', 'This platform has no fetch.');
  return (url, init) => fetch(url, init);
}

function webDigest(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  // React Native has no `crypto`, and browsers have no `subtle` on pages without HTTPS.
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) throw new PlatformError('digest', 'This platform cannot compute a SHA-256.');
  return subtle.digest('SHA-256', bytes);
}

async function readWebFile(file: UploadFile): Promise<ArrayBuffer | Uint8Array<ArrayBuffer>> {
  if (file instanceof ArrayBuffer) return file;
  if (ArrayBuffer.isView(file))
    return new Uint8Array(file.buffer as ArrayBuffer, file.byteOffset, file.byteLength);
  if (file instanceof Blob && typeof file.arrayBuffer === 'function') return file.arrayBuffer();
  throw new PlatformError('readFile', 'This platform cannot read this file.');
}
