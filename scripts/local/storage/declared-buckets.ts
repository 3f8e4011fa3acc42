import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { SUPABASE_DIRECTORY } from '../../db/paths.ts';
import type { BucketDeclaration } from './buckets.ts';

const MEBIBYTE = 1024 * 1024;

const bucket = z.strictObject({
  public: z.boolean(),
  file_size_limit: z.string().regex(/^\d+MiB$/, 'must be some MiB'),
  allowed_mime_types: z.array(z.string()),
});

const config = z.object({ storage: z.object({ buckets: z.record(z.string(), bucket) }) });

/** The buckets that supabase/config.toml declares, as `supabase start` would make them. */
export function declaredBuckets(): BucketDeclaration[] {
  const { storage } = config.parse(parse(readFileSync(path.join(SUPABASE_DIRECTORY, 'config.toml'), 'utf8')));
  return Object.entries(storage.buckets).map(([name, declared]) => ({
    name,
    public: declared.public,
    fileSizeLimit: Number.parseInt(declared.file_size_limit, 10) * MEBIBYTE,
    allowedMimeTypes: declared.allowed_mime_types,
  }));
}
