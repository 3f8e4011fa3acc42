import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ROOT } from '../../scripts/db/paths.ts';
import type { Environment } from '../../src/config.ts';

const NOBODY = 65_534;
const WORKDIR = '/app';

/** A stage of the Dockerfile. */
interface Image {
  readonly copies: readonly { readonly from: string; readonly to: string }[];
  readonly environment: Environment;
  readonly user: string | undefined;
  /** What `RUN` lines give to a shell. */
  readonly steps: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

/** Reads the last stage, which is the image, or the stage of a name. */
export function readDockerfile(stage?: string): Image {
  const text = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const stages = text.split(/^FROM /m).map((part) => part.split('\n'));
  const lines = (stage ? stages.find(([from]) => from?.endsWith(` AS ${stage}`)) : stages.at(-1)) ?? [];
  const after = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1).trim());
  const list = (line = '[]') => z.array(z.string()).parse(JSON.parse(line.slice(line.indexOf('['))));
  return {
    copies: after('COPY').flatMap((line) => {
      const names = line.replace(/^--\S+ /, '').split(' ');
      const to = names.at(-1) ?? '';
      return names
        .slice(0, -1)
        .map((from) => ({ from, to: to.endsWith('/') ? `${to}${path.basename(from)}` : to }));
    }),
    environment: Object.fromEntries(after('ENV').map((line) => line.split('='))),
    user: after('USER').at(-1),
    steps: after('RUN'),
    command: list(after('CMD').at(-1)),
    healthCheck: list(after('HEALTHCHECK').at(-1)),
  };
}

/** The files of an image in a read-only folder. */
export interface Layout {
  /** Runs a command as an unprivileged user with only these variables. */
  run(command: readonly string[], environment: Environment): Running;
  files(): string[];
  remove(): void;
}

interface Running {
  readonly pid: number | undefined;
  stop(): void;
  readonly ended: Promise<{ code: number | null; written: string }>;
}

/** Lays out the image: copied files, production packages and node. */
export function layOut(image: Image): Layout {
  const root = mkdtempSync(path.join(os.tmpdir(), 'opine-container-'));
  const app = path.join(root, 'app');
  const bin = path.join(root, 'bin');
  mkdirSync(bin);
  place(process.execPath, path.join(bin, 'node'));
  for (const { from, to } of image.copies) {
    // What another stage made stands at the same place in the repository.
    const source = path.resolve(ROOT, path.isAbsolute(from) ? path.relative(WORKDIR, from) : from);
    if (path.basename(source) === 'node_modules')
      for (const name of productionPackages()) place(path.join(ROOT, name), path.join(app, name));
    else place(source, path.join(app, to));
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

/**
 * Builds a stage in a folder: copies its files without what .dockerignore excludes, and runs its steps with the repository's
 * packages in place of its own `npm ci`. Returns the folder.
 */
export async function buildStage({ copies, steps }: Image): Promise<string> {
  const app = mkdtempSync(path.join(os.tmpdir(), 'opine-stage-'));
  const isKept = (file: string) => !['dist', 'node_modules'].includes(path.basename(file));
  for (const { from, to } of copies) {
    cpSync(path.join(ROOT, from), path.join(app, to), { recursive: true, filter: isKept });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(app, 'node_modules'));
  for (const step of steps.filter((step) => !step.startsWith('npm ci'))) {
    await promisify(execFile)('sh', ['-c', step], { cwd: app });
  }
  return app;
}

/** Returns the packages that `npm ci` installs in the Dockerfile, read from the lock file. */
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

/** Links files where possible, else copies them. Nested packages are listed separately. */
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

/** Changes folders only: files may be hard links into the repository. */
function setWritable(folder: string, isWritable: boolean): void {
  chmodSync(folder, isWritable ? 0o755 : 0o555);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) setWritable(path.join(folder, entry.name), isWritable);
  }
}
