import { createHash } from 'node:crypto';
import { invalidBucketName, invalidKey } from './errors.ts';

/** One object of one bucket. */
export interface ObjectName {
  readonly bucket: string;
  readonly key: string;
}

const BUCKET_NAME = /^[A-Za-z0-9_!.*'() &$@=;:+,?-]{1,100}$/;
const OBJECT_KEY = /^[A-Za-z0-9_/!.*'() &$@=;:+,?-]{1,1024}$/;

/** Raises unless `name` can be a bucket's name. */
export function checkBucketName(name: string): void {
  if (!BUCKET_NAME.test(name) || name.trim() !== name) {
    throw invalidBucketName();
  }
}

/**
 * Raises unless `key` can be an object's name. Stricter than Supabase in one thing: a key that a file
 * system or a URL parser would read as another path (a leading slash, `.` or `..`) is refused.
 */
export function checkKey(key: string): void {
  const isRelative = key.split('/').some((segment) => segment === '.' || segment === '..');
  if (!OBJECT_KEY.test(key) || key.startsWith('/') || isRelative) {
    throw invalidKey(key);
  }
}

/**
 * The file name under which a bucket or an object is kept: a digest, so that names which a file system
 * would confuse (by case, trailing dots or length) or follow (by slashes) stay apart and stay inside.
 */
export function fileNameOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}
