import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { createVitest, type Vitest } from 'vitest/node';
import { ROOT } from '../../scripts/db/paths.ts';
import { runScript } from '../../scripts/db/run-script.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { SUPERUSER } from '../../scripts/local/postgres.ts';
import { installTools } from '../../scripts/tools.ts';
import { TEMPLATE } from '../support/cluster.ts';
import { redefinitions } from '../support/mutations.ts';
import { installPgtap, runTap } from '../support/pgtap.ts';
import { WITHOUT_AUTOVACUUM } from '../support/plans.ts';
import { shareOf } from '../support/shares.ts';
import type { Fault } from './fault.ts';
import { SCHEMA_FAULTS } from './schema-faults.ts';
import { SRC_FAULTS } from './src-faults.ts';

const PGTAP_DATABASE = 'mutated';
/** A fault may let a test wait for ever. */
const TIMEOUT_MS = 60_000;

/** Puts faults into a copy of the repository and its databases, one at a time, and runs the file that notices each. */
class Mutants {
  private readonly vitest: Vitest;
  private readonly tree: string;
  /** The files that pass without a fault, at the second attempt on a machine that is too busy for the first. */
  private readonly sound = new Set<string>();

  private constructor(vitest: Vitest, tree: string) {
    this.vitest = vitest;
    this.tree = tree;
  }

  static async open(): Promise<Mutants> {
    const tree = copyOfTree();
    const options = {
      root: tree,
      watch: false,
      bail: 1,
      reporters: [],
      testTimeout: TIMEOUT_MS,
      hookTimeout: TIMEOUT_MS,
    };
    const vitest = await createVitest('test', options);
    await vitest.standalone();
    const mutants = new Mutants(vitest, tree);
    // The first run starts the cluster.
    await mutants.expectSound('tests/db/words.test.ts');
    await mutants.execute('postgres', `create database ${PGTAP_DATABASE} template ${TEMPLATE}`);
    await installPgtap(mutants.urlOf(PGTAP_DATABASE));
    await mutants.execute(PGTAP_DATABASE, WITHOUT_AUTOVACUUM);
    return mutants;
  }

  async close(): Promise<void> {
    await this.vitest.close();
    rmSync(this.tree, { recursive: true });
  }

  /** @throws Error if the file fails without the fault too */
  async isNoticed(fault: Fault): Promise<boolean> {
    await this.expectSound(fault.noticedBy);
    if (fault.in.startsWith('src/')) return this.failsWithFile(fault);
    return fault.noticedBy.startsWith('supabase/') ? this.failsInPgtap(fault) : this.failsWithTemplate(fault);
  }

  private async expectSound(file: string): Promise<void> {
    if (this.sound.has(file)) return;
    const fails = () => (file.startsWith('supabase/') ? this.failsInTap(file) : this.failsInVitest(file));
    if ((await fails()) && (await fails())) throw new Error(`${file} fails without a fault.`);
    this.sound.add(file);
  }

  private async failsWithFile({ in: file, clause, instead, noticedBy }: Fault): Promise<boolean> {
    const mutated = path.join(this.tree, file);
    const text = readFileSync(mutated, 'utf8');
    if (text.split(clause).length !== 2) throw new Error(`${file} must contain exactly one: ${clause}`);
    const write = (content: string) => {
      writeFileSync(mutated, content);
      this.vitest.invalidateFile(mutated);
    };
    write(text.replace(clause, () => instead));
    try {
      return await this.failsInVitest(noticedBy);
    } finally {
      write(text);
    }
  }

  private async failsWithTemplate({ in: object, clause, instead, noticedBy }: Fault): Promise<boolean> {
    const { mutate, restore } = redefinitions([object, clause, instead]);
    await this.alterTemplate(mutate);
    try {
      return await this.failsInVitest(noticedBy);
    } finally {
      await this.alterTemplate(restore);
    }
  }

  /** Opens the template for a moment: Postgres copies none that somebody, such as autovacuum, is connected to. */
  private async alterTemplate(sql: string): Promise<void> {
    await this.execute('postgres', `alter database ${TEMPLATE} with allow_connections true`);
    await this.execute(TEMPLATE, sql);
    await this.execute('postgres', `alter database ${TEMPLATE} with allow_connections false`);
  }

  private async failsInPgtap({ in: object, clause, instead, noticedBy }: Fault): Promise<boolean> {
    const { mutate, restore } = redefinitions([object, clause, instead]);
    await this.execute(PGTAP_DATABASE, mutate);
    try {
      return await this.failsInTap(noticedBy);
    } finally {
      await this.execute(PGTAP_DATABASE, restore);
    }
  }

  private async failsInTap(file: string): Promise<boolean> {
    const client = new pg.Client({
      connectionString: this.urlOf(PGTAP_DATABASE),
      statement_timeout: TIMEOUT_MS,
    });
    await client.connect();
    try {
      const sql = readFileSync(path.join(ROOT, file), 'utf8');
      const problems = await runTap(client, sql).catch((error: unknown) => [error]);
      return problems.length > 0;
    } finally {
      await client.end();
    }
  }

  private async failsInVitest(file: string): Promise<boolean> {
    const specification = this.vitest.getRootProject().createSpecification(path.join(this.tree, file));
    const { testModules, unhandledErrors } = await this.vitest.runTestSpecifications([specification]);
    // Vitest returns the modules of earlier runs too.
    const [module] = testModules.filter(({ moduleId }) => moduleId === specification.moduleId);
    return unhandledErrors.length > 0 || module?.ok() !== true;
  }

  private execute(database: string, sql: string): Promise<unknown> {
    return withClient(this.urlOf(database), (client) => client.query(sql));
  }

  private urlOf(database: string): string {
    const { port, password } = this.vitest.getRootProject().getProvidedContext().postgres;
    return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
  }
}

/** Copies the repository, without what it installs, to a temporary folder. */
function copyOfTree(): string {
  const tree = mkdtempSync(path.join(os.tmpdir(), 'opine-mutants-'));
  const isCopied = (source: string) => !['.git', '.local', 'node_modules'].includes(path.basename(source));
  cpSync(ROOT, tree, { recursive: true, filter: isCopied });
  for (const packages of ['node_modules', 'tools/node_modules']) {
    symlinkSync(path.join(ROOT, packages), path.join(tree, packages));
  }
  return tree;
}

/** Prints a line for each fault of a share of the lists, by default all of them. */
runScript(async () => {
  const faults = shareOf([...SCHEMA_FAULTS, ...SRC_FAULTS], Number(process.argv[2] ?? 1));
  installTools();
  const mutants = await Mutants.open();
  const survivors: Fault[] = [];
  try {
    for (const fault of faults) {
      const start = performance.now();
      const isNoticed = await mutants.isNoticed(fault);
      if (!isNoticed) survivors.push(fault);
      const seconds = ((performance.now() - start) / 1_000).toFixed(1);
      process.stdout.write(
        `${isNoticed ? 'noticed ' : 'SURVIVED'} ${seconds.padStart(5)} s  ${describe(fault)}\n`,
      );
    }
  } finally {
    await mutants.close();
  }
  process.stdout.write(`${faults.length} faults, ${survivors.length} survived\n`);
  if (survivors.length > 0) process.exitCode = 1;
});

function describe({ in: place, clause, instead }: Fault): string {
  return `${place}: ${JSON.stringify(clause)} -> ${JSON.stringify(instead)}`;
}
