import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
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

/** What the local stack keeps secret, made once for a `LOCAL_DIR`. */
export type Secrets = z.infer<typeof Secrets>;

/** What `stack.json` tells others on this machine. */
export type StackDescription = {
  apiUrl: string;
  docsUrl: string;
  /** The address of Supabase: Storage, and Realtime where the database is the embedded one. */
  storageUrl: string;
  /** What clients of Supabase show. */
  publishableKey: string;
  /** As superuser, where the database is the embedded one. */
  databaseUrl: string;
  pid: number;
};

/**
 * Makes the directory that holds all local state.
 * @throws LocalError where it cannot be made or written
 */
export function openDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new LocalError(`LOCAL_DIR ${directory} cannot be written: ${reasonOf(error)}`);
  }
}

/**
 * Reads the secrets of a local directory, which are made where there are none.
 * @throws LocalError where their file is damaged
 */
export async function loadSecrets(directory: string): Promise<Secrets> {
  const file = path.join(directory, 'secrets.json');
  const found = readJson(file);
  if (found === undefined) {
    const made = await makeSecrets();
    writeAtomically(file, made);
    return made;
  }
  const secrets = Secrets.safeParse(found);
  if (secrets.success) return secrets.data;
  throw new LocalError(`${file} is damaged: restore it, or delete ${directory} to start afresh`);
}

/**
 * Reads the ports that parts of the stack had before, so that their URLs stay the same where they can.
 * @returns part → port
 */
export function recallPorts(directory: string): Record<string, number> {
  const ports = z.record(z.string(), z.number()).safeParse(readJson(path.join(directory, 'ports.json')));
  return ports.success ? ports.data : {};
}

/** Remembers the ports that parts of the stack have. */
export function rememberPorts(directory: string, ports: Record<string, number>): void {
  writeAtomically(path.join(directory, 'ports.json'), ports);
}

/** Tells others on this machine that the stack is ready, and how to reach it. */
export function publishStack(directory: string, stack: StackDescription): void {
  writeAtomically(path.join(directory, 'stack.json'), stack);
}

/** Takes back what `publishStack` told, or what a killed run left. */
export function withdrawStack(directory: string): void {
  rmSync(path.join(directory, 'stack.json'), { force: true });
}

async function makeSecrets(): Promise<Secrets> {
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

/** `undefined` where there is no file, `null` where it is not JSON. */
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
