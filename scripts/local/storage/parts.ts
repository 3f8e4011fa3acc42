import type { Buckets } from './buckets.ts';
import type { Objects } from './objects.ts';
import type { Tokens } from './tokens.ts';

/** What the routes work with. */
export interface StorageParts {
  readonly secretKey: string;
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly tokens: Tokens;
}
