import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import encodeJpeg, { init as initJpeg } from '@jsquash/jpeg/encode.js';
import { importSigningKeys } from '../../src/auth/signing-keys.ts';
import type { Environment } from '../../src/config.ts';
import { ROOT, SUPABASE_DIRECTORY } from '../db/paths.ts';
import {
  buildFunctions,
  DENO_PACKAGES,
  type EdgeFunction,
  startEdgeFunction,
} from '../local/edge-function.ts';
import { declaredBuckets } from '../local/storage/buckets.ts';
import { startStorage } from '../local/storage/server.ts';
import { PENDING_VOTE_KEY } from './api.ts';
import { createBearers, ISSUER } from './bearers.ts';
import { markdownTable } from './markdown.ts';
import { median } from './rates.ts';
import type { World } from './world.ts';

/** What Supabase gives a function: CPU a request, memory, the bundle by its API. Of the boot it says nothing: a goal of ours. */
const LIMITS = { bootMs: 1_000, cpuMs: 2_000, memoryMb: 256, bundleKb: 5_000 };

const BOOTS = 7;
const PUSH_SECRET = 'a-secret-of-benchmarks-long-enough-to-be-one';
const STORAGE_KEY = 'a secret key of benchmarks';
const PHOTO = { width: 4000, height: 3000 };

/** Requests that a function is measured by: they are prepared first, then sent one after the other. */
interface Work {
  readonly title: string;
  readonly name: 'api' | 'push' | 'upkeep';
  readonly count: number;
  prepare(url: string): Promise<Request>;
}

const call = (name: 'push' | 'upkeep'): Work => ({
  title: `${name}: a call`,
  name,
  count: 300,
  prepare: async (url) =>
    new Request(`${url}/${name}`, { method: 'POST', headers: { Authorization: `Bearer ${PUSH_SECRET}` } }),
});

/** Measures the edge functions against the limits of the platform, on each Deno that they are tested on. */
async function measure(world: World, print: (text: string) => void): Promise<void> {
  await buildFunctions();
  const database = await world.createDatabase();
  const { signingKey, tokenOf } = await createBearers();
  const storage = await startStorage({
    directory: path.join(world.directory, 'storage'),
    secretKey: STORAGE_KEY,
    keys: (await importSigningKeys([signingKey])).published,
    buckets: declaredBuckets(),
  });
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: database.urlAs('opine_gateway'),
    JWT_SIGNING_KEYS: JSON.stringify([signingKey]),
    HASH_SECRET: 'a secret of benchmarks, long enough to be one',
    SUPABASE_URL: storage.url,
    SUPABASE_SECRET_KEY: STORAGE_KEY,
    SMS_PROVIDER: 'console',
    PENDING_VOTE_KEY,
    APP_URL: ISSUER,
    APP_LOGO_URL: ISSUER,
    TERMS_URL: ISSUER,
    PRIVACY_URL: ISSUER,
    PUSH_SECRET,
  };
  const bearer = await tokenOf(0);
  const photo = await aPhoto();
  const works: readonly Work[] = [
    {
      title: 'api: a page of the feed',
      name: 'api',
      count: 300,
      prepare: async (url) =>
        new Request(`${url}/api/v1/posts`, { headers: { Authorization: `Bearer ${bearer}` } }),
    },
    {
      title: 'api: an upload of a photo, 4000 × 3000, completed',
      name: 'api',
      count: 5,
      prepare: (url) => anUpload(`${url}/api/v1`, photo),
    },
    call('push'),
    call('upkeep'),
  ];
  const rows: string[][] = [];
  try {
    for (const deno of DENO_PACKAGES) {
      for (const work of works) {
        const figures = { ...(await measureWork(work, deno, env)), ...sizesOf(work) };
        rows.push([deno, work.title, ...cellsOf(figures)]);
        print(`functions: ${work.title}, on ${deno}`);
      }
    }
  } finally {
    await storage.stop();
  }
  const head = [
    'npm package',
    'work',
    `boot, ms (${LIMITS.bootMs})`,
    `CPU a request, ms (${LIMITS.cpuMs})`,
    `peak memory, MB (${LIMITS.memoryMb})`,
    `bundle, kB (${LIMITS.bundleKb})`,
    'gzipped, kB',
  ];
  print(`\n${markdownTable(head, rows)}\n`);
}

interface Figures {
  readonly bootMs: number;
  readonly cpuMs: number;
  readonly memoryMb: number;
  readonly bundleKb: number;
  readonly gzippedKb: number;
}

