import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../scripts/db/paths.ts';
import type { Environment } from '../../src/config.ts';

const NOBODY = 65_534;
const PACKAGES = '/app/node_modules';

/** What the last stage of the Dockerfile says. */
export interface Image {
  /** What is copied: where it comes from, and where it goes. */
  readonly copies: readonly { readonly from: string; readonly to: string }[];
  readonly environment: Environment;
  readonly user: string | undefined;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** Reads the Dockerfile. */
export function readDockerfile(): Image {
  const text = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const lines = text.slice(text.lastIndexOf('\nFROM')).split('\n');
  const after = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1).trim());
  const list = (line = '[]') => z.array(z.string()).parse(JSON.parse(line.slice(line.indexOf('['))));
  return {
    copies: after('COPY').map((line) => {
      const [from = '', to = ''] = line.replace(/^--\S+ /, '').split(' ');
      return { from, to: to.endsWith('/') ? `${to}${path.basename(from)}` : to };
    }),
    environment: Object.fromEntries(after('ENV').map((line) => line.split('='))),
    user: after('USER').at(-1),
    command: list(after('CMD').at(-1)),
    healthCheck: list(after('HEALTHCHECK').at(-1)),
  };
}

/** The files of an image, laid out in a folder that nobody can write. */
export interface Layout {
  /** Runs a program of it there, as a user without rights, and with these variables alone. */
  run(command: readonly string[], environment: Environment): Running;
  /** Every file by name. */
  files(): string[];
  remove(): void;
}

/** A program that runs. */
export interface Running {
  readonly pid: number | undefined;
  stop(): void;
  readonly ended: Promise<{ code: number | null; written: string }>;
}

/** Lays an image out: what it copies from the repository, its packages, and node beside it. */
export function layOut(image: Image): Layout {
  const root = mkdtempSync(path.join(os.tmpdir(), 'opine-container-'));
  const app = path.join(root, 'app');
  const bin = path.join(root, 'bin');
  mkdirSync(bin);
  place(process.execPath, path.join(bin, 'node'));
  for (const { from, to } of image.copies) {
    if (from === PACKAGES)
      for (const name of productionPackages()) place(path.join(ROOT, name), path.join(app, name));
    else place(path.join(ROOT, from), path.join(app, to));
  }
  setWritable(root, false);
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  return {
    run: ([program = '', ...args], environment) => {
      const env = { ...image.environment, ...environment, PATH: bin };
      const child = spawn(path.join(bin, program), args, { cwd: app, env, stdio: 'pipe', ...asNobody });
      let written = '';
      for (const output of [child.stdout, child.stderr]) {
        output.setEncoding('utf8').on('data', (text: string) => {
          written += text;
        });
      }
      const ended = new Promise<{ code: number | null; written: string }>((resolve) =>
        child.once('close', (code) => resolve({ code, written })),
      );
      return { pid: child.pid, stop: () => child.kill('SIGTERM'), ended };
    },
    files: () => readdirSync(app, { recursive: true, encoding: 'utf8' }),
    remove: () => {
      setWritable(root, true);
      rmSync(root, { recursive: true });
    },
  };
}

/** What `npm ci` of the Dockerfile installs, by the lock file as it does, and the few packages that the workspaces need. */
function productionPackages(): string[] {
  const Lock = z.object({
    packages: z.record(
      z.string(),
      z
        .object({ dev: z.boolean(), optional: z.boolean(), devOptional: z.boolean(), link: z.boolean() })
        .partial(),
    ),
  });
  const { packages } = Lock.parse(JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')));
  return Object.entries(packages)
    .filter(([, { dev, optional, devOptional, link }]) => !dev && !optional && !devOptional && !link)
    .map(([name]) => name)
    .filter((name) => name.startsWith('node_modules/'));
}

/** The same files by another name, where that can be: none of them is written. Packages inside a package come by themselves. */
function place(from: string, to: string): void {
  if (!statSync(from).isDirectory()) {
    mkdirSync(path.dirname(to), { recursive: true });
    try {
      linkSync(from, to);
    } catch {
      copyFileSync(from, to);
    }
    return;
  }
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from)) {
    if (entry !== 'node_modules') place(path.join(from, entry), path.join(to, entry));
  }
}

/** Of folders alone: the files are also the repository's, and root's where nobody runs the image. */
function setWritable(folder: string, isWritable: boolean): void {
  chmodSync(folder, isWritable ? 0o755 : 0o555);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) setWritable(path.join(folder, entry.name), isWritable);
  }
}
