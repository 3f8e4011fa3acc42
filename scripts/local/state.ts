import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Environment } from '../../src/config.ts';
import { makeSigningKey } from '../signing-key.ts';
import { LocalError } from './errors.ts';

const Secrets = z.object({
  superuserPassword: z.string(),
  ownerPassword: z.string(),
  servicePassword: z.string(),
  hashSecret: z.string(),
  storageKey: z.string(),
  /** Private, ES256. */
  signingKey: z.record(z.string(), z.unknown()),
});

/** The secrets of the local stack, made once per `LOCAL_DIR`. */
export type Secrets = z.infer<typeof Secrets>;

/** The content of `stack.json`, for other programs on this machine. */
export type StackDescription = {
  apiUrl: string;
  docsUrl: string;
  /** The address of Supabase: Storage, and Realtime with the embedded database. */
  storageUrl: string;
  /** The API key of Supabase's clients. */
  publishableKey: string;
  /** The address of the local staff provider, or null without it. */
  staffProviderUrl: string | null;
  /** As superuser with the embedded database. */
  databaseUrl: string;
  pid: number;
};

/**
 * Opens the directory of local state for a start: creates and locks it, removes the `stack.json` of a killed run, and
 * reads the secrets.
 * @param command the npm command, for the error in production
 * @param parts releases the lock when it is disposed
 * @throws LocalError if the directory is not usable
 */
export async function openDirectory(
  directory: string,
  { NODE_ENV }: Environment,
  command: string,
  parts: AsyncDisposableStack,
): Promise<Secrets> {
  if (NODE_ENV === 'production') {
    throw new LocalError(`${command} is for development only: it does not run with NODE_ENV=production`);
  }
  parts.use(claimDirectory(directory));
  rmSync(path.join(directory, 'stack.json'), { force: true });
  return loadSecrets(directory);
}

/**
 * Creates the directory of local state, and locks it for this process until it ends.
 *
 * The lock is SQLite's on a file: the system releases it with the process, even after `kill -9`, and no reused process
 * number can keep it, unlike a file with a process number.
 * @throws LocalError if the directory is not writable, or another process holds the lock
 */
function claimDirectory(directory: string): Disposable {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new LocalError(`LOCAL_DIR ${directory} cannot be written: ${reasonOf(error)}`);
  }
  const holder = path.join(directory, 'pid');
  const lock = new DatabaseSync(path.join(directory, 'lock'));
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw new LocalError(`LOCAL_DIR ${directory} cannot be locked: ${error}`);
    throw new LocalError(
      `LOCAL_DIR ${directory} is in use by process ${readHolder(holder)}: stop it, or set another LOCAL_DIR and PORT`,
    );
  }
  writeFileSync(holder, `${process.pid}\n`);
  return { [Symbol.dispose]: () => lock.close() };
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

/**
 * Reads the secrets of a local directory, or creates them.
 * @throws LocalError if their file is damaged
 */
async function loadSecrets(directory: string): Promise<Secrets> {
  const file = path.join(directory, 'secrets.json');
  const found = readJson(file);
  if (found === undefined) {
    const secrets = await createSecrets();
    writeAtomically(file, secrets);
    return secrets;
  }
  const secrets = Secrets.safeParse(found);
  if (secrets.success) return secrets.data;
  throw new LocalError(`${file} is damaged: restore it, or delete ${directory} to start afresh`);
}

async function createSecrets(): Promise<Secrets> {
  const secret = () => randomBytes(32).toString('base64url');
  return {
    superuserPassword: secret(),
    ownerPassword: secret(),
    servicePassword: secret(),
    hashSecret: secret(),
    storageKey: secret(),
    signingKey: await makeSigningKey(),
  };
}

/** Reads the earlier ports of the stack's parts by name, so that URLs stay the same where possible. */
export function recallPorts(directory: string): Record<string, number> {
  const ports = z.record(z.string(), z.number()).safeParse(readJson(path.join(directory, 'ports.json')));
  return ports.success ? ports.data : {};
}

/** Saves the ports of the stack's parts. */
export function rememberPorts(directory: string, ports: Record<string, number>): void {
  writeAtomically(path.join(directory, 'ports.json'), ports);
}

/** Writes `stack.json`, which marks the stack as ready, until `parts` are disposed. */
export function publishStack(directory: string, stack: StackDescription, parts: AsyncDisposableStack): void {
  const file = path.join(directory, 'stack.json');
  writeAtomically(file, stack);
  parts.defer(() => rmSync(file, { force: true }));
}

/** Reads the description of the stack that runs on a directory, or null: a killed one leaves it too. */
export function readStack(directory: string): StackDescription | null {
  try {
    return JSON.parse(readFileSync(path.join(directory, 'stack.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** Returns the parsed file: `undefined` if it is missing, `null` if it is not JSON. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new LocalError(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

function writeAtomically(file: string, content: unknown): void {
  const temporary = `${file}.new`;
  try {
    writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    throw new LocalError(`${file} cannot be written: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
}
