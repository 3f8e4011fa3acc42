import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StorageError } from './errors.ts';

/** The name of an object. */
export interface ObjectName {
  readonly bucket: string;
  readonly key: string;
}

/** The headers that a client sends with a file. */
export interface ObjectHeaders {
  readonly mimeType: string;
  readonly cacheControl: string;
}

/** A stored object without its bytes. */
export interface StoredObject extends ObjectName, ObjectHeaders {
  readonly id: string;
  /** Changes with every write. */
  readonly version: string;
  readonly size: number;
  readonly eTag: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * The objects in a directory: one file each, at `objects/<bucket>/<key>`. The first 1,024 bytes of a file are a record in
 * JSON, the rest is the content, so one rename replaces both.
 */
export interface Objects {
  find(name: ObjectName): Promise<StoredObject | undefined>;
  /** Returns an object with its content. @throws StorageError NoSuchKey */
  read(name: ObjectName): Promise<{ object: StoredObject; content: Uint8Array<ArrayBuffer> }>;
  /** Stores an object, on disk when it returns. It replaces an object of this name and keeps its id. */
  put(name: ObjectName, headers: ObjectHeaders, content: Uint8Array): Promise<StoredObject>;
  /** Removes an object, and returns it if it existed. */
  remove(name: ObjectName): Promise<StoredObject | undefined>;
  /** Returns a page of the objects in a bucket, in the order of their keys. */
  list(bucket: string, page: { readonly offset: number; readonly limit: number }): Promise<StoredObject[]>;
}

const RECORD_BYTES = 1024;

/** Stricter than Supabase Storage: a key is a plain file name, as all keys of the service are, and never a path. */
const NAME = /^(?!\.\.?$)[\w.-]{1,200}$/;

/** What an answer can repeat as a header, and a record has room for. */
const HEADER = /^[\x20-\x7e]{1,100}$/;

/** Opens the objects in `directory`, creates it if it is missing, and removes uploads that a stopped process left. */
export async function openObjects(directory: string): Promise<Objects> {
  const staging = path.join(directory, 'staging');
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });

  function pathOf({ bucket, key }: ObjectName): string {
    if (![bucket, key].every((name) => NAME.test(name)))
      throw new StorageError('InvalidKey', `Invalid key: ${key}`);
    return path.join(directory, 'objects', bucket, key);
  }

  async function find(name: ObjectName): Promise<StoredObject | undefined> {
    const file = await open(pathOf(name)).catch(undefinedIfMissing);
    if (file === undefined) return undefined;
    try {
      const { buffer } = await file.read({ buffer: Buffer.alloc(RECORD_BYTES), position: 0 });
      return recordIn(buffer);
    } finally {
      await file.close();
    }
  }

  return {
    find,
    read: async (name) => {
      const file = await readFile(pathOf(name)).catch(undefinedIfMissing);
      if (file === undefined) throw new StorageError('NoSuchKey');
      return { object: recordIn(file), content: file.subarray(RECORD_BYTES) };
    },
    put: async (name, { mimeType, cacheControl }, content) => {
      for (const header of [mimeType, cacheControl]) {
        if (!HEADER.test(header))
          throw new StorageError('InvalidRequest', 'Invalid character in a header value');
      }
      const former = await find(name);
      const updatedAt = new Date().toISOString();
      const object: StoredObject = {
        ...name,
        mimeType,
        cacheControl,
        id: former?.id ?? randomUUID(),
        version: randomUUID(),
        size: content.length,
        eTag: `"${createHash('md5').update(content).digest('hex')}"`,
        createdAt: former?.createdAt ?? updatedAt,
        updatedAt,
      };
      const staged = path.join(staging, object.version);
      const target = pathOf(name);
      try {
        const record = Buffer.from(JSON.stringify(object).padEnd(RECORD_BYTES));
        // An acknowledged upload survives `kill -9` and a power failure: fsync, then rename.
        await writeFile(staged, [record, content], { flush: true });
        await mkdir(path.dirname(target), { recursive: true });
        await rename(staged, target);
      } catch (error) {
        await rm(staged, { force: true });
        throw error;
      }
      return object;
    },
    remove: async (name) => {
      const object = await find(name);
      if (object) await rm(pathOf(name), { force: true });
      return object;
    },
    list: async (bucket, { offset, limit }) => {
      const keys = (await readdir(path.join(directory, 'objects', bucket)).catch(undefinedIfMissing)) ?? [];
      const page = keys.sort().slice(offset, offset + limit);
      const objects = await Promise.all(page.map((key) => find({ bucket, key })));
      return objects.filter((object) => object !== undefined);
    },
  };
}

function recordIn(file: Buffer): StoredObject {
  return JSON.parse(file.toString('utf8', 0, RECORD_BYTES));
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
