import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Environment } from '../../src/config.ts';
import { ROOT } from '../db/paths.ts';
import { runTool, TOOLS } from '../tools.ts';

/** A function under Deno, behind a gateway like Supabase's. */
export interface EdgeFunction {
  /** The gateway's address with the path of functions, the parent of `/api/v1`, `/push` and `/upkeep`. */
  readonly url: string;
  /** The process number of Deno. */
  readonly pid: number;
  /** Returns the output so far. */
  log(): string;
  stop(): Promise<void>;
}

const PACKAGES = path.join(TOOLS, 'node_modules');

/**
 * The npm packages of the Deno versions for tests: the level of Supabase's Edge Runtime, and the newest. The first is an
 * optional package for Linux on x64; CI has both.
 */
export const DENO_PACKAGES = ['deno-2.1', 'deno'].filter(
  (name) => process.env.CI === 'true' || existsSync(path.join(PACKAGES, name)),
);

/** Options of `startEdgeFunction`. */
export interface EdgeOptions {
  /** One of `DENO_PACKAGES`. */
  readonly deno: string;
  /** By default `api`. */
  readonly name?: 'api' | 'push' | 'upkeep';
  /** The parent of the functions' folders, by default `supabase/functions`. */
  readonly directory?: string;
}

// The Edge Runtime replaces Deno.serve too: a function does not choose its address.
const SERVE = `
const serve = Deno.serve;
Deno.serve = (handler) => serve({ hostname: '127.0.0.1', port: 0 }, handler);
`;

/**
 * Builds the bundles of the functions.
 * @throws Error with the output of a failed build
 */
export async function buildFunctions(): Promise<void> {
  const { code, output } = await runTool('node', ['scripts/build-functions.ts']);
  if (code !== 0) throw new Error(output);
}

/**
 * Starts the bundle of a function in a folder of its own: without packages or a cache, and with minimal permissions.
 * @throws Error with its output if it does not start
 */
export async function startEdgeFunction(
  env: Environment,
  { deno: denoPackage, name = 'api', directory = path.join(ROOT, 'supabase/functions') }: EdgeOptions,
): Promise<EdgeFunction> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-edge-'));
  cpSync(path.join(directory, name), path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, 'serve.ts'), SERVE);
  // Modules run in the order of imports, so serve.ts comes first.
  writeFileSync(path.join(folder, 'main.ts'), `import './serve.ts';\nimport './${name}/index.ts';\n`);
  const deno = startDeno(folder, { deno: denoPackage, name }, env);
  const remove = async () => {
    await deno.stop();
    rmSync(folder, { recursive: true });
  };
  try {
    const gateway = await startGateway(await deno.port);
    return {
      url: `${gateway.url}/functions/v1`,
      pid: deno.pid,
      log: deno.output,
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
  /** The port on loopback; rejects with the output if Deno ends. */
  readonly port: Promise<number>;
  output(): string;
  stop(): Promise<void>;
}

// Node's check of a certificate's host name needs a permission that Deno cannot grant by name.
const SYSTEM_PERMISSIONS = { api: '--allow-sys=hostname', push: '--allow-sys', upkeep: '--allow-sys' };

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
    // Deno 2.1 checks these names too, although connections go to PUSH_ADDRESS.
    ...(env.PUSH_ADDRESS ? [env.PUSH_ADDRESS, 'oauth2.googleapis.com', 'fcm.googleapis.com'] : []),
  ];
  const permissions = ['--allow-env', SYSTEM_PERMISSIONS[name], `--allow-net=${hosts}`];
  const child = spawn(
    path.join(PACKAGES, deno, 'deno'),
    ['run', '--no-prompt', '--no-remote', '--no-npm', ...permissions, 'main.ts'],
    {
      cwd: folder,
      env: {
        ...env,
        // Deno 2.1 ignores Node's variable.
        ...(env.NODE_EXTRA_CA_CERTS && { DENO_CERT: env.NODE_EXTRA_CA_CERTS }),
        DENO_DIR: path.join(folder, 'cache'),
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const port = new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [, port] = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? [];
        if (port !== undefined) resolve(Number(port));
      });
    }
    child.once('error', reject);
    child.once('close', () => reject(new Error(`Deno ended: ${output}`)));
  });
  return {
    pid: child.pid ?? 0,
    port,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts a gateway like Supabase's, which serves functions below /functions/v1 and strips that prefix. */
async function startGateway(functionPort: number): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => relay(incoming, outgoing, functionPort));
  await once(server.listen(0, '127.0.0.1'), 'listening');
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
  const forwarded = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders);
    response.pipe(outgoing);
  });
  // A function may refuse a body and close while the client still sends it.
  forwarded.on('error', () => outgoing.headersSent || outgoing.destroy());
  // A disconnected client aborts its request to the function.
  outgoing.on('close', () => forwarded.destroy());
  incoming.pipe(forwarded);
}
