const text = { type: 'string' };

/** The headers of answers, by name. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'Names this request in the log: the id that the client sent, or a new one.',
    required: true,
    schema: text,
  },
  'WWW-Authenticate': {
    description: 'The way to authenticate: a bearer.',
    required: true,
    schema: { const: 'Bearer' },
  },
  'Retry-After': {
    description: 'Seconds to wait before another try.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'Idempotency-Replayed': {
    description: 'There where the answer is an earlier one, kept for its Idempotency-Key.',
    schema: { const: 'true' },
  },
  'Content-Disposition': {
    description: 'Under which name to keep the answer as a file.',
    required: true,
    schema: text,
  },
};

/** The headers of an answer with `status`, as references; `more` are there beside what the status asks for. */
export function headersOf(status: number, ...more: (keyof typeof HEADERS)[]): object {
  const names: (keyof typeof HEADERS)[] = ['X-Request-Id'];
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  return Object.fromEntries(
    [...names, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
