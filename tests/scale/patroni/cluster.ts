import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../../../scripts/db/paths.ts';
import { type ClusterUrls, SUPERUSER } from '../../../scripts/local/postgres.ts';

const OPS = path.join(ROOT, 'ops/patroni');

/** The root folder that .ci/patroni unpacks, and the id of its user `postgres`. */
const SYSTEM = path.join(ROOT, 'node_modules/.cache/patroni');
const POSTGRES_ID = 5432;
const HAPROXY_CONFIG = '/tmp/haproxy.cfg';

/** The addresses in ops/patroni. The network namespace of test:cluster has no other network. */
const ADDRESSES = ['10.0.0.11', '10.0.0.12', '10.0.0.13'];
const HAPROXY = '10.0.0.20';
const PRIMARY_PORT = 5000;
const BRIDGE = 'opine';

const TIMEOUT_MS = 180_000;

/** A node with etcd, Patroni and Postgres in namespaces of their own. Its data outlives it. */
export interface Node {
  readonly name: string;
  readonly address: string;
  start(): Promise<void>;
  /** Kills all processes of the node at once, as a power failure does. */
  kill(): Promise<void>;
  /** Kills the first process of Postgres. */
  killPostgres(): void;
  /** Cuts the network between the node and all others. */
  disconnect(): void;
  reconnect(): void;
  /** Runs a program on the node as root. @returns its output */
  run(...command: readonly string[]): string;
}