function cellsOf({ bootMs, cpuMs, memoryMb, bundleKb, gzippedKb }: Figures): string[] {
  const judged = (text: string, limit: number) => `${text}${Number(text) <= limit ? '' : ' MISSED'}`;
  return [
    judged(bootMs.toFixed(0), LIMITS.bootMs),
    judged(cpuMs.toFixed(1), LIMITS.cpuMs),
    judged(memoryMb.toFixed(0), LIMITS.memoryMb),
    judged(bundleKb.toFixed(0), LIMITS.bundleKb),
    gzippedKb.toFixed(0),
  ];
}

/** Returns the median milliseconds from the start of the function until it listens, those of CPU a request, and its peak memory in MB. */
async function measureWork(
  work: Work,
  deno: string,
  env: Environment,
): Promise<Pick<Figures, 'bootMs' | 'cpuMs' | 'memoryMb'>> {
  const boots: number[] = [];
  for (let boot = 0; boot < BOOTS; boot += 1) {
    const startedAt = performance.now();
    const running = await startEdgeFunction(env, { deno, name: work.name });
    boots.push(performance.now() - startedAt);
    await running.stop();
  }
  const running = await startEdgeFunction(env, { deno, name: work.name });
  try {
    // The first request compiles what the others use.
    await send(await work.prepare(running.url), running);
    const requests: Request[] = [];
    while (requests.length < work.count) requests.push(await work.prepare(running.url));
    const before = cpuMsOf(running.pid);
    for (const request of requests) await send(request, running);
    const cpuMs = (cpuMsOf(running.pid) - before) / work.count;
    return { bootMs: median(boots), cpuMs, memoryMb: peakMemoryMbOf(running.pid) };
  } finally {
    await running.stop();
  }
}

async function send(request: Request, { log }: EdgeFunction): Promise<void> {
  const answer = await fetch(request);
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${request.url} answered ${answer.status}: ${log()}`);
}

/** Uploads a photo of somebody new, and returns the request that completes it. */
async function anUpload(api: string, photo: Uint8Array<ArrayBuffer>): Promise<Request> {
  const request = (method: string, route: string, token: string | null, body: object) =>
    new Request(api + route, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
  const ask = async (...of: Parameters<typeof request>) => {
    const answer = await fetch(request(...of));
    if (!answer.ok) throw new Error(`${of[1]} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const deviceId = crypto.randomUUID();
  const username = `photo_${deviceId.slice(0, 8)}`;
  const { accessToken } = await ask('POST', '/auth/anonymous/session', null, { deviceId });
  const basics = { fullName: 'Somebody New', username, termsAccepted: true };
  await ask('PUT', '/users/me/onboarding/profile-basics', accessToken, basics);
  const announced = { purpose: 'post_image', contentType: 'image/jpeg', sizeBytes: photo.length };
  const { uploadId, uploadUrl, headers } = await ask('POST', '/uploads/presign', accessToken, announced);
  await fetch(uploadUrl, { method: 'PUT', headers, body: photo });
  const checksum = createHash('sha256').update(photo).digest('hex');
  return request('POST', '/uploads/complete', accessToken, { uploadId, purpose: 'post_image', checksum });
}

/** A photo with details everywhere, as large as phones take them. */
async function aPhoto(): Promise<Uint8Array<ArrayBuffer>> {
  const wasm = path.join(ROOT, 'node_modules/@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm');
  await initJpeg(await WebAssembly.compile(readFileSync(wasm)));
  const data = new Uint8ClampedArray(PHOTO.width * PHOTO.height * 4);
  for (let at = 0; at < data.length; at += 4) {
    const [x, y] = [(at / 4) % PHOTO.width, Math.floor(at / 4 / PHOTO.width)];
    data.set([128 + 100 * Math.sin(x / 9), 128 + 100 * Math.sin(y / 7), ((x * y) / 16) % 256, 255], at);
  }
  return new Uint8Array(await encodeJpeg({ ...PHOTO, data } as ImageData, { quality: 90 }));
}

function sizesOf({ name }: Work): Pick<Figures, 'bundleKb' | 'gzippedKb'> {
  const bundle = name === 'api' ? 'api/app.js' : `${name}/tasks.js`;
  const file = path.join(SUPABASE_DIRECTORY, 'functions', bundle);
  return { bundleKb: statSync(file).size / 1000, gzippedKb: gzipSync(readFileSync(file)).length / 1000 };
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
