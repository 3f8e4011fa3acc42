import pg from 'pg';
import type { Login } from '../../src/db/pool.ts';
import { buildPhotosUrl } from '../../src/storage/buckets.ts';
import { claimsOf, FIRST_ID, ID_PREFIX, ISSUER, idOf } from './population.ts';
import type { Target } from './rounds.ts';

/** The root of the API's storage URLs. */
export const SUPABASE_URL = new URL('/', ISSUER).href;

/** The URL of photos, which the API sends to Postgres with each request. */
export const PHOTOS_URL = buildPhotosUrl(SUPABASE_URL);

/** A request to the API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v1`. */
  readonly path: string;
  /** The number of the user who sends it; without, a guest. */
  readonly user?: number;
  /** Which of that user's access tokens, each another text; by default the first. */
  readonly issue?: number;
  readonly body?: object;
}

/** Requests of one kind. Request number `n` follows from `n` alone. */
export interface Requests {
  readonly title: string;
  /** The length of a block, which has consecutive numbers. */
  readonly count: number;
  readonly status: 200 | 201;
  /** A text of the right answer, which an answer to another user or a guest lacks. */
  readonly answerHolds: string;
  request(n: number): ApiRequest;
}

/** A value that follows from the number `n` of a request, in TypeScript and as an expression of pgbench. */
export interface Sequence {
  at(n: number): number;
  /** An expression of `:n`. */
  readonly sql: string;
}

/** Returns the sequence `first + n / every % count * step`; without `count`, `first + n / every * step`. */
export function sequence(
  first: number,
  { count, every = 1, step = 1 }: { count?: number; every?: number; step?: number },
): Sequence {
  const parts = [':n', every !== 1 && `/ ${every}`, count && `% ${count}`, step !== 1 && `* ${step}`];
  return {
    at: (n) => first + (Math.floor(n / every) % (count ?? Number.POSITIVE_INFINITY)) * step,
    sql: `${first} + ${parts.filter(Boolean).join(' ')}`,
  };
}

/** Values of a call: ids of rows by their numbers, or texts in turn. */
export type Values = Readonly<Record<string, Sequence | readonly string[]>>;

/** An operation, as a request to the API and as a call of Postgres. Texts in braces stand for values. */
export interface Call {
  readonly title: string;
  readonly answerHolds: string;
  /** The API function in Postgres. */
  readonly operation: string;
  /** Its arguments. */
  readonly args: object;
  /** The path of the request, below `/api/v1`. */
  readonly path: string;
  /** The body of a POST. Without it the request is a GET. */
  readonly body?: object;
  readonly values: Values;
  /** The users who send it; without, guests. */
  readonly user?: Sequence;
  /** Whether it is a vote, in a serializable transaction. */
  readonly isVote?: boolean;
}

/** Requests to the API and the same SQL under pgbench. Both sides use a number once at most. */
export interface Comparison extends Requests {
  /** The target of the API's rate relative to pgbench's. */
  readonly target?: Target | undefined;
  /** The login that sends the SQL. */
  readonly login: Login;
  /** A script of pgbench, in which `:n` is the number of the request. */
  readonly sql: string;
}

const PLACEHOLDER = /\{(\w+)\}/g;

function valueAt(values: Values, name: string, n: number): string {
  const value = values[name];
  if (value === undefined) throw new Error(`no value "${name}"`);
  return 'sql' in value ? idOf(value.at(n)) : (value[n % value.length] ?? '');
}

/** Returns blocks of `count` requests of a call, with their SQL. */
export function comparisonOf(call: Call, count: number, target?: Target): Comparison {
  const { title, answerHolds, path, body, values, user, isVote = false } = call;
  return {
    title,
    target,
    count,
    status: isVote ? 201 : 200,
    answerHolds,
    request: (n) => ({
      method: body === undefined ? 'GET' : 'POST',
      path: path.replaceAll(PLACEHOLDER, (_, name) => encodeURIComponent(valueAt(values, name, n))),
      ...(user !== undefined && { user: user.at(n) }),
      ...(body !== undefined && { body }),
    }),
    login: isVote ? 'opine_serializable' : 'opine_gateway',
    sql: scriptOf(call),
  };
}

function scriptOf({ operation, args, values, user, isVote = false }: Call): string {
  const ids = Object.entries({ ...values, ...(user !== undefined && { user }) });
  const variables = ids.flatMap(([name, value]) =>
    'sql' in value ? [`\\set ${name} ${FIRST_ID} + ${value.sql}`] : [],
  );
  const argsSql = jsonSql(args, values);
  const claimsSql = user === undefined ? 'null' : jsonSql(claimsOf('{user}'), { user });
  // Unlike the API, a call with a bearer does not allow guests, so that a rejected bearer is an error.
  const statement = isVote
    ? `call gateway.${operation}(${argsSql}, ${claimsSql}, null, null, null, null);`
    : `select answer from gateway.call('caller', '${operation}', ${argsSql}, ${claimsSql}, ${user === undefined}, '${PHOTOS_URL}');`;
  return [...variables, statement].join('\n');
}

/** Returns a JSON document of a script: an id is the prefix and a variable, a text an element of an array. */
function jsonSql(document: object, values: Values): string {
  const text = pg.escapeLiteral(JSON.stringify(document)).replaceAll(PLACEHOLDER, (_, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value "${name}"`);
    return 'sql' in value ? `${ID_PREFIX}' || :${name} || '` : `' || ${elementSql(value)} || '`;
  });
  return `(${text})::jsonb`;
}

/** Selects text number `:n` from a literal: Postgres parses an array of many literals more slowly than it searches. */
function elementSql(texts: readonly string[]): string {
  const elements = texts.map((text) => JSON.stringify(text)).join(',');
  return `(${pg.escapeLiteral(`{${elements}}`)}::text[])[1 + :n % ${texts.length}]`;
}

/** Calls an API function by the statement of the gateway and returns the answer. @param user null for a guest */
export async function callGateway(
  client: pg.ClientBase | pg.Pool,
  operation: string,
  user: number | null,
  args: object,
): Promise<string> {
  const { rows } = await client.query<{ answer: string }>(
    `select answer from gateway.call('caller', $1, $3, $2, false, $4)`,
    [operation, user === null ? null : claimsOf(user), args, PHOTOS_URL],
  );
  return rows[0]?.answer ?? '';
}
