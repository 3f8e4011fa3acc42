import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../scripts/db/paths.ts';
import { type InstalledClient, run } from './client-package.ts';

/** Where `.ci/react-native` installs the toolchain. */
const TOOLS = path.join(ROOT, 'node_modules/.cache/react-native');
const MODULES = path.join(TOOLS, 'node_modules');
const HERMESC = path.join(MODULES, 'react-native/sdks/hermesc/linux64-bin/hermesc');
// The last Hermes on npm that runs programs for Linux. It is older than React Native's, so it has less of JavaScript.
const HERMES = path.join(MODULES, 'hermes-engine-cli/linux64-bin/hermes');
const PHONE = path.join(ROOT, 'tests/generated/react-native/phone.js');

const TIMEOUT_MS = 60_000;

const CONFIG = {
  'babel.config.cjs': `module.exports = { presets: ['${MODULES}/@react-native/babel-preset'] };`,
  // The folders are watched because the tools, and what the client depends on, are not in the folder of the app.
  'metro.config.cjs': `
    const { getDefaultConfig, mergeConfig } = require(require.resolve('@react-native/metro-config', { paths: ['${TOOLS}'] }));
    module.exports = mergeConfig(getDefaultConfig(__dirname), {
      watchFolders: [__dirname, '${MODULES}', '${ROOT}/node_modules'],
      resolver: { nodeModulesPaths: [__dirname + '/node_modules', '${MODULES}'], useWatchman: false },
      cacheStores: [],
    });`,
};

/** An app as Metro bundles it. */
export interface Bundle {
  /** The file with the code. */
  readonly file: string;
  /** The bundled files. */
  readonly sources: readonly string[];
}

/** Bundles an app for Android with the defaults of React Native. @param code the module that Metro begins with */
export async function bundleApp({ folder }: InstalledClient, code: string): Promise<Bundle> {
  for (const [name, content] of Object.entries({ ...CONFIG, 'index.js': code })) {
    await writeFile(path.join(folder, name), content);
  }
  const options =
    '--config metro.config.cjs --platform android --dev false --minify false --source-map --out bundle';
  await run(path.join(MODULES, '.bin/metro'), ['build', 'index.js', ...options.split(' ')], folder);
  const file = path.join(folder, 'bundle.js');
  const { sources } = JSON.parse(await readFile(path.join(folder, 'bundle.map'), 'utf8'));
  return { file, sources };
}

/** Compiles a bundle to the bytecode that a release of the app has. Returns the file. */
export async function compile({ file }: Bundle): Promise<string> {
  const target = `${file}.hbc`;
  await run(HERMESC, ['-O', '-w', '-emit-binary', '-out', target, file], path.dirname(file));
  return target;
}

/** A request as React Native passes it to its native side. */
interface NativeRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: [string, string][];
  readonly body: { readonly string?: string; readonly base64?: string };
  readonly responseType: 'text' | 'blob';
  readonly isIncremental: boolean;
}

/**
 * Runs a bundle in Hermes, with React Native's own `fetch`, `XMLHttpRequest` and timers. This process is their native side.
 * @param start code that calls `phone.finish`
 * @returns what the app passes to `phone.finish`
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share what it holds.
export async function runInHermes({ file }: Bundle, start: string): Promise<unknown> {
  // Hermes has no input but its REPL, which evaluates line by line.
  const hermes = spawn(HERMES, ['-Xmicrotask-queue', '-prompt=', '-prompt2=']);
  const evaluate = (code: string) => hermes.stdin.write(`${code}\n`);
  const send = (name: 'emit' | 'resume' | 'keepBlob', ...args: unknown[]) =>
    evaluate(`phone.${name}(${args.map((arg) => JSON.stringify(arg)).join()}); 0`);
  /** Sends an event of a native module. */
  const emit = (name: string, event: unknown) => send('emit', name, event);
  const requests = new Map<number, AbortController>();
  const output: string[] = [];
  const ended = Promise.withResolvers<unknown>();

  const calls: Record<string, (...args: never[]) => unknown> = {
    log: (text: string) => output.push(text),
    finish: ended.resolve,
    startTimer: (id: number, ms: number) => setTimeout(() => send('resume', id), ms),
    digest: (id: number, base64: string) =>
      send('resume', id, createHash('sha256').update(base64, 'base64').digest('hex')),
    abortRequest: (id: number) => requests.get(id)?.abort(),
    sendRequest: async (id: number, request: NativeRequest) => {
      const abort = new AbortController();
      requests.set(id, abort);
      const error = await respond(id, request, abort.signal).catch(String);
      emit('didCompleteNetworkResponse', [id, error, false]);
    },
  };

  /** Sends a request. Returns null: no error. */
  async function respond(id: number, request: NativeRequest, signal: AbortSignal): Promise<null> {
    const { method, url, headers, body, responseType, isIncremental } = request;
    const bytes = body.base64 === undefined ? body.string : Buffer.from(body.base64, 'base64');
    const response = await fetch(url, {
      method,
      headers,
      signal,
      ...(bytes !== undefined && { body: bytes }),
    });
    if (bytes !== undefined) emit('didSendNetworkData', [id, bytes.length, bytes.length]);
    emit('didReceiveNetworkResponse', [id, response.status, Object.fromEntries(response.headers), url]);
    if (isIncremental && responseType === 'text') {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        emit('didReceiveNetworkIncrementalData', [id, chunk, 0, -1]);
      }
      return null;
    }
    const text = await response.text();
    if (responseType === 'blob') send('keepBlob', `blob-${id}`, text);
    const data = responseType === 'blob' ? { blobId: `blob-${id}`, offset: 0, size: text.length } : text;
    emit('didReceiveNetworkData', [id, data]);
    return null;
  }

  createInterface({ input: hermes.stdout }).on('line', (line) => {
    if (!line.startsWith('@')) return output.push(line);
    const [name, ...args] = JSON.parse(line.slice(1)) as [string, ...never[]];
    return calls[name]?.(...args);
  });
  hermes.stderr.on('data', (text) => output.push(String(text)));
  const timeout = setTimeout(() => hermes.kill(), TIMEOUT_MS);
  hermes.on('error', ended.reject);
  hermes.on('close', () => ended.reject(new Error(`Hermes ended:\n${output.join('\n')}`)));
  hermes.stdin.on('error', () => {});
  for (const source of [PHONE, file])
    evaluate(`(0, eval)(${JSON.stringify(await readFile(source, 'utf8'))}); 0`);
  evaluate(`${start}; 0`);
  try {
    return await ended.promise;
  } finally {
    clearTimeout(timeout);
    hermes.kill();
    for (const abort of requests.values()) abort.abort();
  }
}
