import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entityTooLarge } from './errors.ts';

/** The names in `directory`; none where it does not exist. */
export async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error)) {
      return [];
    }
    throw error;
  }
}

/** The value kept in `path` by {@link writeJson}; undefined where there is no such file. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    const value: T = JSON.parse(await readFile(path, 'utf8'));
    return value;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

/** Replaces `path` by `value` in one step; `stagingDirectory` has to be on the same file system. */
export async function writeJson(path: string, value: unknown, stagingDirectory: string): Promise<void> {
  const staged = join(stagingDirectory, randomUUID());
  await writeFile(staged, JSON.stringify(value));
  await rename(staged, path);
}

/**
 * Writes `body` to `path` as it comes in, and returns its size and its MD5 as an entity tag.
 * Raises, with a part of it written, where the body breaks off or has more than `maxBytes`.
 */
export async function writeBody(
  path: string,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ size: number; eTag: string }> {
  const md5 = createHash('md5');
  let size = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) {
        throw entityTooLarge();
      }
      md5.update(chunk);
      yield chunk;
    }
  }
  // Not a write stream: one that fails early opens its file after the failure is known.
  await writeFile(path, measured());
  return { size, eTag: `"${md5.digest('hex')}"` };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
