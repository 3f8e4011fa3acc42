import type pg from 'pg';
import { readConfig } from '../../src/config.ts';
import { createServices, type Services } from '../../src/services.ts';
import {
  type ApiCall,
  type ApiResult,
  type Claims,
  callAllThroughGateway,
  callOverHttp,
  callThroughGateway,
  entryOf,
  installBatchCalls,
  longLivedToken,
} from '../support/api-calls.ts';
import { type Client, clientOf } from '../support/client.ts';
import { type Opine, testEnvironment } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import type { Labels } from './labels.ts';

/** How the people of a model call Opine. */
export interface Calls<Name extends string> {
  call(request: ApiCall<Name>): Promise<ApiResult>;
  /** Returns the answers to requests that change nothing. */
  callAll(requests: readonly ApiCall<Name>[]): Promise<ApiResult[]>;
}

/** People whose tokens outlive every history, and the services that check the tokens. */
export interface Cast<Name extends string> {
  readonly services: Services;
  readonly people: ReadonlyMap<Name, Person>;
  readonly tokens: ReadonlyMap<Name, string>;
}

const CREATE_BY_LEVEL = new Map<number, (opine: Opine, name: string) => Promise<Person>>([
  [1, (opine) => anonymousPerson(opine)],
  [2, registeredPerson],
  [3, confirmedPerson],
  [4, hubReadyPerson],
]);

/** Creates people by their levels; level 0 is the guest and creates nobody. */
export async function createCast<Name extends string>(
  opine: Opine,
  levels: Readonly<Record<Name, number>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Cast<Name>> {
  const config = readConfig({ ...testEnvironment(opine.database), ...environment });
  const services = await createServices(config, { prepare: async () => 'not_decodable' as const });
  const people = new Map<Name, Person>();
  const tokens = new Map<Name, string>();
  for (const [name, level] of Object.entries<number>(levels) as [Name, number][]) {
    if (level === 0) continue;
    const person = await entryOf(CREATE_BY_LEVEL, level)(opine, name);
    people.set(name, person);
    tokens.set(name, await longLivedToken(services, person));
  }
  return { services, people, tokens };
}

/** Calls over HTTP. */
export function callsOverHttp<Name extends string>(opine: Opine, { tokens }: Cast<Name>): Calls<Name> {
  const clients = new Map<string, Client>([['Guest', aGuest(opine)]]);
  for (const [name, token] of tokens) clients.set(name, clientOf(opine.url, token));
  const call = (request: ApiCall<Name>) => callOverHttp(entryOf(clients, request.who), request);
  return { call, callAll: (requests) => Promise.all(requests.map(call)) };
}

/** Calls what the HTTP operations call, on `connection` and without HTTP. */
export async function callsThroughGateway<Name extends string>(
  { database }: Pick<Opine, 'database'>,
  { services, tokens }: Cast<Name>,
  connection: pg.Client,
): Promise<Calls<Name>> {
  const claims = new Map<string, Claims>([['Guest', null]]);
  for (const [name, token] of tokens) claims.set(name, await services.tokens.verify(token));
  await installBatchCalls({ database });
  return {
    call: (request) => callThroughGateway(services, connection, entryOf(claims, request.who), request),
    callAll: (requests) =>
      callAllThroughGateway(services, connection, (who) => entryOf(claims, who), requests),
  };
}

/** Returns each of `reads` with its answer. */
export async function readAll<Name extends string, Read extends ApiCall<Name>>(
  calls: Calls<Name>,
  labels: Labels,
  reads: readonly Read[],
): Promise<(readonly [Read, ApiResult])[]> {
  const answers = await calls.callAll(reads.map((read) => ({ ...read, args: labels.toIds(read.args) })));
  return reads.map((read, index) => {
    const answer = answers[index];
    if (answer === undefined) throw new Error('A request was not answered.');
    return [read, answer] as const;
  });
}
