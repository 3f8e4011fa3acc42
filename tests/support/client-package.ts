import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { oneAtATime } from './database.ts';
import { addToDefaultFeed } from './feeds.ts';
import type { Opine } from './opine.ts';
import { confirmedPerson } from './people.ts';
import { aPng } from './pictures.ts';
import { aSlider } from './posts.ts';

export const CLIENT = path.join(ROOT, 'clients/typescript');

/** Runs a program in a folder. Returns its stdout. */
export async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  return (await promisify(execFile)(program, args, { cwd, maxBuffer: 2 ** 26 })).stdout;
}

/** An app that has installed the npm package of the client. */
export interface InstalledClient {
  /** The folder of the app. */
  readonly folder: string;
  readonly tarball: string;
  /** The paths of the packed files. */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

/** Builds and packs the client, and installs the package in an empty app. */
export async function installClient(): Promise<InstalledClient> {
  const folder = await mkdtemp(path.join(tmpdir(), 'opine-app-'));
  const pack = ['pack', '--json', '--silent', '--pack-destination', folder];
  // Packing empties and fills `dist`.
  const packed = await oneAtATime('pack the client', () => run('npm', pack, CLIENT));
  const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  const target = path.join(folder, 'node_modules/@opine/client');
  await mkdir(target, { recursive: true });
  await run('tar', ['-xzf', filename, '--strip-components=1', '-C', target], folder);
  await linkPackage('openapi-fetch', folder);
  return {
    folder,
    tarball: path.join(folder, filename),
    files: files.map(({ path }) => path),
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Installs a package of this repository, or the packages of a scope, in an app. */
export function linkPackage(name: string, folder: string): Promise<void> {
  return symlink(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name));
}

/** What `tests/client/walk.mjs` needs, and what it returns. */
export async function aWalk(opine: Opine) {
  const [author, voter] = [await confirmedPerson(opine), await confirmedPerson(opine)];
  await addToDefaultFeed(opine, author);
  const { id } = await aSlider(author);
  const picture = [...(await aPng({ width: 48 }))];
  return {
    given: { baseUrl: opine.url, phoneNumber: voter.phoneNumber, picture },
    expected: {
      votedOn: id,
      totalVotes: 1,
      again: 'VOTE_ALREADY_CAST',
      width: 48,
      progress: [picture.length, picture.length],
      inbox: { type: 'ready', inbox: { unreadCount: 0, inboxVersion: expect.any(Number) } },
    },
  };
}
