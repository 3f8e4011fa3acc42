import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createLogWriter } from '../../scripts/local/readable-log.ts';
import { createLog } from '../../src/log.ts';

/** Returns what a log of this format writes, without colours; the time of a line is `<time>`. */
function written(format: string | undefined, use: (log: ReturnType<typeof createLog>) => void): string {
  let output = '';
  const write = createLogWriter(format, (text) => {
    output += stripVTControlCharacters(text);
  });
  use(createLog('info', write));
  return output.replaceAll(/\d\d:\d\d:\d\d(?= {2})/g, '<time>');
}

const REQUEST = { requestId: 'r1', operation: 'get_post', method: 'GET', status: 200, milliseconds: 3.2 };

test('a request is one line with its operation, status and duration', () => {
  expect(written(undefined, (log) => log.info(REQUEST, 'request'))).toBe('<time>  get_post  200  3.2 ms\n');
});

test('a request of no operation is one line with its method', () => {
  const { operation: _, ...health } = REQUEST;
  expect(written(undefined, (log) => log.info(health, 'request'))).toBe('<time>  GET  200  3.2 ms\n');
});

test('a failed request has its id and error too', () => {
  const failed = { ...REQUEST, status: 500, err: new RangeError('of no value') };
  const line = written(undefined, (log) => log.error(failed, 'request'));
  expect(line).toMatch(
    /^<time> {2}get_post {2}500 {2}3\.2 ms {2}requestId="r1" {2}err=\{"type":"RangeError"/,
  );
  expect(line).not.toContain('of no value');
});

test('another event is one line with its fields', () => {
  const line = written(undefined, (log) => log.warn({ task: 'fan out' }, 'task failed'));
  expect(line).toBe('<time>  task failed  task="fan out"\n');
});

test('a text message stands between empty lines', () => {
  let output = '';
  const write = createLogWriter(undefined, (text) => {
    output += stripVTControlCharacters(text);
  });
  write('Text message to +12125550100: Your code is 1234.\n');
  expect(output).toBe('\n  Text message to +12125550100: Your code is 1234.\n\n');
});

test('LOG_FORMAT=json leaves the lines of a deployment', () => {
  const [line = ''] = written('json', (log) => log.info(REQUEST, 'request')).split('\n');
  expect(JSON.parse(line)).toMatchObject({ level: 30, msg: 'request', ...REQUEST });
});

test('LOG_FORMAT refuses other formats', () => {
  expect(() => createLogWriter('pretty', () => {})).toThrow('LOG_FORMAT must be json');
});
