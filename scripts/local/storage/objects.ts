import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { duplicate, noSuchKey } from './errors.ts';
import { namesIn, readJson, writeBody, writeJson } from './files.ts';
import { fileNameOf, type ObjectName } from './names.ts';
import { createQueue } from './queue.ts';

/** What the client says of a file that it uploads. */
export interface ObjectHeaders {
  readonly mimeType: string;
  readonly cacheControl: string;
  readonly userMetadata: Readonly<Record<string, unknown>>;
}

/** An object that exists: its headers, and what the service knows of it. */
export interface StoredObject extends ObjectName, ObjectHeaders {
  readonly id: string;
  /** Changes with every write. */
  readonly version: string;
  readonly size: number;
  readonly eTag: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type Content = Pick<StoredObject, 'version' | 'size' | 'eTag'>;
type Identity = Pick<StoredObject, 'id' | 'createdAt'>;

const RECORD_FILE = 'object.json';

/**
 * The objects below one directory: a folder each, which holds the bytes in a file named by their version
 * and `object.json`, which names that version. Only the replacement of `object.json` makes a write visible.
 */
export class Objects {
  readonly #directory: string;
  readonly #stagingDirectory: string;
  readonly #serially = createQueue();

  /** `stagingDirectory` has to exist, on the same file system. */
  constructor(directory: string, stagingDirectory: string) {
    this.#directory = directory;
    this.#stagingDirectory = stagingDirectory;
  }

  /** The object; undefined where there is none. */
  find(name: ObjectName): Promise<StoredObject | undefined> {
    return readJson(join(this.#folderOf(name), RECORD_FILE));
  }

  /** The object; raises where there is none. */
  async get(name: ObjectName): Promise<StoredObject> {
    const object = await this.find(name);
    if (!object) {
      throw noSuchKey();
    }
    return object;
  }

  /** The object with its bytes, which the caller has to close; raises where there is none. */
  open(name: ObjectName): Promise<{ object: StoredObject; file: FileHandle }> {
    return this.#serially(async () => {
      const object = await this.get(name);
      return { object, file: await open(join(this.#folderOf(name), object.version)) };
    });
  }

  /** Every object of a bucket, in no order. */
  async list(bucket: string): Promise<StoredObject[]> {
    const directory = join(this.#directory, fileNameOf(bucket));
    const objects: StoredObject[] = [];
    for (const folder of await namesIn(directory)) {
      const object = await readJson<StoredObject>(join(directory, folder, RECORD_FILE));
      if (object) {
        objects.push(object);
      }
    }
    return objects;
  }

  /** Stores `body` as the object, replacing one of that name; raises, leaving nothing, beyond `maxBytes`. */
  async put(
    name: ObjectName,
    headers: ObjectHeaders,
    body: AsyncIterable<Uint8Array>,
    maxBytes: number,
  ): Promise<StoredObject> {
    const version = randomUUID();
    const staged = join(this.#stagingDirectory, version);
    try {
      const content = { version, ...(await writeBody(staged, body, maxBytes)) };
      return await this.#serially(async () => {
        return await this.#commit(name, headers, content, await this.find(name));
      });
    } catch (error) {
      await rm(staged, { force: true });
      throw error;
    }
  }

  /** Copies an object's bytes under another name; raises where that is taken, unless `upsert`. */
  copy(
    source: ObjectName,
    target: ObjectName,
    headers: Partial<ObjectHeaders>,
    upsert: boolean,
  ): Promise<StoredObject> {
    return this.#serially(async () => {
      const object = await this.get(source);
      const taken = await this.find(target);
      if (taken && !upsert) {
        throw duplicate('KeyAlreadyExists');
      }
      return await this.#duplicate(object, target, headers, taken);
    });
  }

  /** Renames an object, possibly into another bucket; raises where the new name is taken. */
  move(source: ObjectName, target: ObjectName): Promise<void> {
    return this.#serially(async () => {
      const object = await this.get(source);
      if (source.bucket === target.bucket && source.key === target.key) {
        return;
      }
      if (await this.find(target)) {
        throw duplicate('ResourceAlreadyExists');
      }
      await this.#duplicate(object, target, {}, object);
      await this.#discard(source);
    });
  }

  /** Deletes the object and returns it; undefined where there was none. */
  remove(name: ObjectName): Promise<StoredObject | undefined> {
    return this.#serially(async () => {
      const object = await this.find(name);
      if (object) {
        await this.#discard(name);
      }
      return object;
    });
  }

  #folderOf({ bucket, key }: ObjectName): string {
    return join(this.#directory, fileNameOf(bucket), fileNameOf(key));
  }

  async #duplicate(
    object: StoredObject,
    target: ObjectName,
    headers: Partial<ObjectHeaders>,
    identity: Identity | undefined,
  ): Promise<StoredObject> {
    const content = { ...object, version: randomUUID() };
    const staged = join(this.#stagingDirectory, content.version);
    await copyFile(join(this.#folderOf(object), object.version), staged, constants.COPYFILE_FICLONE);
    return await this.#commit(target, { ...object, ...headers }, content, identity);
  }

  async #commit(
    { bucket, key }: ObjectName,
    { mimeType, cacheControl, userMetadata }: ObjectHeaders,
    { version, size, eTag }: Content,
    identity: Identity | undefined,
  ): Promise<StoredObject> {
    const now = new Date().toISOString();
    const { id, createdAt } = identity ?? { id: randomUUID(), createdAt: now };
    const identified = { bucket, key, id, createdAt, updatedAt: now };
    const object: StoredObject = { ...identified, mimeType, cacheControl, userMetadata, version, size, eTag };
    const folder = this.#folderOf(object);
    await mkdir(folder, { recursive: true });
    await rename(join(this.#stagingDirectory, version), join(folder, version));
    await writeJson(join(folder, RECORD_FILE), object, this.#stagingDirectory);
    for (const file of await namesIn(folder)) {
      if (file !== version && file !== RECORD_FILE) {
        await rm(join(folder, file));
      }
    }
    return object;
  }

  async #discard(name: ObjectName): Promise<void> {
    const folder = this.#folderOf(name);
    // The record first: a crash then leaves bytes that nobody sees, not an object without bytes.
    await rm(join(folder, RECORD_FILE));
    await rm(folder, { recursive: true });
  }
}
