import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import {
  isConnectionLost,
  isRefusedByPolicy,
  isSerializationFailure,
  translate,
} from '../../src/db/errors.ts';

type Fields = Partial<
  Pick<pg.DatabaseError, 'code' | 'severity' | 'file' | 'routine' | 'constraint' | 'detail'>
>;

/** Returns an error as Postgres sends it, with its source file. */
function databaseError(fields: Fields, message = 'refused'): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 1, 'error'), {
    severity: 'ERROR',
    file: 'execMain.c',
    ...fields,
  });
}

const codeOf = (error: unknown) => {
  const translated = translate(error);
  return translated instanceof ApiError ? translated.code : 'a bug';
};

/** SQLSTATEs and what they mean for a request. */
const STATES: [sqlstate: string, name: string, code: string, isRetried: boolean][] = [
  ['08006', 'connection_failure', 'SERVICE_UNAVAILABLE', false],
  ['40001', 'serialization_failure', 'SERVICE_UNAVAILABLE', true],
  ['40P01', 'deadlock_detected', 'SERVICE_UNAVAILABLE', true],
  ['53100', 'disk_full', 'SERVICE_UNAVAILABLE', false],
  ['53200', 'out_of_memory', 'SERVICE_UNAVAILABLE', true],
  ['53300', 'too_many_connections', 'SERVICE_UNAVAILABLE', false],
  ['55P03', 'lock_not_available', 'SERVICE_UNAVAILABLE', true],
  ['57014', 'query_canceled', 'SERVICE_UNAVAILABLE', false],
  ['57P01', 'admin_shutdown', 'SERVICE_UNAVAILABLE', false],
  ['58030', 'io_error', 'SERVICE_UNAVAILABLE', false],
  ['25006', 'read_only_sql_transaction', 'SERVICE_UNAVAILABLE', false],
  ['55000', 'object_not_in_prerequisite_state', 'a bug', false],
  ['40003', 'statement_completion_unknown', 'a bug', false],
  ['42501', 'insufficient_privilege', 'a bug', false],
  ['42703', 'undefined_column', 'a bug', false],
  ['23505', 'unique_violation', 'a bug', false],
  ['22P02', 'invalid_text_representation', 'a bug', false],
];

describe('the SQLSTATE of a failed statement', () => {
  test.each(STATES)(
    'a statement that fails with %s (%s) answers %s, and whether it is retried: %s',
    (code, _, answer, isRetried) => {
      const error = databaseError({ code });
      expect([codeOf(error), isSerializationFailure(error)]).toEqual([answer, isRetried]);
      if (answer === 'SERVICE_UNAVAILABLE') expect(translate(error)).toMatchObject({ cause: error });
    },
  );
});

const LOST: [what: string, error: unknown][] = [
  ['an error of the socket', new Error('Connection terminated unexpectedly')],
  ['a fatal error', databaseError({ severity: 'FATAL', code: '57P01' })],
  ['a standby that refuses a write', databaseError({ code: '25006' })],
  [
    'a standby that refuses a serializable transaction',
    databaseError({ code: '0A000', routine: 'GetSerializableTransactionSnapshot' }),
  ],
  ['an outdated prepared statement', databaseError({ code: '0A000', routine: 'RevalidateCachedQuery' })],
  ['a pooler without its server', Object.assign(new pg.DatabaseError('lost', 1, 'error'), { code: 'XX000' })],
];

const KEPT: [what: string, error: unknown][] = [
  ['a refused statement', databaseError({ code: '42501' })],
  ['an unsupported feature', databaseError({ code: '0A000', routine: 'transformStmt' })],
  ['an internal error of Postgres', databaseError({ code: 'XX000' })],
];

describe('a connection', () => {
  test.each(LOST)('a connection is not used again after %s, and the request is 503', (_, error) => {
    expect([isConnectionLost(error), codeOf(error)]).toEqual([true, 'SERVICE_UNAVAILABLE']);
  });

  test.each(KEPT)('a connection is used again after %s', (_, error) => {
    expect(isConnectionLost(error)).toBe(false);
  });
});

test('a row that a policy refuses is retried, and a missing privilege is not', () => {
  const refused = { code: '42501', routine: 'ExecWithCheckOptions' };
  expect(isRefusedByPolicy(databaseError(refused))).toBe(true);
  expect(isRefusedByPolicy(databaseError({ ...refused, code: '44000' }))).toBe(false);
  expect(isRefusedByPolicy(databaseError({ code: '42501', routine: 'aclcheck_error' }))).toBe(false);
});

describe('an error that a function of Postgres raises', () => {
  test('an error of the catalogue has its details', () => {
    const error = databaseError({ code: 'PT429', detail: '{"retryAfterSeconds": 7}' }, 'RATE_LIMITED');
    expect(translate(error)).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSeconds: 7 } });
    expect(translate(databaseError({ code: 'PT404' }, 'POST_NOT_FOUND'))).toMatchObject({
      code: 'POST_NOT_FOUND',
      details: {},
    });
  });

  test('an error outside of the catalogue, or with a foreign SQLSTATE, is a bug', () => {
    for (const error of [
      databaseError({ code: 'PT404' }, 'NOTHING_FOUND'),
      databaseError({ code: 'PT404' }, 'toString'),
      databaseError({ code: 'P0001' }, 'POST_NOT_FOUND'),
    ]) {
      expect(translate(error)).toBe(error);
    }
  });
});

describe('a violated constraint', () => {
  test.each([
    ['profiles_username_key', 'HANDLE_TAKEN'],
    ['vote_receipts_p07_post_id_fkey', 'POST_NOT_FOUND'],
  ])('the constraint %s, of a partition too, answers %s', (constraint, code) => {
    expect(codeOf(databaseError({ code: '23505', constraint }))).toBe(code);
  });

  test('a constraint of a field is an issue of that field', () => {
    expect(translate(databaseError({ code: '23514', constraint: 'articles_url_is_web' }))).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: ['article', 'url'], code: 'invalid_format' }] },
    });
  });

  test('an unknown constraint is a bug', () => {
    const error = databaseError({ code: '23514', constraint: 'posts_are_whole' });
    expect(translate(error)).toBe(error);
  });
});

test('an error of a connection is 503, and an error of the code is a bug', () => {
  const refused = new AggregateError([new Error('connect ECONNREFUSED')]);
  expect([codeOf(new Error('timeout exceeded')), codeOf(refused)]).toEqual(
    Array(2).fill('SERVICE_UNAVAILABLE'),
  );
  expect(translate(refused)).toMatchObject({ cause: refused });
  const bug = new TypeError('x is not a function');
  for (const error of [bug, new RangeError('too long'), 'a text']) expect(translate(error)).toBe(error);
});
