/**
 * Fuzz of every operation.
 * World: a Hub with secrets of every kind (tests/simulations/leaks), somebody who blocks callers, and five callers (world.ts).
 * Random: what parameters, fields and headers hold (requests.ts): texts that are odd or costly, forged cursors, ids of others (values.ts).
 * Checked: no answer is a 5xx, each is the envelope, none shows a secret, and none is slow when it is asked for again alone.
 * fast-check prints the seed and the request that failed.
 */

import fc from 'fast-check';
import { firstEventOf, isStream, readReply } from '../../support/client.ts';
import { secretsIn } from '../leaks/simulation.ts';
import { examplesOf, type Request, type Route, requestsOf } from './requests.ts';
import { type CallerName, createCaller, type FuzzCaller, type FuzzWorld } from './world.ts';

/** An ordinary answer takes a hundredth of this; what an odd text makes costly takes more, on any machine. */
const SLOW_MS = 1000;
/** A busy machine is slow now and then; a costly request is slow each time. */
const MEASUREMENTS = 4;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly milliseconds: number;
}

/** Sends every odd text and forged cursor once in each place of an operation. Returns what was answered wrongly. */
export async function problemsOfExamples(
  world: FuzzWorld,
  route: Route,
  name: CallerName,
): Promise<string[]> {
  const caller = await createCaller(world, name);
  const problems: string[] = [];
  for (const request of examplesOf(route, world.document, caller.known)) {
    const problem = await problemOf(world, route, caller, request);
    if (problem !== null) problems.push(`${describeRequest(request)}: ${problem}`);
  }
  return problems;
}

/** Sends random requests of an operation, one after the other. @throws Error for the first that is answered wrongly */
export async function fuzz(world: FuzzWorld, route: Route, name: CallerName, numRuns: number): Promise<void> {
  const caller = await createCaller(world, name);
  const requests = requestsOf(route, world.document, caller.known).map((request) => ({
    ...request,
    [fc.toStringMethod]: () => describeRequest(request),
  }));
  const property = fc.asyncProperty(requests, async (request) => {
    const problem = await problemOf(world, route, caller, request);
    if (problem !== null) throw new Error(`${describeRequest(request)}, by ${name}: ${problem}`);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
}

/** Sends a request, again without the rate limits if it meets one: a refusal would hide what the request does and costs. */
async function sendUnlimited({ opine }: FuzzWorld, caller: FuzzCaller, request: Request): Promise<Answer> {
  const answer = await send(opine.url, caller, request);
  if (answer.status !== 429) return answer;
  await opine.database.superuser.deleteFrom('app.rate_limits').execute();
  return send(opine.url, caller, request);
}

async function problemOf(
  world: FuzzWorld,
  route: Route,
  caller: FuzzCaller,
  request: Request,
): Promise<string | null> {
  const answer = await sendUnlimited(world, caller, request);
  if (answer.status >= 500) return `it answers ${answer.status}`;
  const envelope = await envelopeProblemOf(answer);
  if (envelope !== null) return envelope;
  const { text, status, headers } = answer;
  const shown = [text, ...[...headers].map(([header, value]) => `${header}: ${value}`)].join('\n');
  const call = {
    operation: '',
    method: request.method,
    path: request.path,
    body: sentIn(request),
    slots: [],
  };
  // With another bearer the caller is a guest, whom nobody blocks.
  const isGuest = 'authorization' in request.headers;
  const secrets = isGuest ? caller.secrets : [...caller.secrets, ...caller.hiddenByBlock];
  const [secret] = secretsIn({ call, status, text: shown, body: null }, secrets);
  // Staff may see the phone of an account.
  if (secret !== undefined && route.id !== 'unmask_phone') return `it shows ${secret.what}`;
  const fastest = await fastestOf(world, caller, request, answer.milliseconds);
  return fastest > SLOW_MS ? `it takes ${Math.round(fastest)} ms` : null;
}

/** A secret that the request holds itself is none. */
function sentIn({ body, headers }: Request): string {
  return `${body} ${Object.values(headers).join(' ')}`;
}

async function envelopeProblemOf({ status, text, headers }: Answer): Promise<string | null> {
  if (headers.get('content-type') === 'text/event-stream') return null;
  return readReply(new Response(text, { status, headers })).then(
    () => null,
    ({ message }: Error) => message,
  );
}

/** Returns the least time of a request, which is sent again where it was slow. */
async function fastestOf(
  world: FuzzWorld,
  caller: FuzzCaller,
  request: Request,
  milliseconds: number,
): Promise<number> {
  // A replay would cost nothing.
  const { 'idempotency-key': _, ...headers } = request.headers;
  let fastest = milliseconds;
  for (let count = 1; count < MEASUREMENTS && fastest > SLOW_MS; count += 1) {
    const again = await sendUnlimited(world, caller, { ...request, headers });
    fastest = Math.min(fastest, again.milliseconds);
  }
  return fastest;
}

async function send(url: string, caller: FuzzCaller, request: Request): Promise<Answer> {
  const start = performance.now();
  const response = await fetch(`${url}/api/v1${request.path}`, {
    method: request.method,
    headers: { ...caller.headers, ...request.headers },
    ...(request.body !== undefined && { body: request.body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  });
  const text = await (isStream(response) ? firstEventOf(response) : response.text());
  return {
    status: response.status,
    text,
    headers: response.headers,
    milliseconds: performance.now() - start,
  };
}

/** Describes a request. Characters that repeat are counted. */
function describeRequest({ method, path, body = '', headers }: Request): string {
  const text = `${method} ${path} ${body} ${JSON.stringify(headers)}`.replaceAll(
    /(.{1,18}?)\1{5,}/gsu,
    (whole, unit: string) => `${unit}{×${whole.length / unit.length}}`,
  );
  return JSON.stringify(text.slice(0, 2000));
}
