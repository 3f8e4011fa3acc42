import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { SUPABASE_DIRECTORY } from '../../db/paths.ts';

/** A bucket with its limits. */
export interface BucketDeclaration {
  readonly name: string;
  /** Whether everybody may read its objects. */
  readonly public: boolean;
  /** In bytes. */
  readonly fileSizeLimit: number;
  readonly allowedMimeTypes: readonly string[];
}

const MEBIBYTE = 1024 * 1024;

const bucket = z.strictObject({
  public: z.boolean(),
  file_size_limit: z.string().regex(/^\d+MiB$/, 'must be a number of MiB'),
  allowed_mime_types: z.array(z.string()),
});

const config = z.object({ storage: z.object({ buckets: z.record(z.string(), bucket) }) });

/** Returns the buckets of supabase/config.toml, as `supabase start` creates them. */
export function declaredBuckets(): BucketDeclaration[] {
  const { storage } = config.parse(parse(readFileSync(path.join(SUPABASE_DIRECTORY, 'config.toml'), 'utf8')));
  return Object.entries(storage.buckets).map(([name, declared]) => ({
    name,
    public: declared.public,
    fileSizeLimit: Number.parseInt(declared.file_size_limit, 10) * MEBIBYTE,
    allowedMimeTypes: declared.allowed_mime_types,
  }));
}
