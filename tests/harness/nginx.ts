import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from '../../scripts/local/ports.ts';

/**
 * Starts nginx before what is at `upstream`, with nothing said but where that is. It ends with the test that asked for it.
 * @returns where it listens, without a path
 * @throws Error with what it wrote where it does not start
 */
export async function anNginx(upstream: string): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-nginx-'));
  const port = await freePort();
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, configOf(folder, port, upstream));
  // Where Debian puts it, which is not on everybody's path.
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let written = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const ended = once(child, 'close').catch((error: Error) => {
    written += error.message;
  });
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  });
  while (!(await listensAt(port))) {
    if (hasEnded) throw new Error(`nginx ended: ${written}`);
    await pause(20);
  }
  return `http://127.0.0.1:${port}`;
}

function configOf(folder: string, port: number | null, upstream: string): string {
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    events {}
    http {
      access_log off;
      ${kept.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass ${upstream}; }
      }
    }
  `;
}

function listensAt(port: number | null): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port ?? 0, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
