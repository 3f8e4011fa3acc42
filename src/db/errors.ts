import pg from 'pg';
import {
  ApiError,
  CONSTRAINT_ERRORS,
  CONSTRAINT_ISSUES,
  type ErrorDetails,
  invalid,
  isErrorCode,
} from '../contract/errors.ts';

/** The classes and codes of SQLSTATE that say "not now": no resources, shutting down, cancelled, timed out. */
const UNAVAILABLE = /^(08|53|55P03|57|58)/;

/** SQLSTATE of a lock that was waited for longer than `lock_timeout`. */
export const LOCK_TIMEOUT = '55P03';

/** A lost race, a deadlock, a lock waited for too long, and no room left for those by which a lost race is noticed. */
const SERIALIZATION_FAILURES = ['40001', '40P01', LOCK_TIMEOUT, '53200'];

/** Whether a transaction lost a race that the same transaction, run again, may win. */
export function isSerializationFailure(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && SERIALIZATION_FAILURES.includes(error.code ?? '');
}

/**
 * Whether a policy refused a row. The operation has allowed that row, so data changed between its statements: a retry answers by
 * what holds now. A policy that contradicts its operation refuses every retry, which is a bug.
 */
export function isRefusedByPolicy(error: unknown): error is pg.DatabaseError {
  return (
    error instanceof pg.DatabaseError && error.code === '42501' && error.routine === 'ExecWithCheckOptions'
  );
}

/**
 * What a client shall see of a failed call of the database: an error of the catalogue that SQL raised or that a
 * constraint stands for; `SERVICE_UNAVAILABLE` where the database is away. Anything else comes back as it is: a bug.
 */
export function translate(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) {
    return isConnectionError(error) ? new ApiError('SERVICE_UNAVAILABLE', {}, { cause: error }) : error;
  }
  const { code = '', message } = error;
  const constraint = wholeOf(error.constraint ?? '');
  if (code.startsWith('PT') && isErrorCode(message)) {
    return new ApiError(message, error.detail ? (JSON.parse(error.detail) as ErrorDetails) : {});
  }
  const ofConstraint = CONSTRAINT_ERRORS[constraint];
  if (ofConstraint) return new ApiError(ofConstraint);
  const issue = CONSTRAINT_ISSUES[constraint];
  if (issue) return invalid(issue);
  // A FATAL refuses or ends the connection, whatever its code: nothing can be said of the request.
  if (error.severity === 'FATAL' || UNAVAILABLE.test(code) || isSerializationFailure(error)) {
    return new ApiError('SERVICE_UNAVAILABLE', {}, { cause: error });
  }
  return error;
}

/** A constraint of a whole table, where Postgres names that of a partition (ops/partitioning). */
function wholeOf(constraint: string): string {
  return constraint.replace(/_p\d\d_/, '_');
}

/** pg tells of a connection refused, reset or timed out by a bare Error; a TypeError and its kin are bugs. */
function isConnectionError(error: unknown): boolean {
  return error instanceof Error && (error.constructor === Error || error instanceof AggregateError);
}
