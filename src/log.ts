import pg from 'pg';
import { type Logger, pino } from 'pino';
import { z } from 'zod';
import { ApiError } from './contract/errors.ts';
import { currentTaskRun } from './observability/task-run.ts';

/** The structured log: one JSON line for each event. */
export type Log = Logger;

/** Writes lines of text; each ends with a line break. */
export type Write = (text: string) => void;

/**
 * Describes an error for the log. Messages of Postgres and of libraries stay out, because they quote requests. A place in the
 * code is safe and enough to find the fault.
 */
function describeError(error: unknown): object {
  if (error instanceof pg.DatabaseError) {
    const { code, severity, schema, table, constraint, routine, where } = error;
    return {
      type: 'DatabaseError',
      sqlstate: code,
      severity,
      schema,
      table,
      constraint,
      routine,
      where: parsePlaces(where),
    };
  }
  if (error instanceof ApiError) {
    return {
      type: 'ApiError',
      code: error.code,
      ...(error.cause !== undefined && { cause: describeCause(error.cause) }),
    };
  }
  if (error instanceof z.ZodError) {
    return { type: 'ZodError', issues: error.issues.map(({ code, path }) => `${code} at ${path.join('.')}`) };
  }
  if (error instanceof AggregateError) return { type: error.name, errors: error.errors.map(describeError) };
  if (isConnectionFailure(error)) {
    const { code, syscall, address, port } = error;
    return { type: error.name, code, syscall, address, port };
  }
  if (error instanceof Error) {
    return {
      type: error.name,
      ...('code' in error && { code: error.code }),
      ...(error.cause instanceof ApiError && { cause: describeError(error.cause) }),
      stack: parseStack(error),
    };
  }
  return { type: typeof error };
}

/** Whether a connection or a bind failed. The address then says more than a place in a library. */
function isConnectionFailure(
  error: unknown,
): error is Error & Record<'code' | 'syscall' | 'address' | 'port', unknown> {
  return error instanceof Error && 'syscall' in error && 'address' in error;
}

/** Describes the cause of an outage. Messages of connections, and ours about providers, hold no data of clients. */
function describeCause(cause: unknown): object {
  if (cause instanceof pg.DatabaseError || !(cause instanceof Error)) return describeError(cause);
  return { type: cause.name, message: cause.message, ...('code' in cause && { code: cause.code }) };
}

/** Returns the functions in the CONTEXT of Postgres, without the statements. */
function parsePlaces(where: string | undefined): string[] | undefined {
  return where?.split('\n').filter((line) => line.startsWith('PL/pgSQL function'));
}

/**
 * Returns the frames of a stack, which follow the message. Lines of a message may look like frames, so a stack that does not
 * contain the message (it was changed since) gives none.
 */
function parseStack({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  if (start === -1) return [];
  return stack
    .slice(start + message.length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
}

/** Creates the log. It writes to standard output by default. Lines within a task run name the task. */
export function createLog(level: string, write?: Write): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    mixin: () => ({ ...currentTaskRun() }),
  };
  return write ? pino(options, { write }) : pino(options);
}