/** Three nodes of Patroni behind HAProxy, with the files of ops/patroni. */
export interface PatroniCluster extends ClusterUrls {
  readonly nodes: readonly Node[];
  /** Returns the URLs of all nodes, past HAProxy. */
  nodeUrls(role: string, database: string): string[];
  /** Waits for a primary and returns its node. @param except a node that is not waited for */
  primary(except?: Node): Promise<Node>;
  /** Waits until both standbys stream from the primary, so that either may take over. */
  healthy(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the cluster, and waits until it is healthy; the caller stops it. @param password of all its logins */
export async function startPatroniCluster(password: string): Promise<PatroniCluster> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-patroni-'));
  chmodSync(folder, 0o755);
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('link', 'set', BRIDGE, 'up');
  for (const address of ['10.0.0.1', HAPROXY]) ip('address', 'add', `${address}/24`, 'dev', BRIDGE);
  const nodes = ADDRESSES.map((address, index) => createNode(`node${index + 1}`, address, folder, password));
  const haproxy = startHaproxy(folder);
  const urlAs = (role: string, rolePassword: string, database = 'postgres') =>
    `postgresql://${role}:${rolePassword}@${HAPROXY}:${PRIMARY_PORT}/${database}`;
  const cluster: PatroniCluster = {
    nodes,
    url: (database) => urlAs(SUPERUSER, password, database),
    urlAs,
    nodeUrls: (role, database) =>
      ADDRESSES.map((address) => `postgresql://${role}:${password}@${address}:5432/${database}`),
    primary: (except) =>
      eventually('a primary', async () => {
        const others = nodes.filter((node) => node !== except);
        const found = await Promise.all(others.map(async (node) => ((await isPrimary(node)) ? [node] : [])));
        return found.flat()[0];
      }),
    healthy: async () => {
      await eventually('two standbys', async () => {
        const members = await membersOf(await cluster.primary());
        const standbys = members.filter(
          ({ role, state }) => role === 'quorum_standby' && state === 'streaming',
        );
        return standbys.length === 2 || undefined;
      });
    },
    stop: async () => {
      haproxy.kill('SIGKILL');
      await Promise.all(nodes.map((node) => node.kill()));
      ip('link', 'delete', BRIDGE);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all(nodes.map((node) => node.start()));
    await cluster.healthy();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

function startHaproxy(folder: string): ChildProcess {
  writeFileSync(path.join(SYSTEM, HAPROXY_CONFIG), readFileSync(path.join(OPS, 'haproxy.cfg')));
  const log = openSync(path.join(folder, 'haproxy.log'), 'a');
  return spawn('chroot', [SYSTEM, 'haproxy', '-db', '-f', HAPROXY_CONFIG], { stdio: ['ignore', log, log] });
}

function createNode(name: string, address: string, parent: string, password: string): Node {
  const folder = path.join(parent, name);
  const link = `opine-${name}`;
  mkdirSync(folder);
  for (const file of ['patroni.yml', 'etcd.yml'])
    writeFileSync(path.join(folder, file), configOf(file, name, address));
  for (const entry of ['.', 'patroni.yml', 'etcd.yml'])
    chownSync(path.join(folder, entry), POSTGRES_ID, POSTGRES_ID);
  const log = openSync(path.join(folder, 'node.log'), 'a');
  let outer: ChildProcess | undefined;

  /** Returns the id of the node's first process, which `unshare` forked. */
  function initId(): string {
    const children = readFileSync(`/proc/${outer?.pid}/task/${outer?.pid}/children`, 'utf8');
    return children.trim();
  }

  const node: Node = {
    name,
    address,
    start: async () => {
      const script = path.join(import.meta.dirname, 'node.sh');
      const namespaces = ['--net', '--pid', '--mount', '--fork', '--kill-child=SIGKILL'];
      const env = {
        PATH: process.env.PATH,
        PATRONI_SUPERUSER_PASSWORD: password,
        PATRONI_REPLICATION_PASSWORD: password,
        PATRONI_REWIND_PASSWORD: password,
      };
      outer = spawn('unshare', [...namespaces, script, SYSTEM, folder, address], {
        env,
        stdio: ['ignore', log, log],
      });
      const { pid } = outer;
      const own = readlinkSync('/proc/self/ns/net');
      await eventually(
        'a network namespace',
        async () => readlinkSync(`/proc/${pid}/ns/net`) !== own || undefined,
      );
      ip('link', 'add', 'name', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
      ip('link', 'set', link, 'master', BRIDGE, 'up');
    },
    kill: async () => {
      if (outer === undefined || outer.exitCode !== null || outer.signalCode !== null) return;
      const ended = once(outer, 'close');
      outer.kill('SIGKILL');
      await ended;
      // The kernel removes the namespace, and with it the link, a moment after its last process.
      await eventually('the end of the link', async () => !linkExists(link) || undefined);
    },
    killPostgres: () => {
      const [id = ''] = readFileSync(path.join(folder, '17/opine/postmaster.pid'), 'utf8').split('\n');
      node.run('kill', '-KILL', id);
    },
    disconnect: () => ip('link', 'set', link, 'down'),
    reconnect: () => ip('link', 'set', link, 'up'),
    run: (...command) =>
      execFileSync(
        'nsenter',
        [`--target=${initId()}`, '--net', '--pid', '--mount', 'chroot', SYSTEM, ...command],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
      ),
  };
  return node;
}

/** Returns a file of ops/patroni for a node: the lines with the name and the address of the first are its own. */
function configOf(file: string, name: string, address: string): string {
  return readFileSync(path.join(OPS, file), 'utf8')
    .replace('name: node1\n', `name: ${name}\n`)
    .replaceAll(/(?<=(listen|address|urls): \S*)10\.0\.0\.11(?=:)/g, address);
}

async function isPrimary({ address }: Node): Promise<boolean> {
  return (await ask(address, '/primary')) !== null;
}

interface Member {
  readonly role: string;
  readonly state: string;
}

async function membersOf({ address }: Node): Promise<readonly Member[]> {
  const cluster = await ask(address, '/cluster');
  return cluster === null ? [] : JSON.parse(cluster).members;
}

/** Asks Patroni on a node; null if it does not answer 200 within a second. */
async function ask(address: string, route: string): Promise<string | null> {
  try {
    const response = await fetch(`http://${address}:8008${route}`, { signal: AbortSignal.timeout(1_000) });
    const text = await response.text();
    return response.ok ? text : null;
  } catch {
    return null;
  }
}

/** Repeats a look until it returns something. @throws Error after three minutes */
async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  while (!timeout.aborted) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(100);
  }
  throw new Error(`There is no sign of ${what} after three minutes.`);
}

function linkExists(link: string): boolean {
  try {
    ip('link', 'show', link);
    return true;
  } catch {
    return false;
  }
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' });
}
