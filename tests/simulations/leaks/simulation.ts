/**
 * Simulation of non-members who search a Hub for secrets.
 * World: one Hub with secrets of every kind, and twelve callers, from guest to admin of another Hub (world.ts).
 * Nothing is random: every caller calls every operation with every candidate for each id (callsOf, candidates.ts).
 * Compared: no answer contains a secret (secretsIn, secrets.ts), and a hidden id gets the same answer as a
 * nonexistent one (differingAnswers).
 */

import type { z } from 'zod';
import { ROUTES } from '../../../src/domains/all.ts';
import { firstEventOf, isStream, type Json } from '../../support/client.ts';
import type { ApiDocument } from '../../support/document.ts';
import { LONG_AGO } from '../../support/replicas.ts';
import type { Caller } from './callers.ts';
import { type Candidate, NONEXISTENT_ITEM, type Slots, THE_HUB } from './candidates.ts';
import type { Secret } from './secrets.ts';

type Route = (typeof ROUTES)[number];

/** Parameters and fields with names like ids that hold no id of a Hub. */
const NO_IDS = new Set(
  'cursor limit sort unreadOnly deviceId idToken refreshToken notificationDeviceToken phoneNumber captchaToken appealToken'.split(
    ' ',
  ),
);

/** The fields that must accompany a field, unless the example has them. */
const COMPANIONS: Readonly<Record<string, object>> = { hubIds: { visibility: 'private_locked_hub' } };

const CANDIDATES = 'candidatesOf in tests/simulations/leaks/candidates.ts';
const TABLES = `${CANDIDATES}, or its name to NO_IDS in tests/simulations/leaks/simulation.ts`;

/** The number of concurrent requests of a caller. */
const AT_ONCE = 8;

export interface Call {
  /** The operation by method and path: `GET /hubs/{hubId}`. */
  readonly operation: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** The candidate of each parameter and field. */
  readonly slots: readonly (readonly [name: string, candidate: Candidate])[];
}

export interface Answer {
  readonly call: Call;
  readonly status: number;
  /** The raw body and headers. */
  readonly text: string;
  readonly body: Json;
}

/** Every operation that the mobile app can call. */
export const OPERATIONS = ROUTES.filter(({ auth, path }) => auth !== 'staff' && !path.startsWith('/admin/'));

/** Names an operation by method and path. */
export const operationOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

/** Returns every call of `route` with every candidate. */
export function callsOf(route: Route, caller: Caller, slots: Slots, document: ApiDocument): Call[] {
  const schema = document.paths[route.path][route.method].requestBody?.content['application/json'].schema;
  const { body } = route.example;
  const texts = schema === undefined ? [] : fieldsOf(document, schema);
  const fields = texts.filter((field) => holdsIds(route, field, slots));
  const takes = (name: string) => texts.some(({ path }) => path[0] === name);
  const companions = (name: string) =>
    Object.fromEntries(Object.entries(COMPANIONS[name] ?? {}).filter(([other]) => takes(other)));
  return addressesOf(route, caller, slots).flatMap((address) => [
    ...queriesOf(route, caller, slots).map((query) => ({
      ...address,
      path: address.path + query.text,
      body,
      slots: [...address.slots, ...query.slots],
    })),
    ...fields.flatMap(({ path, name }) =>
      candidatesFor(name, caller, slots).map((candidate) => ({
        ...address,
        body: withField({ ...Object(body), ...companions(name) }, path, candidate.value),
        slots: [...address.slots, [name, candidate] as const],
      })),
    ),
  ]);
}

/** Returns the paths of `route` with every candidate of each parameter. */
function addressesOf(route: Route, caller: Caller, slots: Slots): Call[] {
  const operation = operationOf(route);
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  let calls: Call[] = [{ operation, method: route.method.toUpperCase(), path: route.path, slots: [] }];
  for (const name of names) {
    if (!(name in slots)) throw new Error(`${operation}: add candidates for {${name}} to ${CANDIDATES}.`);
    const candidates = candidatesFor(name, caller, slots).filter(
      // With a nonexistent Hub, the other parameters do not matter.
      ({ what }) => name !== 'hubId' || names.length === 1 || what !== NONEXISTENT_ITEM,
    );
    calls = calls.flatMap((call) =>
      candidates.map((candidate) => ({
        ...call,
        path: call.path.replace(`{${name}}`, () => encodeURIComponent(String(candidate.value))),
        slots: [...call.slots, [name, candidate] as const],
      })),
    );
  }
  return calls;
}

/** Returns no query, each query with an id, and the shortest page. */
function queriesOf(route: Route, caller: Caller, slots: Slots): { text: string; slots: Call['slots'] }[] {
  const names = Object.keys((route.query as z.ZodObject | undefined)?.shape ?? {});
  const unknown = names.find((name) => !(name in slots) && !NO_IDS.has(name));
  if (unknown !== undefined)
    throw new Error(`${operationOf(route)}: add candidates for ?${unknown}= to ${TABLES}.`);
  const queries = names
    .filter((name) => name in slots)
    .flatMap((name) =>
      candidatesFor(name, caller, slots).map((candidate) => ({
        text: `?${new URLSearchParams({ [name]: String(candidate.value) })}`,
        slots: [[name, candidate] as const],
      })),
    );
  // A search requires its text.
  const searched = route.query?.safeParse({}).success ? '?' : `${queries[0]?.text}&`;
  const page = { text: `${searched}limit=1`, slots: [] };
  return [{ text: '', slots: [] }, ...queries, ...(names.includes('limit') ? [page] : [])];
}

