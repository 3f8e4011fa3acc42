import type { FileHandle } from 'node:fs/promises';
import { duplicate, noSuchKey } from './errors.ts';
import type { ObjectName } from './names.ts';
import {
  ObjectFolders,
  type ObjectHeaders,
  type ObjectIdentity,
  type StoredObject,
} from './object-folders.ts';
import { createQueue } from './queue.ts';

/** The objects of all buckets: what may be done with them. Changes are made one at a time. */
export class Objects {
  readonly #folders: ObjectFolders;
  readonly #serially = createQueue();

  /** Keeps them in `directory`; `stagingDirectory` has to exist, on the same file system. */
  constructor(directory: string, stagingDirectory: string) {
    this.#folders = new ObjectFolders(directory, stagingDirectory);
  }

  /** The object; undefined where there is none. */
  find(name: ObjectName): Promise<StoredObject | undefined> {
    return this.#folders.find(name);
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
      return { object, file: await this.#folders.open(object) };
    });
  }

  /** Every object of a bucket, in no order. */
  list(bucket: string): Promise<StoredObject[]> {
    return this.#folders.list(bucket);
  }

  /** Stores `body` as the object, replacing one of that name; raises, leaving nothing, beyond `maxBytes`. */
  async put(
    name: ObjectName,
    headers: ObjectHeaders,
    body: AsyncIterable<Uint8Array>,
    maxBytes: number,
  ): Promise<StoredObject> {
    const content = await this.#folders.stage(body, maxBytes);
    try {
      return await this.#serially(async () => {
        return await this.#folders.commit(name, headers, content, await this.find(name));
      });
    } catch (error) {
      await this.#folders.unstage(content.version);
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
      await this.#folders.discard(source);
    });
  }

  /** Deletes the object and returns it; undefined where there was none. */
  remove(name: ObjectName): Promise<StoredObject | undefined> {
    return this.#serially(async () => {
      const object = await this.find(name);
      if (object) {
        await this.#folders.discard(name);
      }
      return object;
    });
  }

  async #duplicate(
    object: StoredObject,
    target: ObjectName,
    headers: Partial<ObjectHeaders>,
    identity: ObjectIdentity | undefined,
  ): Promise<StoredObject> {
    const content = await this.#folders.stageCopy(object);
    return await this.#folders.commit(target, { ...object, ...headers }, content, identity);
  }
}
