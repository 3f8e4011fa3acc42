import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Bearers } from './bearers.ts';
import type { ApiRequest, Requests } from './comparison.ts';
import type { Load, Timing } from './load-process.ts';

const PROGRAM = path.join(import.meta.dirname, 'load-process.ts');

/** Keep-alive connections, more than the API's pool holds, so that the pool need not wait for the next request. */
const CONNECTIONS = 32;

/**
 * Lets the load generator, a process of its own, make a block of requests.
 * @returns the times of each, in the order of their answers
 * @throws Error where an answer is not the one expected
 */
export async function runLoad(
  { title, count, status, answerHolds, request }: Requests,
  run: {
    readonly port: number;
    readonly bearers: Bearers;
    readonly directory: string;
    /** The first number of the block. */
    readonly first: number;
    readonly connections?: number;
  },
): Promise<Timing[]> {
  const requests: string[] = [];
  for (let n = run.first; n < run.first + count; n += 1) {
    requests.push(await textOf(request(n), run.bearers));
  }
  const { port, connections = CONNECTIONS } = run;
  const load: Load = { port, connections, status, answerHolds, requests };
  const file = path.join(run.directory, 'load.json');
  writeFileSync(file, JSON.stringify(load));
  const child = spawn(process.execPath, [PROGRAM, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the load generator failed: ${title}`);
  return JSON.parse(output) as Timing[];
}

async function textOf({ method, path, user, issue, body }: ApiRequest, bearers: Bearers): Promise<string> {
  const json = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} /api/v1${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    ...(user === undefined ? [] : [`authorization: Bearer ${await bearers.tokenOf(user, issue)}`]),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${json.length}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${json}`;
}
