import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { requireProgram } from '../../scripts/find-program.ts';
import { freePort } from '../../scripts/local/ports.ts';
import { aProgram } from './program.ts';

export interface Nginx {
  readonly url: string;
  end(): Promise<void>;
}

/**
 * Starts nginx with a minimal config before `upstream`. Stops with the test.
 * @returns the URL
 */
export async function anNginx(upstream: string): Promise<string> {
  const nginx = await startNginx(
    (port) => `server { listen 127.0.0.1:${port}; location / { proxy_pass ${upstream}; } }`,
  );
  onTestFinished(nginx.end);
  return nginx.url;
}

/**
 * Starts nginx with ops/nginx.conf before several processes; the caller ends it.
 * @throws Error if the file names other servers
 */
export function startBalancer(upstreams: readonly string[]): Promise<Nginx> {
  const site = readFileSync(path.join(ROOT, 'ops/nginx.conf'), 'utf8');
  const example = /( *server 10\.\S+( .*);\n)+/;
  if (!example.test(site)) throw new Error('ops/nginx.conf names no servers.');
  return startNginx((port) =>
    site
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace(example, (_, __, options) =>
        upstreams.map((url) => `server ${new URL(url).host}${options};\n`).join(''),
      ),
  );
}

async function startNginx(siteAt: (port: number) => string): Promise<Nginx> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-nginx-'));
  const port = (await freePort()) ?? 0;
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, configOf(folder, siteAt(port)));
  const program = aProgram({
    command: requireProgram('nginx'),
    args: ['-p', folder, '-c', file, '-e', 'stderr'],
    port,
  });
  await program.start();
  return {
    url: `http://127.0.0.1:${port}`,
    end: async () => {
      await program.kill('SIGTERM');
      rmSync(folder, { recursive: true });
    },
  };
}

function configOf(folder: string, site: string): string {
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    events {}
    http {
      access_log off;
      ${kept.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      ${site}
    }
  `;
}
