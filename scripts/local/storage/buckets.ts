import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { duplicate, entityTooLarge, invalidMimeType, noSuchBucket } from './errors.ts';
import { namesIn, readJson, writeJson } from './files.ts';
import { checkBucketName, fileNameOf } from './names.ts';
import { createQueue } from './queue.ts';

/** A bucket as the project declares it. */
export interface BucketDeclaration {
  readonly name: string;
  /** Whether everybody may read its objects. */
  readonly public: boolean;
  /** In bytes; null: {@link MAX_OBJECT_BYTES}. */
  readonly fileSizeLimit: number | null;
  /** Such as `image/png` or `image/*`; null: any. */
  readonly allowedMimeTypes: readonly string[] | null;
}

/** A bucket that exists. */
export interface Bucket extends BucketDeclaration {
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** No object may be larger, whatever its bucket allows: the default of Supabase's `file_size_limit`. */
export const MAX_OBJECT_BYTES = 50 * 1024 * 1024;

const MIME_TYPE = /^[\w.+-]+\/(\*|[\w.+-]+(;\s*charset=[\w-]+)?)$/;

/** The buckets, one JSON file each. */
export interface Buckets {
  /** Creates the bucket; raises where its name is taken or its declaration is not valid. */
  create(declaration: BucketDeclaration): Promise<void>;
  /** The bucket; raises where there is none. */
  get(name: string): Promise<Bucket>;
  /** All buckets, by name. */
  list(): Promise<Bucket[]>;
}

/**
 * Opens the buckets kept in `directory`, which it creates, and makes the declared ones be as declared.
 * `stagingDirectory` has to be on the same file system. Raises on a declaration that is not valid.
 */
export async function openBuckets(
  directory: string,
  stagingDirectory: string,
  declared: readonly BucketDeclaration[],
): Promise<Buckets> {
  await mkdir(directory, { recursive: true });
  const serially = createQueue();
  const pathOf = (name: string) => join(directory, `${fileNameOf(name)}.json`);
  const find = (name: string) => readJson<Bucket>(pathOf(name));

  async function save(declaration: BucketDeclaration, createdAt?: string): Promise<void> {
    const now = new Date().toISOString();
    const bucket: Bucket = { ...declaration, createdAt: createdAt ?? now, updatedAt: now };
    await writeJson(pathOf(bucket.name), bucket, stagingDirectory);
  }

  for (const declaration of declared) {
    checkDeclaration(declaration);
    await save(declaration, (await find(declaration.name))?.createdAt);
  }

  return {
    async create(declaration) {
      checkDeclaration(declaration);
      await serially(async () => {
        if (await find(declaration.name)) {
          throw duplicate('BucketAlreadyExists');
        }
        await save(declaration);
      });
    },
    async get(name) {
      const bucket = await find(name);
      if (!bucket) {
        throw noSuchBucket();
      }
      return bucket;
    },
    async list() {
      const files = await namesIn(directory);
      const buckets = await Promise.all(files.map((file) => readJson<Bucket>(join(directory, file))));
      return buckets.filter((bucket) => bucket !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

function checkDeclaration({ name, fileSizeLimit, allowedMimeTypes }: BucketDeclaration): void {
  checkBucketName(name);
  if ((fileSizeLimit ?? 0) > MAX_OBJECT_BYTES) {
    throw entityTooLarge();
  }
  for (const mimeType of allowedMimeTypes ?? []) {
    if (!MIME_TYPE.test(mimeType)) {
      throw invalidMimeType(mimeType);
    }
  }
}
