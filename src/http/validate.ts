import type { z } from 'zod';
import { ApiError, type Issue, invalid } from '../contract/errors.ts';
import { type Operation, paramOf } from './operation.ts';

/** A message lists unknown fields, so its length has no other limit. */
const MAX_MESSAGE = 300;

/** Validates a value. @throws ApiError VALIDATION_FAILED with issues, which never quote values */
export function validate(schema: z.ZodObject, value: unknown): object {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(...result.error.issues.map(issueOf));
}

/** Validates path parameters. @throws ApiError the parameter's own error, mostly a 404 */
export function validateParams(
  params: NonNullable<Operation['params']>,
  given: Readonly<Record<string, string>>,
): object {
  return Object.fromEntries(
    Object.entries(params).map(([name, param]) => {
      const { form, error } = paramOf(param);
      const result = form.safeParse(given[name]);
      if (!result.success)
        throw error === 'VALIDATION_FAILED'
          ? invalid(...result.error.issues.map((issue) => ({ ...issueOf(issue), path: [name] })))
          : new ApiError(error);
      return [name, result.data];
    }),
  );
}

function issueOf(issue: z.core.$ZodIssue): Issue {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  return { path, code: issue.code, message: issue.message.slice(0, MAX_MESSAGE) };
}
