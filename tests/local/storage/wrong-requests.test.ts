import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectSmall, readParts } from '../../../scripts/local/storage/multipart.ts';
import { filesBelow, newKey, SERVICE, SERVICE_JSON, startTestStorage, type TestStorage } from './harness.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await startTestStorage();
});

afterAll(() => storage.stop());

describe('requests that go wrong', () => {
  const staged = async () => {
    const files = await filesBelow(join(storage.directory, 'staging'));
    return (await Promise.all(files.map(async (file) => (await stat(file)).size))).reduce((a, b) => a + b, 0);
  };
  const form = { 'content-type': 'multipart/form-data; boundary=cut' };
  const formBody = '--cut\r\nContent-Disposition: form-data; name=""; filename="blob"\r\n\r\n';

  test.each([
    ['of a declared length', { 'content-length': '1000000' }, 'half'.repeat(50_000)],
    ['of unknown length', { 'transfer-encoding': 'chunked' }, 'half'.repeat(50_000)],
    ['in a form', { ...form, 'content-length': '1000000' }, formBody + 'half'.repeat(50_000)],
  ])('an upload %s that is cut leaves nothing', async (_, headers, half) => {
    const [fresh, known] = [newKey(), await storage.store('whole')];
    for (const key of [fresh, known]) {
      const path = `/storage/v1/object/private/${key}`;
      const options = { method: 'POST', path, headers: { ...SERVICE, ...headers, 'x-upsert': 'true' } };
      const outgoing = request(new URL(storage.url), options).on('error', () => undefined);
      outgoing.write(half);
      await expect.poll(staged, { timeout: 10_000 }).toBeGreaterThan(100_000);
      expect((await storage.bucket('private').exists(key)).data).toBe(key === known);
      outgoing.destroy();
      await expect.poll(staged, { timeout: 10_000 }).toBe(0);
    }
    expect((await storage.bucket('private').exists(fresh)).data).toBe(false);
    expect(await storage.contentOf(known)).toBe('whole');
  });

  test.each([
    ['ends early', form, `${formBody}content\r\n--cut`],
    ['has no file', form, '--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--cut--'],
    ['has no boundary', { 'content-type': 'multipart/form-data' }, formBody],
    [
      'has too large a field',
      form,
      `--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'b'.repeat(2 ** 21)}`,
    ],
  ])('a form that %s is refused', async (_, headers, body) => {
    const key = newKey();
    const answer = await storage.raw('POST', `/object/private/${key}`, { ...SERVICE, ...headers }, body);
    expect(answer).toMatchObject({ status: 400, code: 'InvalidRequest' });
    expect((await storage.bucket('private').exists(key)).data).toBe(false);
  });

  test('a form cannot put a line into the headers of the answer', async () => {
    const field =
      '--cut\r\nContent-Disposition: form-data; name="contentType"\r\n\r\na/b\r\nSet-Cookie: c=d\r\n';
    const headers = { ...SERVICE, ...form };
    const answer = await storage.raw('POST', `/object/private/${newKey()}`, headers, field + formBody);
    expect(answer).toMatchObject({ status: 400, error: 'invalid_header_char' });
  });

  test.each([
    ['POST', '/object/copy', '{'],
    ['POST', '/object/copy', 'null'],
    ['POST', '/object/move', '{"bucketId":"private","sourceKey":1,"destinationKey":"a"}'],
    ['POST', '/object/list/private', '{"prefix":"","limit":0}'],
    ['POST', '/object/list/private', '{"prefix":"","offset":-1}'],
    ['POST', '/object/list/private', '{"prefix":"","sortBy":{"column":"id"}}'],
    ['POST', '/object/sign/private/a', '{"expiresIn":1.5}'],
    ['POST', '/object/sign/private/a', '{"expiresIn":9000000000000}'],
    ['POST', '/bucket', '{"name":"x","file_size_limit":"1 gigabyte"}'],
    ['DELETE', '/object/private', '{"prefixes":"a"}'],
    ['DELETE', '/object/private', ''],
  ])('%s %s with %s', async (method, path, body) => {
    const wrong = { status: 400, statusCode: '400', code: 'InvalidRequest', message: expect.any(String) };
    expect(await storage.raw(method, path, SERVICE_JSON, body)).toMatchObject(wrong);
  });

  test('a body beyond a mebibyte, a route that is none', async () => {
    const body = JSON.stringify({ prefixes: ['a'.repeat(2 ** 20)] });
    const refused = await storage.raw('DELETE', '/object/private', SERVICE_JSON, body);
    expect(refused).toMatchObject({ status: 413, statusCode: '413' });
    for (const path of ['/object', '/buckets', '/../../etc/passwd', '/render/image/public/a/b']) {
      const nowhere = { status: 404, statusCode: '404', error: 'Not Found' };
      expect(await storage.raw('GET', path)).toMatchObject(nowhere);
    }
  });

  test('a form is read alike, however it is cut into chunks', async () => {
    const piece = fc.oneof(fc.constantFrom('\r\n', '--cut', '\r\n--cu', '-', '\r'), fc.string());
    const joined = fc.array(piece).map((pieces) => pieces.join(''));
    const content = joined.filter((text) => !text.includes('\r\n--cut'));
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 40 }), async (expected, size) => {
        const whole = Buffer.from(`${formBody}${expected}\r\n--cut--\r\n`);
        async function* chunks() {
          for (let at = 0; at < whole.length; at += size) {
            yield whole.subarray(at, at + size);
          }
        }
        const read: string[] = [];
        for await (const part of readParts(chunks(), form['content-type'])) {
          read.push(await collectSmall(part.content, 1e6));
        }
        expect(read).toEqual([Buffer.from(expected).toString()]);
      }),
    );
  });
});
