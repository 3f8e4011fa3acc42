import pg from 'pg';
import {
  ApiError,
  CONSTRAINT_ERRORS,
  CONSTRAINT_ISSUES,
  type ErrorDetails,
  invalid,
  isErrorCode,
} from '../contract/errors.ts';

/** SQLSTATEs that mean "not now": no resources, shutdown, cancelled, timed out. */
const UNAVAILABLE = /^(08|53|55P03|57|58)/;

/** lock_not_available: `lock_timeout` has passed. */
export const LOCK_TIMEOUT = '55P03';

/** read_only_sql_transaction: a write that reached a standby. */
const READ_ONLY = '25006';

/** serialization_failure, deadlock_detected, lock_not_available, and out_of_memory for predicate locks. */
const SERIALIZATION_FAILURES = ['40001', '40P01', LOCK_TIMEOUT, '53200'];

/** Whether a transaction lost a race, so that a retry may succeed. */
export function isSerializationFailure(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && SERIALIZATION_FAILURES.includes(error.code ?? '');
}

/**
 * Whether a policy refused a row. The operation had allowed that row, so data changed between its statements, and a retry sees
 * the new data. A policy that contradicts its operation refuses every retry: a bug.
 */
export function isRefusedByPolicy(error: unknown): error is pg.DatabaseError {
  return (
    error instanceof pg.DatabaseError && error.code === '42501' && error.routine === 'ExecWithCheckOptions'
  );
}

/**
 * Whether a connection is of no more use: it has ended, it leads to a standby since a failover, its pooler has lost the server, or a
 * migration has changed what its prepared statements return. A standby refuses writes, and every transaction that is serializable by
 * default. Unlike Postgres, a pooler names no source file in its errors.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  const { severity, code, file, routine } = error;
  const isStandby = code === READ_ONLY || routine === 'GetSerializableTransactionSnapshot';
  const isOutdated = routine === 'RevalidateCachedQuery';
  return severity === 'FATAL' || isStandby || isOutdated || (code === 'XX000' && file === undefined);
}

/**
 * Translates a database error to an ApiError: the error that SQL raised, the error of a violated constraint, or
 * `SERVICE_UNAVAILABLE`. Returns any other error unchanged: a bug.
 */
export function translate(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) {
    return isConnectionError(error) ? new ApiError('SERVICE_UNAVAILABLE', {}, { cause: error }) : error;
  }
  const { code = '', message } = error;
  const constraint = tableConstraintName(error.constraint ?? '');
  if (code.startsWith('PT') && isErrorCode(message)) {
    return new ApiError(message, error.detail ? (JSON.parse(error.detail) as ErrorDetails) : {});
  }
  const ofConstraint = CONSTRAINT_ERRORS[constraint];
  if (ofConstraint) return new ApiError(ofConstraint);
  const issue = CONSTRAINT_ISSUES[constraint];
  if (issue) return invalid(issue);
  // A lost connection says nothing about the request.
  if (isConnectionLost(error) || UNAVAILABLE.test(code) || isSerializationFailure(error)) {
    return new ApiError('SERVICE_UNAVAILABLE', {}, { cause: error });
  }
  return error;
}

/** Returns the constraint of the partitioned table for one of a partition (ops/partitioning). */
function tableConstraintName(constraint: string): string {
  return constraint.replace(/_p\d\d_/, '_');
}

/** pg reports connection failures as bare Errors; a TypeError and the like are bugs. */
function isConnectionError(error: unknown): boolean {
  return error instanceof Error && (error.constructor === Error || error instanceof AggregateError);
}
