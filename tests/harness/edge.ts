import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { runTool } from '../../scripts/check/tools.ts';
import { ROOT } from '../../scripts/db/paths.ts';
import type { Environment } from '../../src/config.ts';

/** A function under Deno, behind a gateway as Supabase has one. */
export interface EdgeFunction {
  /** The gateway's address with the path of functions: the API is at its `/api/v1`, and `push` at `/push`. */
  readonly url: string;
  /** What the function has written. */
  log(): string;
  stop(): Promise<void>;
}

/** The name of a function. */
export type FunctionName = 'api' | 'push';

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
export async function startEdgeFunction(env: Environment, name: FunctionName = 'api'): Promise<EdgeFunction> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-edge-'));
  cpSync(path.join(ROOT, 'supabase/functions', name), path.join(folder, name), { recursive: true });
  const deno = startDeno(folder, name, env);
  const remove = async () => {
    await deno.end();
    rmSync(folder, { recursive: true });
  };
  try {
    const gateway = await startGateway(await deno.port);
    return {
      url: `${gateway.url}/functions/v1`,
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
  /** Where it listens, on loopback; throws what it wrote where it ends instead. */
  readonly port: Promise<number>;
  written(): string;
  end(): Promise<void>;
}

// To ask whom a peer's certificate may be of is a right that Deno names, and lets nobody name.
const SYSTEM_RIGHTS = { api: '--allow-sys=hostname', push: '--allow-sys' };

function startDeno(folder: string, name: FunctionName, env: Environment): Deno {
  const peers = [env.DATABASE_URL, env.SUPABASE_URL, env.IDP_JWKS_URL, env.STAFF_IDP_JWKS_URL].filter(
    (url) => url !== undefined,
  );
  const hosts = [
    '127.0.0.1:0',
    ...peers.map((url) => new URL(url).host),
    ...(env.PUSH_ADDRESS ? [env.PUSH_ADDRESS] : []),
  ];
  const rights = ['--allow-env', SYSTEM_RIGHTS[name], `--allow-net=${hosts}`];
  const child = spawn(
    path.join(ROOT, 'node_modules/.bin/deno'),
    ['run', '--no-prompt', '--no-remote', '--no-npm', ...rights, `${name}/index.ts`],
    {
      cwd: folder,
      env: {
        ...env,
        DENO_DIR: path.join(folder, 'cache'),
        DENO_SERVE_ADDRESS: 'tcp:127.0.0.1:0',
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
  // Whoever leaves amid an answer leaves the function as well.
  outgoing.on('close', () => forwarded.destroy());
  incoming.pipe(forwarded);
}