function candidatesFor(name: string, caller: Caller, slots: Slots): Candidate[] {
  return slots[name]?.(caller) ?? [];
}

interface Field {
  readonly path: readonly string[];
  readonly name: string;
  readonly isId: boolean;
}

/** Returns the text fields of a body, nested ones included. */
function fieldsOf(document: ApiDocument, schema: Json, path: readonly string[] = [], name = ''): Field[] {
  const { anyOf, properties, items, type, format } = document.resolve(schema);
  if (anyOf) return anyOf.flatMap((part: Json) => fieldsOf(document, part, path, name));
  if (properties) {
    return Object.entries<Json>(properties).flatMap(([key, property]) =>
      fieldsOf(document, property, [...path, key], key),
    );
  }
  if (items) {
    const fields = fieldsOf(document, items, [...path, '0'], name);
    return fields.map((field) => (field.name === name ? { ...field, path } : field));
  }
  const isId = format === 'uuid' || /(Id|Ids|Link|Links|Token|Tokens|Number|Numbers)$|^token$/.test(name);
  return type === 'string' ? [{ path, name, isId }] : [];
}

function holdsIds(route: Route, { path, name, isId }: Field, slots: Slots): boolean {
  if (name in slots) return true;
  if (isId && !NO_IDS.has(name)) {
    throw new Error(`${operationOf(route)}: add candidates for the field ${path.join('.')} to ${TABLES}.`);
  }
  return false;
}

/** Returns `body` with `value` at `path`. */
function withField(body: Json, [name = '', ...rest]: readonly string[], value: unknown): Json {
  const inner = rest.length === 0 ? value : withField(body?.[name] ?? {}, rest, value);
  return Array.isArray(body) ? [inner] : { ...body, [name]: inner };
}

/** Sends the calls, a few at once, and returns the answers. */
export async function sendAll(url: string, caller: Caller, calls: readonly Call[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const open = calls.values();
  const sendRemaining = async () => {
    for (const call of open) answers.push(await send(url, caller, call));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendRemaining));
  return answers;
}

async function send(url: string, { accessToken }: Caller, call: Call): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${call.path}`, {
    method: call.method,
    headers: {
      'x-opine-position': LONG_AGO,
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await (isStream(response) ? firstEventOf(response) : response.text());
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return { call, status: response.status, text: [text, ...headers].join('\n'), body: JSON.parse(text) };
}

/** Returns the secrets in an answer that the call itself did not contain. */
export function secretsIn({ call, text }: Answer, secrets: readonly Secret[]): Secret[] {
  const sent = `${decodeURIComponent(call.path)} ${JSON.stringify(call.body)}`.toLowerCase();
  const shown = `${text}\n${unpacked(text)}`.toLowerCase();
  return secrets.filter(({ text: secret }) => {
    const word = secret.toLowerCase();
    const isUuid = /^[0-9a-f-]{36}$/.test(word);
    return (
      (shown.includes(word) || (isUuid && shown.includes(word.replaceAll('-', '')))) && !sent.includes(word)
    );
  });
}

/** Decodes each long word as base64, for cursors that contain secrets. */
function unpacked(text: string): string {
  const words = text.match(/[\w-]{20,}/g) ?? [];
  return words
    .map((word) => Buffer.from(word, 'base64url'))
    .map((bytes) => `${bytes.toString('latin1')}\n${bytes.toString('hex')}`)
    .join('\n');
}

/** Returns whether `caller` must get the same answer for the candidate as for a nonexistent id. */
function isHiddenFrom(caller: Caller, { slots, path }: Call, candidate: Candidate): boolean {
  if (candidate.hidden === 'no' || candidate.of.includes(caller.name)) return false;
  const isKnown =
    candidate.isElsewhere && caller.isElsewhere && slots.every(([, { what }]) => what !== THE_HUB);
  return !isKnown && (candidate.hidden === 'yes' || path.startsWith('/hubs/'));
}

/** Compares each call with a hidden id with the same call with a nonexistent id. */
export function differingAnswers(caller: Caller, answers: readonly Answer[]): string[] {
  const byDescription = new Map(answers.map((answer) => [describeCall(answer.call), answer]));
  return answers.flatMap((answer) =>
    answer.call.slots.flatMap(([name, candidate]) => {
      if (!isHiddenFrom(caller, answer.call, candidate)) return [];
      const twin = byDescription.get(describeCall(answer.call, name));
      if (twin === undefined)
        throw new Error(`${describeCall(answer.call)}: there is no such call with a nonexistent ${name}.`);
      const [one, other] = [answer, twin].map(
        ({ status, body }) => `${status} ${JSON.stringify(body.error ?? body.data)}`,
      );
      return one === other
        ? []
        : [`${describeCall(answer.call)}: ${one}, but ${other} with a nonexistent ${name}`];
    }),
  );
}

/** Describes a call; `replaced` names a parameter to describe as nonexistent. */
export function describeCall({ operation, slots, path }: Call, replaced?: string): string {
  const words = slots.map(([name, { what }]) => `${name}: ${name === replaced ? NONEXISTENT_ITEM : what}`);
  return `${operation} (${words.join(', ')})${path.includes('limit=1') ? ' with limit 1' : ''}`;
}
