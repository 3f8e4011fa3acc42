import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn, readJson, writeBody, writeJson } from './files.ts';
import { fileNameOf, type ObjectName } from './names.ts';

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

/** Bytes that wait in the staging directory, in a file named by their version. */
export type StagedContent = Pick<StoredObject, 'version' | 'size' | 'eTag'>;

/** What an object keeps when it is replaced or renamed. */
export type ObjectIdentity = Pick<StoredObject, 'id' | 'createdAt'>;

const RECORD_FILE = 'object.json';

/**
 * The objects below one directory: a folder each, which holds the bytes in a file named by their version
 * and `object.json`, which names that version. Only the replacement of `object.json` makes a write visible.
 * Of changes to one object the caller makes one at a time.
 */
export class ObjectFolders {
  readonly #directory: string;
  readonly #stagingDirectory: string;

  /** `stagingDirectory` has to exist, on the same file system. */
  constructor(directory: string, stagingDirectory: string) {
    this.#directory = directory;
    this.#stagingDirectory = stagingDirectory;
  }

  /** The object; undefined where there is none. */
  find(name: ObjectName): Promise<StoredObject | undefined> {
    return readJson(join(this.#folderOf(name), RECORD_FILE));
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

  /** The object's bytes, which the caller has to close; raises where they have been replaced or removed. */
  open(object: StoredObject): Promise<FileHandle> {
    return open(join(this.#folderOf(object), object.version));
  }

  /** Stages `body` for {@link commit}; raises, leaving nothing, where it breaks off or is beyond `maxBytes`. */
  async stage(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedContent> {
    const version = randomUUID();
    try {
      return { version, ...(await writeBody(this.#stagedPathOf(version), body, maxBytes)) };
    } catch (error) {
      await this.unstage(version);
      throw error;
    }
  }

  /** Stages a copy of the object's bytes for {@link commit}. */
  async stageCopy(object: StoredObject): Promise<StagedContent> {
    const { size, eTag } = object;
    const version = randomUUID();
    const source = join(this.#folderOf(object), object.version);
    await copyFile(source, this.#stagedPathOf(version), constants.COPYFILE_FICLONE);
    return { version, size, eTag };
  }

  /** Removes what is staged under that version, if anything is. */
  async unstage(version: string): Promise<void> {
    await rm(this.#stagedPathOf(version), { force: true });
  }

  /** Makes staged bytes the object's, replacing what it had; without `identity` the object is a new one. */
  async commit(
    { bucket, key }: ObjectName,
    { mimeType, cacheControl, userMetadata }: ObjectHeaders,
    { version, size, eTag }: StagedContent,
    identity: ObjectIdentity | undefined,
  ): Promise<StoredObject> {
    const now = new Date().toISOString();
    const { id, createdAt } = identity ?? { id: randomUUID(), createdAt: now };
    const identified = { bucket, key, id, createdAt, updatedAt: now };
    const object: StoredObject = { ...identified, mimeType, cacheControl, userMetadata, version, size, eTag };
    const folder = this.#folderOf(object);
    await mkdir(folder, { recursive: true });
    await rename(this.#stagedPathOf(version), join(folder, version));
    await writeJson(join(folder, RECORD_FILE), object, this.#stagingDirectory);
    for (const file of await namesIn(folder)) {
      if (file !== version && file !== RECORD_FILE) {
        await rm(join(folder, file));
      }
    }
    return object;
  }

  /** Deletes the object; raises where there is none. */
  async discard(name: ObjectName): Promise<void> {
    const folder = this.#folderOf(name);
    // The record first: a crash then leaves bytes that nobody sees, not an object without bytes.
    await rm(join(folder, RECORD_FILE));
    await rm(folder, { recursive: true });
  }

  #folderOf({ bucket, key }: ObjectName): string {
    return join(this.#directory, fileNameOf(bucket), fileNameOf(key));
  }

  #stagedPathOf(version: string): string {
    return join(this.#stagingDirectory, version);
  }
}
