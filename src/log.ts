import pg from 'pg';
import { type Logger, pino } from 'pino';
import { z } from 'zod';
import { ApiError } from './contract/errors.ts';
import { currentTaskRun } from './observability/task-run.ts';

/** The structured log: one JSON line an event, on standard output. */
export type Log = Logger;

/** Takes lines of text, each with its end. */
export type Write = (text: string) => void;

/**
 * What the log may know of an error. Never a message of Postgres or of a library: these quote what clients sent.
 * A place in the code is safe and enough to find the fault.
 */
export function describeError(error: unknown): object {
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
      where: placesOf(where),
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
  if (isOfAddress(error)) {
    const { code, syscall, address, port } = error;
    return { type: error.name, code, syscall, address, port };
  }
  if (error instanceof Error) {
    return {
      type: error.name,
      ...('code' in error && { code: error.code }),
      ...(error.cause instanceof ApiError && { cause: describeError(error.cause) }),
      stack: framesOf(error.stack),
    };
  }
  return { type: typeof error };
}

/** Whether a connection to another part, or an address of our own, could not be had: which says more than a place in a library. */
function isOfAddress(
  error: unknown,
): error is Error & Record<'code' | 'syscall' | 'address' | 'port', unknown> {
  return error instanceof Error && 'syscall' in error && 'address' in error;
}

/** Why something outside failed us: a connection's own words or ours about a provider, which hold no client's data. */
function describeCause(cause: unknown): object {
  if (cause instanceof pg.DatabaseError || !(cause instanceof Error)) return describeError(cause);
  return { type: cause.name, message: cause.message, ...('code' in cause && { code: cause.code }) };
}

/** The functions in Postgres's CONTEXT, without the statements between them. */
function placesOf(where: string | undefined): string[] | undefined {
  return where?.split('\n').filter((line) => line.startsWith('PL/pgSQL function'));
}

/** A stack without its first lines, the message. */
function framesOf(stack: string | undefined): string[] | undefined {
  return stack
    ?.split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
}

/** Opens the log at `level`; its lines go to standard output unless `write` takes them. Those of a task's turn name it. */
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
