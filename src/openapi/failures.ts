import { z } from 'zod';
import { ApiError, ERRORS, type ErrorCode, type ErrorDetails } from '../contract/errors.ts';
import { validate } from '../http/input.ts';
import { listErrors, type Operation, toBodySchema } from '../http/operation.ts';

export const ErrorEnvelope = z
  .strictObject({
    success: z.literal(false).describe('Always false.'),
    error: z
      .strictObject({
        code: z.enum(Object.keys(ERRORS)).meta({
          id: 'ErrorCode',
          description: 'The name of an error, for programs.',
        }),
        message: z.string().meta({ description: 'A text for people.' }),
        details: z.record(z.string(), z.unknown()).meta({ description: 'Data for programs; may be empty.' }),
      })
      .meta({ id: 'ApiError', description: 'What went wrong.' }),
  })
  .meta({ id: 'ErrorEnvelope', description: 'The body of every error.' });

/** An error of an operation with its example. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly example: object;
}

/** Returns the errors of an operation, grouped by status. */
export function listFailures(operation: Operation): Map<number, Failure[]> {
  const codes = listErrors(operation).sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  const failures = codes.map((code) => {
    const { message } = ERRORS[code];
    const details = DETAILS[code]?.(operation) ?? {};
    return { code, message, example: { success: false, error: { code, message, details } } };
  });
  return Map.groupBy(failures, ({ code }) => ERRORS[code].status);
}

/** The `details` of the examples, for errors that have any. */
const DETAILS: Partial<Record<ErrorCode, (operation: Operation) => ErrorDetails>> = {
  FORBIDDEN: ({ level = 1 }) => (level === 1 ? {} : { requiredLevel: level, ...BELOW[level] }),
  ACCOUNT_SUSPENDED: () => ({
    decisionId: '01900000-0000-7000-8000-0000000000f5',
    statement: 'Every post sold pills.',
    appealToken: 'c2VhbGVk',
  }),
  RATE_LIMITED: () => ({ retryAfterSeconds: 42 }),
  VALIDATION_FAILED: exampleIssues,
};

/** The details of a caller one level below the required one. */
const BELOW = {
  2: { level: 1, nextStep: 'profile_basics' },
  3: { level: 2, nextStep: 'phone' },
  4: { level: 3, nextStep: 'contacts' },
};

/** Validates the example with one wrong field (an object, or an empty text in a query) and returns the error's details. */
function exampleIssues(operation: Operation): ErrorDetails {
  const { body, query, example } = operation;
  const schema = body ?? query ?? toBodySchema(operation);
  const wrong = body ? {} : '';
  const names = Object.keys(example.body ?? schema.shape);
  // An empty cursor is none.
  const name = names.find((each) => !schema.shape[each]?.safeParse(wrong).success) ?? 'unknown';
  try {
    validate(schema, { ...Object(example.body), [name]: wrong });
  } catch (error) {
    if (error instanceof ApiError) return error.details;
  }
  return {};
}
