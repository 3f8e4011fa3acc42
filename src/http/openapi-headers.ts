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
};

/** The headers of an answer with `status`, as references. */
export function headersOf(status: number, mayBeReplayed = false): object {
  const names: (keyof typeof HEADERS)[] = ['X-Request-Id'];
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  if (mayBeReplayed) names.push('Idempotency-Replayed');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
