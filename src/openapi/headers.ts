const text = { type: 'string' };

/** The headers of answers, by name. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'The id of this request in the log: the one that the client sent, or a new one.',
    required: true,
    schema: text,
  },
  'WWW-Authenticate': {
    description: 'The way to authenticate: a bearer.',
    required: true,
    schema: { const: 'Bearer' },
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'Idempotency-Replayed': {
    description: 'Present where an earlier request with the Idempotency-Key did the work.',
    schema: { const: 'true' },
  },
  'X-Opine-Position': {
    description:
      'The position of this write. Later requests that send it read an answer that includes the write.',
    schema: text,
  },
  'Content-Disposition': {
    description: 'The file name of the download.',
    required: true,
    schema: text,
  },
};

/** Returns references to the headers of an answer: those that every answer or its status has, and `more`. */
export function describeHeaders(status: number, ...more: (keyof typeof HEADERS)[]): object {
  const names: (keyof typeof HEADERS)[] = ['X-Request-Id'];
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  return Object.fromEntries(
    [...names, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
