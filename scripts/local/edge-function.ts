import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Environment } from '../../src/config.ts';
import { runTool } from '../check/tools.ts';
import { ROOT } from '../db/paths.ts';

/** A function under Deno, behind a gateway as Supabase has one. */
export interface EdgeFunction {
  /** The gateway's address with the path of functions: the API is at its `/api/v1`, the others at `/push` and `/upkeep`. */
  readonly url: string;
  /** The process of Deno. */
  readonly pid: number;
  /** What the function has written. */
  log(): string;
  stop(): Promise<void>;
}

const PACKAGES = path.join(ROOT, 'node_modules');

/**
 * The npm packages of the Deno versions that functions are tested on: the level of Supabase's Edge Runtime, and the
 * newest. The first is optional, for Linux on x64: elsewhere the newest remains. CI has both.
 */
export const DENO_PACKAGES = ['deno-2.1', 'deno'].filter(
  (name) => process.env.CI === 'true' || existsSync(path.join(PACKAGES, name)),
);

/** Which function to start, and on which Deno. */
export interface EdgeOptions {
  /** One of `DENO_PACKAGES`. */
  readonly deno: string;
  /** By default `api`. */
  readonly name?: 'api' | 'push' | 'upkeep';
  /** Where functions lie, each in a folder of its name; by default in `supabase/functions`. */
  readonly directory?: string;
}

// The Edge Runtime replaces Deno.serve as well: a function does not choose where it listens.
const SERVE = `
const serve = Deno.serve;
Deno.serve = (handler) => serve({ hostname: '127.0.0.1', port: 0 }, handler);
`;

/**
 * Builds the bundles of the functions.
 * @throws Error with what the build wrote where it failed
 */
export async function buildFunctions(): Promise<void> {
  const { code, output } = await runTool('node', ['scripts/build-functions.ts']);
  if (code !== 0) throw new Error(output);
}

/**
 * Starts a function as it was built, alone in a folder: without packages, without a cache, and with the rights that it
 * needs and no others.
 * @throws Error with what it wrote where it does not start
 */
export async function startEdgeFunction(
  env: Environment,
  { deno: denoPackage, name = 'api', directory = path.join(ROOT, 'supabase/functions') }: EdgeOptions,
): Promise<EdgeFunction> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-edge-'));
  cpSync(path.join(directory, name), path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, 'serve.ts'), SERVE);
  // Modules run in the order of their imports.
  writeFileSync(path.join(folder, 'main.ts'), `import './serve.ts';\nimport './${name}/index.ts';\n`);
  const deno = startDeno(folder, { deno: denoPackage, name }, env);
  const remove = async () => {
    await deno.end();
    rmSync(folder, { recursive: true });
  };
  try {
    const gateway = await startGateway(await deno.port);
    return {
      url: `${gateway.url}/functions/v1`,
      pid: deno.pid,
      log: deno.written,
      stop: async () => {
        await gateway.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface Deno {
  readonly pid: number;
  /** Where it listens, on loopback; throws what it wrote where it ends instead. */
  readonly port: Promise<number>;
  written(): string;
  end(): Promise<void>;
}

// Node's check of a certificate's name needs a right that Deno does not give by name.
const SYSTEM_RIGHTS = { api: '--allow-sys=hostname', push: '--allow-sys', upkeep: '--allow-sys' };

function startDeno(
  folder: string,
  { deno, name }: Required<Omit<EdgeOptions, 'directory'>>,
  env: Environment,
): Deno {
  const peers = [env.DATABASE_URL, env.SUPABASE_URL, env.IDP_JWKS_URL, env.STAFF_IDP_JWKS_URL].filter(
    (url) => url !== undefined,
  );
  const hosts = [
    '127.0.0.1:0',
    ...peers.map((url) => new URL(url).host),
    // Deno 2.1 asks for the names too, wherever connections go.
    ...(env.PUSH_ADDRESS ? [env.PUSH_ADDRESS, 'oauth2.googleapis.com', 'fcm.googleapis.com'] : []),
  ];
  const rights = ['--allow-env', SYSTEM_RIGHTS[name], `--allow-net=${hosts}`];
  const child = spawn(
    path.join(PACKAGES, deno, 'deno'),
    ['run', '--no-prompt', '--no-remote', '--no-npm', ...rights, 'main.ts'],
    {
      cwd: folder,
      env: {
        ...env,
        // Deno 2.1 does not read Node's variable.
        ...(env.NODE_EXTRA_CA_CERTS && { DENO_CERT: env.NODE_EXTRA_CA_CERTS }),
        DENO_DIR: path.join(folder, 'cache'),
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let written = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const port = new Promise<number>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding('utf8').on('data', (text: string) => {
        written += text;
        const [, port] = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(written) ?? [];
        if (port !== undefined) resolve(Number(port));
      });
    }
    child.once('error', reject);
    child.once('close', () => reject(new Error(`Deno ended: ${written}`)));
  });
  return {
    pid: child.pid ?? 0,
    port,
    written: () => written,
    end: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts what stands before functions on Supabase: it knows them below /functions/v1, they themselves do not. */
async function startGateway(functionPort: number): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => relay(incoming, outgoing, functionPort));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function relay(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const { method, headers, url = '' } = incoming;
  const path = url.replace(/^\/functions\/v1(?=\/)/, '');
  const forwarded = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
    answer.pipe(outgoing);
  });
  // A function that refuses a body may close while it still comes.
  forwarded.on('error', () => outgoing.headersSent || outgoing.destroy());
  // A client that disconnects aborts its request to the function.
  outgoing.on('close', () => forwarded.destroy());
  incoming.pipe(forwarded);
}
