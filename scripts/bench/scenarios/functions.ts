import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { importSigningKeys } from '../../../src/auth/signing-keys.ts';
import type { Environment } from '../../../src/config.ts';
import { SUPABASE_DIRECTORY } from '../../db/paths.ts';
import {
  buildFunctions,
  DENO_PACKAGES,
  type EdgeFunction,
  startEdgeFunction,
} from '../../local/edge-function.ts';
import { declaredBuckets } from '../../local/storage/buckets.ts';
import { startStorage } from '../../local/storage/server.ts';
import { createBearers, HASH_SECRET, PENDING_VOTE_KEY } from '../api.ts';
import { detailsOf } from '../photos.ts';
import { ISSUER } from '../population.ts';
import { median, print, printTable } from '../rounds.ts';
import type { World } from '../world.ts';

/** Columns with Supabase's limits of a function; the limit of the boot is ours. */
const COLUMNS: readonly (readonly [heading: string, limit: number | null, digits: number])[] = [
  ['boot, ms', 1_000, 0],
  ['CPU a request, ms', 2_000, 1],
  ['peak memory, MB', 256, 0],
  ['bundle, kB', 5_000, 0],
  ['gzipped, kB', null, 0],
];

const BOOTS = 7;
const PUSH_SECRET = 'a-secret-of-benchmarks-long-enough-to-be-one';
const STORAGE_KEY = 'a secret key of benchmarks';
/** A photo of most phones, and the largest that a function decodes. */
const PHOTOS = [
  { width: 4000, height: 3000 },
  { width: 3264, height: 2448 },
];

/** Requests to a function, prepared first and then sent one after the other. */
interface Work {
  readonly title: string;
  readonly name: 'api' | 'push' | 'upkeep';
  readonly count: number;
  prepare(url: string): Promise<Request>;
}

const taskCall = (name: 'push' | 'upkeep'): Work => ({
  title: `${name}: a call`,
  name,
  count: 300,
  prepare: async (url) =>
    new Request(`${url}/${name}`, { method: 'POST', headers: { Authorization: `Bearer ${PUSH_SECRET}` } }),
});

/** Measures the edge functions against the limits of the platform, on each Deno version of the tests. */
export async function functions(world: World): Promise<void> {
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
    HASH_SECRET,
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
  const uploads = PHOTOS.map(async (size): Promise<Work> => {
    const photo = new Uint8Array(await detailsOf(size).jpeg({ quality: 90 }).toBuffer());
    return {
      title: `api: an upload of a photo, ${size.width} × ${size.height}, completed`,
      name: 'api',
      count: 5,
      prepare: (url) => preparedUpload(`${url}/api/v1`, photo),
    };
  });
  const works: readonly Work[] = [
    {
      title: 'api: a page of the feed',
      name: 'api',
      count: 300,
      prepare: async (url) =>
        new Request(`${url}/api/v1/posts`, { headers: { Authorization: `Bearer ${bearer}` } }),
    },
    ...(await Promise.all(uploads)),
    taskCall('push'),
    taskCall('upkeep'),
  ];
  const rows: string[][] = [];
  try {
    for (const deno of DENO_PACKAGES) {
      for (const work of works) {
        const figures = [...(await measureWork(work, deno, env)), ...sizesOf(work)];
        const cells = COLUMNS.map(([, limit, digits], column) => {
          const text = (figures[column] ?? Number.NaN).toFixed(digits);
          return limit === null || Number(text) <= limit ? text : `${text} MISSED`;
        });
        rows.push([deno, work.title, ...cells]);
        print(`functions: ${work.title}, on ${deno}`);
      }
    }
  } finally {
    await storage.stop();
  }
  const headings = COLUMNS.map(([heading, limit]) => (limit === null ? heading : `${heading} (${limit})`));
  printTable(['npm package', 'work', ...headings], rows);
}

/** Measures the boot until the function listens, CPU per request, and peak memory. */
async function measureWork(work: Work, deno: string, env: Environment): Promise<number[]> {
  const boots: number[] = [];
  for (let boot = 0; boot < BOOTS; boot += 1) {
    const startedAt = performance.now();
    const running = await startEdgeFunction(env, { deno, name: work.name });
    boots.push(performance.now() - startedAt);
    await running.stop();
  }
  const running = await startEdgeFunction(env, { deno, name: work.name });
  try {
    // The first request compiles the code of the others.
    await send(await work.prepare(running.url), running);
    const requests: Request[] = [];
    while (requests.length < work.count) requests.push(await work.prepare(running.url));
    const before = cpuMsOf(running.pid);
    for (const request of requests) await send(request, running);
    const cpuMs = (cpuMsOf(running.pid) - before) / work.count;
    return [median(boots), cpuMs, peakMemoryMbOf(running.pid)];
  } finally {
    await running.stop();
  }
}

async function send(request: Request, { log }: EdgeFunction): Promise<void> {
  const answer = await fetch(request);
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`${request.url} answered ${answer.status}: ${log()}`);
}

/** Uploads a photo of a new user, and returns the request that completes the upload. */
async function preparedUpload(api: string, photo: Uint8Array<ArrayBuffer>): Promise<Request> {
  const request = (method: string, route: string, token: string | null, body: object) =>
    new Request(api + route, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
  const call = async (...args: Parameters<typeof request>) => {
    const answer = await fetch(request(...args));
    if (!answer.ok) throw new Error(`${args[1]} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const deviceId = crypto.randomUUID();
  const username = `photo_${deviceId.slice(0, 8)}`;
  const { accessToken } = await call('POST', '/auth/anonymous/session', null, { deviceId });
  const basics = { fullName: 'A New User', username, termsAccepted: true };
  await call('PUT', '/users/me/onboarding/profile-basics', accessToken, basics);
  const announced = { purpose: 'post_image', contentType: 'image/jpeg', sizeBytes: photo.length };
  const { uploadId, uploadUrl, headers } = await call('POST', '/uploads/presign', accessToken, announced);
  await fetch(uploadUrl, { method: 'PUT', headers, body: photo });
  const checksum = createHash('sha256').update(photo).digest('hex');
  return request('POST', '/uploads/complete', accessToken, { uploadId, purpose: 'post_image', checksum });
}

/** Returns the size of the bundle and the gzipped size. */
function sizesOf({ name }: Work): number[] {
  const bundle = name === 'api' ? 'api/app.js' : `${name}/tasks.js`;
  const file = path.join(SUPABASE_DIRECTORY, 'functions', bundle);
  const bundleBytes = readFileSync(file);
  return [bundleBytes.length / 1000, gzipSync(bundleBytes).length / 1000];
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
