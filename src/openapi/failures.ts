import { z } from 'zod';
import { ApiError, ERRORS, type ErrorCode, type ErrorDetails } from '../contract/errors.ts';
import { bodySchemaOf, errorsOf, type Operation } from '../http/operation.ts';
import { validate } from '../http/validate.ts';

/** Every answer that is no success. */
export const ErrorEnvelope = z
  .strictObject({
    success: z.literal(false),
    error: z.strictObject({
      code: z.enum(Object.keys(ERRORS)).meta({ id: 'ErrorCode' }),
      message: z.string().meta({ description: 'For people.' }),
      details: z.looseObject({}).meta({ description: 'More for machines; may be empty.' }),
    }),
  })
  .meta({ id: 'ErrorEnvelope' });

/** An error as the document shows it: in an example, by its code. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly example: object;
}

/** What an operation answers where it refuses, by status. */
export function failuresOf(operation: Operation): Map<number, Failure[]> {
  const codes = errorsOf(operation).sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  const failures = codes.map((code) => {
    const { message } = ERRORS[code];
    const details = DETAILS[code]?.(operation) ?? {};
    return { code, message, example: { success: false, error: { code, message, details } } };
  });
  return Map.groupBy(failures, ({ code }) => ERRORS[code].status);
}

/** What is in the `details` of an example, where there is anything. */
const DETAILS: Partial<Record<ErrorCode, (operation: Operation) => ErrorDetails>> = {
  FORBIDDEN: ({ level = 1 }) => (level === 1 ? {} : { requiredLevel: level, ...BELOW[level] }),
  RATE_LIMITED: () => ({ retryAfterSeconds: 42 }),
  VALIDATION_FAILED: issuesOf,
};

/** A caller one level short of the one that is needed. */
const BELOW = {
  2: { level: 1, nextStep: 'profile_basics' },
  3: { level: 2, nextStep: 'phone' },
  4: { level: 3, nextStep: 'contacts' },
};

/** What the service says of the example with a first field that fits nowhere: an object, in a query an empty text. */
function issuesOf(operation: Operation): ErrorDetails {
  const { body, query, example } = operation;
  const schema = body ?? query ?? bodySchemaOf(operation);
  const [first = 'unknown'] = Object.keys(example.body ?? schema.shape);
  try {
    validate(schema, { ...Object(example.body), [first]: body ? {} : '' });
  } catch (error) {
    if (error instanceof ApiError) return error.details;
  }
  return {};
}
