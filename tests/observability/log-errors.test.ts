import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import { createLog } from '../../src/log.ts';
import { createObjects } from '../../src/storage/objects.ts';

function linesOf(err: unknown): string {
  const lines: string[] = [];
  createLog('info', (line) => lines.push(line)).error({ err }, 'task failed');
  return lines.join('');
}

test('the log of a refused connection has its address and no stack', async () => {
  const [err] = await once(connect(1, '127.0.0.1'), 'close').catch((error: unknown) => [error]);
  const address = { code: 'ECONNREFUSED', syscall: 'connect', address: '127.0.0.1', port: 1 };
  expect(JSON.parse(linesOf(err))).toMatchObject({ err: { type: 'Error', ...address } });
  expect(linesOf(err)).not.toContain('stack');
});

test('the log of unreachable storage has SERVICE_UNAVAILABLE and its cause', async () => {
  const objects = createObjects({ url: 'http://127.0.0.1:2', secretKey: 'a key' });
  const err = await objects.remove('media', ['a key']).catch((error: unknown) => error);
  expect(JSON.parse(linesOf(err))).toMatchObject({
    err: { code: 'SERVICE_UNAVAILABLE', cause: { code: 'ECONNREFUSED' } },
  });
});

test('the log of an undeclared API error has its code', () => {
  const err = new Error('A bug.', { cause: new ApiError('FORBIDDEN') });
  expect(JSON.parse(linesOf(err))).toMatchObject({ err: { cause: { type: 'ApiError', code: 'FORBIDDEN' } } });
});
