import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { ROOT } from './db/paths.ts';
import { runScript } from './db/run-script.ts';
import { runSupabase } from './db/supabase-cli.ts';
import { LocalError } from './local/errors.ts';
import { freePort } from './local/ports.ts';
import { SUPERUSER } from './local/postgres.ts';
import { ensureStaffLogins, type StaffLogin } from './local/staff-logins.ts';
import { readStack, type StackDescription } from './local/state.ts';
import { runProgram } from './run-program.ts';
import { installTools, TOOLS } from './tools.ts';

const POSTGRES_META = path.join(TOOLS, 'node_modules/@supabase/postgres-meta/dist/server/server.js');

/** The port of Studio, like that of `supabase start`, if it is free. */
const STUDIO_PORT = 54_323;

/**
 * Prints the SQL logins of the local staff on the stack of `npm start`. With Docker it also runs Supabase's Studio, as the admin,
 * until a signal.
 */
async function main(): Promise<void> {
  const stack = readStack(path.resolve(process.env.LOCAL_DIR || '.local'));
  if (stack === null) throw new LocalError('Nothing runs here: npm start first, with the same LOCAL_DIR.');
  if (new URL(stack.databaseUrl).username !== SUPERUSER)
    throw new LocalError('DATABASE_URL is set: docs/staff.md says how staff logs in to a database of yours.');
  const logins = await ensureStaffLogins(stack.databaseUrl);
  process.stdout.write('\nStaff logs in with psql or any other client, and opens the schema staff:\n\n');
  for (const login of logins)
    process.stdout.write(`  ${login.role.padEnd(10)} psql '${urlFor(login, stack)}'\n`);
  const admin = logins.find(({ role }) => role === 'admin');
  if (admin && (await hasDocker())) return runStudio(admin, stack);
  process.stdout.write('\nSupabase Studio needs Docker, which does not run here.\n\n');
}

function urlFor({ name, password }: StaffLogin, { databaseUrl }: StackDescription): URL {
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = password;
  return url;
}

async function hasDocker(): Promise<boolean> {
  const run = await runProgram('docker', ['info']).catch(() => null);
  return run?.code === 0;
}

/** Runs Studio in a container, and its backend postgres-meta beside it, both on loopback alone. */
async function runStudio(admin: StaffLogin, stack: StackDescription): Promise<void> {
  const [port, metaPort] = [(await freePort(STUDIO_PORT)) ?? (await freePort()), await freePort()];
  installTools();
  // Studio sends the connection string with each request, encrypted: nobody else who reaches postgres-meta has a database.
  const key = randomBytes(32).toString('base64url');
  const meta = startMeta(String(metaPort), key);
  const isLinux = process.platform === 'linux';
  const { username, password, port: databasePort, pathname } = urlFor(admin, stack);
  const variables = {
    HOSTNAME: isLinux ? '127.0.0.1' : '0.0.0.0',
    PORT: String(port),
    STUDIO_PG_META_URL: `http://${isLinux ? '127.0.0.1' : 'host.docker.internal'}:${metaPort}`,
    PG_META_CRYPTO_KEY: key,
    POSTGRES_HOST: '127.0.0.1',
    POSTGRES_PORT: databasePort,
    POSTGRES_DB: pathname.slice(1),
    POSTGRES_USER_READ_WRITE: username,
    POSTGRES_USER_READ_ONLY: username,
    POSTGRES_PASSWORD: password,
    SUPABASE_URL: stack.storageUrl,
    SUPABASE_PUBLIC_URL: stack.storageUrl,
    SUPABASE_ANON_KEY: stack.publishableKey,
    DEFAULT_ORGANIZATION_NAME: 'Opine',
    DEFAULT_PROJECT_NAME: 'npm start',
  };
  // A container of Linux shares the network of the machine, because a bridge does not reach its loopback.
  const network = isLinux ? ['--network', 'host'] : ['--publish', `127.0.0.1:${port}:${port}`];
  const names = Object.keys(variables).flatMap((name) => ['--env', name]);
  const studio = spawn('docker', ['run', '--rm', '--init', ...network, ...names, await findImage()], {
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  });
  endWithThisProcess(studio);
  process.stdout.write(`\n  Studio     http://127.0.0.1:${port} as ${username}; Ctrl-C stops it\n\n`);
  const [code] = await once(studio, 'close');
  meta.kill();
  process.exitCode = code ?? 0;
}

function startMeta(port: string, key: string): ChildProcess {
  const meta = spawn(process.execPath, [POSTGRES_META], {
    stdio: 'ignore',
    // A request without a connection string gets this database, which does not exist.
    env: {
      PATH: process.env.PATH,
      PG_META_HOST: '127.0.0.1',
      PG_META_PORT: port,
      PG_META_DB_URL: 'postgresql://nobody@127.0.0.1:1/none',
      CRYPTO_KEY: key,
    },
  });
  endWithThisProcess(meta);
  return meta;
}

function endWithThisProcess(child: ChildProcess): void {
  process.once('exit', () => child.kill());
}

/** Returns the image of Studio that the Supabase CLI of this repository pins. */
async function findImage(): Promise<string> {
  const { stdout, stderr } = await runSupabase(['services'], ROOT);
  const [, tag] = /supabase\/studio\s*\|\s*(\S+)/.exec(stdout) ?? [];
  if (tag === undefined) throw new Error(`The Supabase CLI names no image of Studio: ${stderr}`);
  return `supabase/studio:${tag}`;
}

runScript(main);
