import type { z } from 'zod';
import { ROUTES } from '../../../src/domains/all.ts';
import type { Json } from '../../support/client.ts';
import type { ApiDocument } from '../../support/document.ts';
import { firstEventOf, isStream } from '../../support/first-event.ts';
import type { Caller } from './secret-hub-callers.ts';
import { type Candidate, NOBODYS, type Slots, THE_HUB } from './secret-hub-candidates.ts';
import type { Secret } from './secret-hub-secrets.ts';

type Route = (typeof ROUTES)[number];

/** Names of parameters and fields that look like those of ids and hold none of a Hub. */
const NO_IDS = new Set(
  'cursor limit sort unreadOnly deviceId idToken refreshToken notificationDeviceToken phoneNumber'.split(' '),
);

/** What has to be sent along with a field, where a body takes it and its example is at odds with that. */
const BESIDE: Readonly<Record<string, object>> = { hubIds: { visibility: 'private_locked_hub' } };

const CANDIDATES = 'candidatesOf in tests/simulations/leaks/secret-hub-candidates.ts';
const TABLES = `${CANDIDATES}, or its name to NO_IDS in tests/simulations/leaks/hub-leaks.ts`;

/** How many requests of one caller are under way at once. */
const AT_ONCE = 8;

/** One way to call an operation. */
export interface Ask {
  /** The operation by method and path: `GET /hubs/{hubId}`. */
  readonly operation: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  /** What stands where, by the names of parameters and fields. */
  readonly slots: readonly (readonly [name: string, candidate: Candidate])[];
}

/** What came of a call. */
export interface Answer {
  readonly ask: Ask;
  readonly status: number;
  /** The body and the headers as they came. */
  readonly text: string;
  readonly body: Json;
}

/** Every operation that the mobile app can call. */
export const OPERATIONS = ROUTES.filter(({ auth, path }) => auth !== 'staff' && !path.startsWith('/admin/'));

/** Names an operation by method and path. */
export const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

/** Every call of `route` that `caller` can make with what there is of the Hub. */
export function callsOf(route: Route, caller: Caller, slots: Slots, document: ApiDocument): Ask[] {
  const schema = document.paths[route.path][route.method].requestBody?.content['application/json'].schema;
  const { body } = route.example;
  const texts = schema === undefined ? [] : fieldsOf(document, schema);
  const fields = texts.filter((field) => holdsIds(route, field, slots));
  const takes = (name: string) => texts.some(({ path }) => path[0] === name);
  const besides = (name: string) =>
    Object.fromEntries(Object.entries(BESIDE[name] ?? {}).filter(([other]) => takes(other)));
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
        body: withField({ ...Object(body), ...besides(name) }, path, candidate.value),
        slots: [...address.slots, [name, candidate] as const],
      })),
    ),
  ]);
}

/** The path of `route` with everything that can stand for its parameters. */
function addressesOf(route: Route, caller: Caller, slots: Slots): Ask[] {
  const operation = nameOf(route);
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  let asks: Ask[] = [{ operation, method: route.method.toUpperCase(), path: route.path, slots: [] }];
  for (const name of names) {
    if (!(name in slots)) throw new Error(`${operation}: add candidates for {${name}} to ${CANDIDATES}.`);
    const candidates = candidatesFor(name, caller, slots).filter(
      // What is in no Hub at all is not looked for further.
      ({ what }) => name !== 'hubId' || names.length === 1 || what !== NOBODYS,
    );
    asks = asks.flatMap((ask) =>
      candidates.map((candidate) => ({
        ...ask,
        path: ask.path.replace(`{${name}}`, () => encodeURIComponent(String(candidate.value))),
        slots: [...ask.slots, [name, candidate] as const],
      })),
    );
  }
  return asks;
}

/** No query, each that holds an id, and the shortest page. */
function queriesOf(route: Route, caller: Caller, slots: Slots): { text: string; slots: Ask['slots'] }[] {
  const names = Object.keys((route.query as z.ZodObject | undefined)?.shape ?? {});
  const unknown = names.find((name) => !(name in slots) && !NO_IDS.has(name));
  if (unknown !== undefined)
    throw new Error(`${nameOf(route)}: add candidates for ?${unknown}= to ${TABLES}.`);
  const queries = names
    .filter((name) => name in slots)
    .flatMap((name) =>
      candidatesFor(name, caller, slots).map((candidate) => ({
        text: `?${new URLSearchParams({ [name]: String(candidate.value) })}`,
        slots: [[name, candidate] as const],
      })),
    );
  // A search is of something.
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

/** Every field of a body that holds text or texts, those within objects and lists too. */
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
    throw new Error(`${nameOf(route)}: add candidates for the field ${path.join('.')} to ${TABLES}.`);
  }
  return false;
}

