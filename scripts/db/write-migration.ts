import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { driftFrom } from './drift.ts';
import { type Migration, nextMigration, squashedMigration } from './migration.ts';
import { declaredDatabase, withCluster } from './throwaway.ts';

/** What was written: the new file names, the ones they replace, and the statements that lose data or objects. */
export type WrittenMigration = { files: string[]; replaced: string[]; losses: string[] };

/**
 * Writes the migration that brings `migrations` up to `schemas`, proved by the Supabase CLI on an empty database.
 * @param supabaseDirectory a folder called `supabase`
 * @param name what the migration is about, in lower case with underscores
 * @param isSquashed whether it replaces all earlier ones
 * @throws Error where it does not lead to the schemas; nothing is written then
 */
export function writeMigration(
  supabaseDirectory: string,
  name: string,
  isSquashed: boolean,
): Promise<WrittenMigration> {
  return withCluster(async (cluster) => {
    const directory = path.join(supabaseDirectory, 'migrations');
    mkdirSync(directory, { recursive: true });
    const present = readdirSync(directory)
      .filter((file) => file.endsWith('.sql'))
      .sort();
    const declared = await declaredDatabase(cluster, 'declared', supabaseDirectory);
    const migration = isSquashed
      ? squashedMigration(declared)
      : await nextMigration(supabaseDirectory, declared);
    const replaced = isSquashed ? present : [];
    const files = new Map(fileNames(migration, name, versionAfter(present)));
    if (files.size > 0) await prove(supabaseDirectory, files, replaced, declared.ownerUrl);
    for (const file of replaced) rmSync(path.join(directory, file));
    for (const [file, text] of files) writeFileSync(path.join(directory, file), text);
    return { files: [...files.keys()], replaced, losses: migration.losses };
  });
}

/** A time to name a migration after: now, but never before one that is there, since they apply in order of names. */
function versionAfter(present: string[]): Date {
  const newest = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_/.exec(present.at(-1) ?? '');
  if (newest === null) return new Date();
  const [year, month, day, ...time] = newest.slice(1);
  return new Date(Math.max(Date.now(), Date.parse(`${year}-${month}-${day}T${time.join(':')}Z`) + 1000));
}

function fileNames({ texts }: Migration, name: string, first: Date): [string, string][] {
  return texts.map((text, index) => {
    const at = new Date(first.getTime() + index * 1000).toISOString();
    const suffix = texts.length === 1 ? '' : `_${index + 1}`;
    return [`${at.slice(0, 19).replace(/\D/g, '')}_${name}${suffix}.sql`, text];
  });
}

async function prove(
  supabaseDirectory: string,
  files: Map<string, string>,
  replaced: string[],
  declaredUrl: string,
): Promise<void> {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'opine-proof-'));
  try {
    const copy = path.join(parent, 'supabase');
    for (const entry of ['config.toml', 'migrations']) {
      cpSync(path.join(supabaseDirectory, entry), path.join(copy, entry), { recursive: true });
    }
    for (const file of replaced) rmSync(path.join(copy, 'migrations', file));
    for (const [file, text] of files) writeFileSync(path.join(copy, 'migrations', file), text);
    const drift = await driftFrom(copy, declaredUrl);
    if (drift.length > 0) throw new Error(`The migration does not lead to the schemas:\n${drift.join('\n')}`);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
