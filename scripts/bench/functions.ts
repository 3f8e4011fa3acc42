import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { SUPABASE_DIRECTORY } from '../db/paths.ts';
import {
  buildFunctions,
  DENO_PACKAGES,
  type EdgeFunction,
  startEdgeFunction,
} from '../local/edge-function.ts';
import { PENDING_VOTE_KEY } from './api.ts';
import { createBearers, ISSUER } from './bearers.ts';
import { markdownTable } from './markdown.ts';
import { median } from './rates.ts';
import type { World } from './world.ts';

const BOOTS = 7;
const REQUESTS = 300;

/** What Supabase gives a function: CPU a request, and memory. */
const BUDGET = { cpuMs: 2_000, memoryMb: 256 };

const FUNCTIONS = [
  { name: 'api', bundle: 'api/app.js', request: '/api/v1/posts', method: 'GET' },
  { name: 'push', bundle: 'push/tasks.js', request: '/push', method: 'POST' },
  { name: 'upkeep', bundle: 'upkeep/tasks.js', request: '/upkeep', method: 'POST' },
] as const;

/** Measures the edge functions against the limits of the platform, on each Deno that they are tested on. */
async function measure(world: World, print: (text: string) => void): Promise<void> {
  await buildFunctions();
  const database = await world.createDatabase();
  const { signingKey, tokenOf } = await createBearers();
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: database.urlAs('opine_gateway'),
    JWT_SIGNING_KEYS: JSON.stringify([signingKey]),
    HASH_SECRET: 'a secret of benchmarks, long enough to be one',
    SUPABASE_URL: new URL('/', ISSUER).href,
    SUPABASE_SECRET_KEY: 'unused',
    SMS_PROVIDER: 'console',
    PENDING_VOTE_KEY,
    APP_URL: ISSUER,
    APP_LOGO_URL: ISSUER,
    TERMS_URL: ISSUER,
    PRIVACY_URL: ISSUER,
    PUSH_SECRET: 'a-secret-of-benchmarks-long-enough-to-be-one',
  };
  const bearers = { api: await tokenOf(0), push: env.PUSH_SECRET, upkeep: env.PUSH_SECRET };
  const rows: string[][] = [];
  for (const deno of DENO_PACKAGES) {
    for (const edgeFunction of FUNCTIONS) {
      const { name, bundle } = edgeFunction;
      const start = () => startEdgeFunction(env, { deno, name });
      const figures = await measureFunction(start, (running) => send(running, edgeFunction, bearers[name]));
      rows.push([deno, name, ...figures, ...sizesOf(bundle)]);
      print(`functions: ${name} on ${deno}`);
    }
  }
  const table = markdownTable(
    [
      'npm package',
      'function',
      'boot to first answer, ms',
      'CPU a request, ms',
      'peak memory, MB',
      'bundle, kB',
      'gzipped, kB',
    ],
    rows,
  );
  print(`\n${table}\n\nLimits: ${BUDGET.cpuMs} ms of CPU a request, ${BUDGET.memoryMb} MB.\n`);
}

/** Sends the function one request of its kind, and throws where the answer is no success. */
async function send(
  { url, log }: EdgeFunction,
  { name, request, method }: (typeof FUNCTIONS)[number],
  bearer: string,
): Promise<void> {
  const answer = await fetch(url + request, { method, headers: { Authorization: `Bearer ${bearer}` } });
  await answer.text();
  if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${log()}`);
}

/** Returns the median milliseconds from its start to the first answer, those of CPU a request, and the peak memory in MB. */
async function measureFunction(
  start: () => Promise<EdgeFunction>,
  sendTo: (running: EdgeFunction) => Promise<void>,
): Promise<string[]> {
  const boots: number[] = [];
  for (let boot = 0; boot < BOOTS; boot += 1) {
    const startedAt = performance.now();
    const running = await start();
    await sendTo(running);
    boots.push(performance.now() - startedAt);
    await running.stop();
  }
  const running = await start();
  await sendTo(running);
  const before = cpuMsOf(running.pid);
  for (let sent = 0; sent < REQUESTS; sent += 1) await sendTo(running);
  const cpuMs = (cpuMsOf(running.pid) - before) / REQUESTS;
  const memoryMb = peakMemoryMbOf(running.pid);
  await running.stop();
  return [median(boots).toFixed(0), cpuMs.toFixed(1), memoryMb.toFixed(0)];
}

function sizesOf(bundle: string): string[] {
  const file = path.join(SUPABASE_DIRECTORY, 'functions', bundle);
  return [statSync(file).size, gzipSync(readFileSync(file)).length].map((bytes) => (bytes / 1000).toFixed(0));
}

// Linux counts CPU time in hundredths of a second.
function cpuMsOf(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) * 10;
}

function peakMemoryMbOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}

/** The edge functions: boot, CPU a request, memory and size. */
export const functions = { name: 'functions', measure };
