import { once } from 'node:events';
import { connect } from 'node:net';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError, invalid } from '../../src/contract/errors.ts';
import { createLog } from '../../src/log.ts';
import { createObjects } from '../../src/storage/objects.ts';
import type { Json } from '../support/client.ts';

const SECRET = 'Rhabarberkuchen';

function linesOf(err: unknown): string {
  const lines: string[] = [];
  createLog('info', (line) => lines.push(line)).error({ err }, 'task failed');
  return lines.join('');
}

const logged = (err: unknown): Json => JSON.parse(linesOf(err)).err;

/** Returns an error as Postgres sends it, which quotes data wherever it may. */
function databaseError(): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(`value "${SECRET}" is too long`, 1, 'error'), {
    severity: 'ERROR',
    code: '22001',
    detail: `Failing row contains (${SECRET}).`,
    hint: `Shorten ${SECRET}.`,
    internalQuery: `select '${SECRET}'`,
    where: `PL/pgSQL function app.insert_post(jsonb) line 7 at SQL statement\nSQL statement "insert into x values ('${SECRET}')"`,
    schema: 'app',
    table: 'posts',
    constraint: 'posts_text_is_short',
    routine: 'varchar',
  });
}

function thrownBy(use: () => unknown): unknown {
  try {
    return use();
  } catch (error) {
    return error;
  }
}

const ERRORS: [name: string, error: unknown, shown: Json][] = [
  ['an error', new Error(SECRET), { type: 'Error', stack: expect.any(Array) }],
  [
    'a bug with a code',
    Object.assign(new TypeError(SECRET), { code: 'ERR_INVALID_ARG_TYPE' }),
    { type: 'TypeError', code: 'ERR_INVALID_ARG_TYPE', stack: expect.any(Array) },
  ],
  [
    'a message with lines that look like frames',
    new Error(`${SECRET}\n    at ${SECRET} (x.ts:1:1)`),
    { type: 'Error', stack: expect.any(Array) },
  ],
  [
    'a message that was replaced, with lines that look like frames',
    Object.assign(new Error('A bug.'), { stack: `Error: \n    at ${SECRET} (x.ts:1:1)` }),
    { type: 'Error', stack: [] },
  ],
  [
    'the cause of an error',
    new Error('A bug.', { cause: new Error(SECRET) }),
    { type: 'Error', stack: expect.any(Array) },
  ],
  [
    'an error of Postgres',
    databaseError(),
    {
      type: 'DatabaseError',
      sqlstate: '22001',
      severity: 'ERROR',
      schema: 'app',
      table: 'posts',
      constraint: 'posts_text_is_short',
      routine: 'varchar',
      where: ['PL/pgSQL function app.insert_post(jsonb) line 7 at SQL statement'],
    },
  ],
  [
    'an error of Postgres that makes a request unavailable',
    new ApiError('SERVICE_UNAVAILABLE', {}, { cause: databaseError() }),
    {
      type: 'ApiError',
      code: 'SERVICE_UNAVAILABLE',
      cause: expect.objectContaining({ type: 'DatabaseError', sqlstate: '22001' }),
    },
  ],
  [
    'the details of an API error',
    invalid({ path: [SECRET], code: 'invalid', message: SECRET }),
    { type: 'ApiError', code: 'VALIDATION_FAILED' },
  ],
  [
    'a value of the wrong shape',
    thrownBy(() => z.object({ user: z.object({ id: z.uuid() }) }).parse({ user: { id: SECRET } })),
    { type: 'ZodError', issues: ['invalid_format at user.id'] },
  ],
  [
    'several errors',
    new AggregateError([databaseError(), new Error(SECRET)], SECRET),
    {
      type: 'AggregateError',
      errors: [
        expect.objectContaining({ type: 'DatabaseError', sqlstate: '22001' }),
        { type: 'Error', stack: expect.any(Array) },
      ],
    },
  ],
  ['a thrown text', SECRET, { type: 'string' }],
  ['a thrown object', { message: SECRET }, { type: 'object' }],
];

describe('the log of an error', () => {
  test.each(ERRORS)('the log of %s has its kind and place, and no text of it', (_, error, shown) => {
    expect(linesOf(error)).not.toContain(SECRET);
    expect(logged(error)).toEqual(shown);
  });

  test('the stack in the log has the frames of the error, the first one first', () => {
    const { stack } = logged(new Error(SECRET));
    expect(stack[0]).toMatch(/^at .*log-errors\.test\.ts:\d+:\d+\)?$/);
  });

  test('the log of a refused connection has its address and no stack', async () => {
    const [err] = await once(connect(1, '127.0.0.1'), 'close').catch((error: unknown) => [error]);
    const address = { code: 'ECONNREFUSED', syscall: 'connect', address: '127.0.0.1', port: 1 };
    expect(logged(err)).toEqual({ type: 'Error', ...address });
  });

  test('the log of unreachable storage has SERVICE_UNAVAILABLE and its cause', async () => {
    const objects = createObjects({ url: 'http://127.0.0.1:2', secretKey: 'a key' });
    const err = await objects.remove('media', ['a key']).catch((error: unknown) => error);
    expect(logged(err)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: { code: 'ECONNREFUSED' } });
  });

  test('the log of an undeclared API error has its code', () => {
    const err = new Error('A bug.', { cause: new ApiError('FORBIDDEN') });
    expect(logged(err)).toMatchObject({ cause: { type: 'ApiError', code: 'FORBIDDEN' } });
  });
});
