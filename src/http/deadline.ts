import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../contract/errors.ts';

/** A deadline for all open requests at once. */
export interface Deadline {
  /** Answers 503 to requests that are still open when the deadline passes, and to later ones. */
  readonly middleware: MiddlewareHandler;
  pass(): void;
}

/** Creates a deadline, which passes when `pass` is called. */
export function createDeadline(): Deadline {
  const waiting = new Set<() => void>();
  let hasPassed = false;
  return {
    middleware: async (_, next) => {
      const { promise, reject } = Promise.withResolvers<never>();
      const refuse = () => reject(new ApiError('SERVICE_UNAVAILABLE'));
      if (hasPassed) refuse();
      waiting.add(refuse);
      await Promise.race([promise, next()]).finally(() => waiting.delete(refuse));
    },
    pass: () => {
      hasPassed = true;
      for (const refuse of waiting) refuse();
    },
  };
}