/** `body` with `value` at `path`. */
function withField(body: Json, [name = '', ...rest]: readonly string[], value: unknown): Json {
  const inner = rest.length === 0 ? value : withField(body?.[name] ?? {}, rest, value);
  return Array.isArray(body) ? [inner] : { ...body, [name]: inner };
}

/** What is answered to `caller`; a few of `asks` are under way at once. */
export async function answersTo(url: string, caller: Caller, asks: readonly Ask[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const open = asks.values();
  const askOn = async () => {
    for (const ask of open) answers.push(await answerTo(url, caller, ask));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  return answers;
}

async function answerTo(url: string, { accessToken }: Caller, ask: Ask): Promise<Answer> {
  const response = await fetch(`${url}/api/v1${ask.path}`, {
    method: ask.method,
    headers: {
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      ...(ask.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(ask.body !== undefined && { body: JSON.stringify(ask.body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await (isStream(response) ? firstEventOf(response) : response.text());
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return { ask, status: response.status, text: [text, ...headers].join('\n'), body: JSON.parse(text) };
}

/** Those of `secrets` that an answer shows, beyond what was asked with. */
export function secretsIn({ ask, text }: Answer, secrets: readonly Secret[]): Secret[] {
  const sent = decodeURIComponent(`${ask.path} ${JSON.stringify(ask.body)}`).toLowerCase();
  const shown = `${text}\n${unpacked(text)}`.toLowerCase();
  return secrets.filter(({ text: secret }) => {
    const word = secret.toLowerCase();
    const isUuid = /^[0-9a-f-]{36}$/.test(word);
    return (
      (shown.includes(word) || (isUuid && shown.includes(word.replaceAll('-', '')))) && !sent.includes(word)
    );
  });
}

/** What lies in cursors and the like: each long word read as base64, as text and as digits of ids. */
function unpacked(text: string): string {
  const words = text.match(/[\w-]{20,}/g) ?? [];
  return words
    .map((word) => Buffer.from(word, 'base64url'))
    .map((bytes) => `${bytes.toString('latin1')}\n${bytes.toString('hex')}`)
    .join('\n');
}

/** Whether `caller` is told of a candidate no more than of what is nobody's. */
function isHiddenFrom(caller: Caller, { slots, path }: Ask, candidate: Candidate): boolean {
  if (candidate.hidden === 'no' || candidate.of.includes(caller.name)) return false;
  const isKnown =
    candidate.isElsewhere && caller.isElsewhere && slots.every(([, { what }]) => what !== THE_HUB);
  return !isKnown && (candidate.hidden === 'yes' || path.startsWith('/hubs/'));
}

/** The calls with a hidden id whose answer differs from that to the same call with an id of nobody. */
export function differingAnswers(caller: Caller, answers: readonly Answer[]): string[] {
  const said = new Map(answers.map((answer) => [told(answer.ask), answer]));
  return answers.flatMap((answer) =>
    answer.ask.slots.flatMap(([name, candidate]) => {
      if (!isHiddenFrom(caller, answer.ask, candidate)) return [];
      const twin = said.get(told(answer.ask, name));
      if (twin === undefined)
        throw new Error(`${told(answer.ask)}: there is no such call with nobody’s ${name}.`);
      const [one, other] = [answer, twin].map(
        ({ status, body }) => `${status} ${JSON.stringify(body.error ?? body.data)}`,
      );
      return one === other ? [] : [`${told(answer.ask)}: ${one}, where nobody’s ${name} gets ${other}`];
    }),
  );
}

/** A call in words, with an id of nobody for `replaced`. */
export function told({ operation, slots, path }: Ask, replaced?: string): string {
  const words = slots.map(([name, { what }]) => `${name}: ${name === replaced ? NOBODYS : what}`);
  return `${operation} (${words.join(', ')})${path.includes('limit=1') ? ' by one' : ''}`;
}
