import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Handler } from 'hono';
import { getMimeType } from 'hono/utils/mime';

interface Content {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Serves a file of a page. It is read once, by its first request, so that clients that do not read their answers share its bytes and
 * keep no file open.
 * @param edit changes its text
 */
export function pageFile(file: string, edit?: (text: string) => string): Handler {
  let content: Promise<Content> | undefined;
  return async (c) => {
    content ??= read(file, edit);
    const { bytes, headers } = await content;
    return c.body(bytes, 200, headers);
  };
}

async function read(file: string, edit?: (text: string) => string): Promise<Content> {
  const [raw, { mtime }] = await Promise.all([readFile(file), stat(file)]);
  const bytes = edit === undefined ? raw : new TextEncoder().encode(edit(raw.toString()));
  const headers = {
    'Content-Type': getMimeType(file) ?? 'application/octet-stream',
    'Last-Modified': mtime.toUTCString(),
    ETag: `"${createHash('sha1').update(bytes).digest('hex')}"`,
  };
  return { bytes, headers };
}
