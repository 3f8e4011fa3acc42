import { ApiError, invalid } from '../contract/errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * The JSON body of a request; an empty body counts as `{}`, whose missing fields the schema then names.
 * @throws ApiError PAYLOAD_TOO_LARGE beyond `limit` bytes; VALIDATION_FAILED where it is no JSON in UTF-8
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const bytes = await readBytes(request, limit);
  if (bytes.byteLength === 0) return {};
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
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

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared !== null) {
    if (Number(declared) > limit) throw new ApiError('PAYLOAD_TOO_LARGE');
    return new Uint8Array(await request.arrayBuffer());
  }
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw new ApiError('PAYLOAD_TOO_LARGE');
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
