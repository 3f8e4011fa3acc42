import { type ErrorCode, type Issue, invalid } from '../contract/errors.ts';
import { envelopeOf, JSON_HEADERS } from './answer.ts';

/** The answer to a request that never reaches the app. */
export interface Refusal {
  readonly status: number;
  readonly requestId: string;
  /** The code of Node's error. */
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answers by the code of Node's error. */
const REFUSALS: Readonly<Record<string, readonly [status: number, code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'PAYLOAD_TOO_LARGE', 'The request header is too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'PAYLOAD_TOO_LARGE', 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'VALIDATION_FAILED', 'The request took too long to arrive.'],
};

/** Returns the answer to a request that Node could not parse. @param code the code of Node's error */
export function refusalOf(code = 'ERR_INVALID_REQUEST'): Refusal {
  const [status, name, message] = REFUSALS[code] ?? [
    400,
    'VALIDATION_FAILED',
    'The request is not valid HTTP.',
  ];
  const issue: Issue = { path: [], code: 'malformed_request', message };
  const details = name === 'VALIDATION_FAILED' ? invalid(issue).details : {};
  const requestId = crypto.randomUUID();
  const headers = { ...JSON_HEADERS, 'X-Request-Id': requestId };
  return { status, requestId, reason: code, headers, body: envelopeOf(name, message, details) };
}
