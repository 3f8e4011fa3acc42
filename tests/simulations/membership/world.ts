import type { ApiResult, Ask } from '../../support/api-calls.ts';
import type { Json } from '../../support/client.ts';
import { tokenIn } from '../../support/hubs.ts';
import { type Answer, answerOf } from '../../support/model-answers.ts';
import { failureAfter, hashOf, sentence } from '../../support/stories.ts';
import { dayOf, type Hub, Model, type Name, phoneOf } from './model.ts';
import { type Choice, type Deed, meaningOf, opening } from './moves.ts';
import { looksAt } from './views.ts';

/** Rows as the model tells them: see its `stored`. */
export type Stored = Readonly<Record<keyof ReturnType<Model['stored']>, readonly (readonly unknown[])[]>>;

/** How people reach Opine. */
export interface Actor {
  /** Of so many looks at who sees what, one is taken, by lot; all where it is 1. */
  readonly share: number;
  readonly people: ReadonlyMap<Name, { readonly id: string; readonly phoneNumber: string }>;
  /** Forgets Hubs, blocks and limits, and sets the clock right. */
  startAfresh(): Promise<void>;
  timePasses(days: number): Promise<void>;
  ask(ask: Ask<Name>): Promise<ApiResult>;
  /** The answers to requests that change nothing. */
  askAll(asks: readonly Ask<Name>[]): Promise<ApiResult[]>;
  stored(): Promise<Stored>;
}

const THING = /^(invitation|request|link) \d+$|^token \d* ?of |^(Elm|Oak|Ash)$/;
const TIME = /^\d{4}-\d\d-\d\dT/;
const DAY_MS = 86_400_000;
const PHONE_OF_NOBODY = '+12025550999';
const CREATING = [
  'POST /hubs',
  'POST /hubs/{hubId}/invitations',
  'POST /hubs/{hubId}/invite-links',
  'POST /hub-invite-links/{token}/join-requests',
];

/** People who act on Opine and in the model alike. Each of its deeds throws where the two differ. */
export class World {
  readonly model = new Model();
  readonly #actor: Actor;
  readonly #began = Date.now();
  /** The names of what Opine calls by ids, and the other way round. */
  readonly #names = new Map<unknown, string>();
  readonly #originals = new Map<unknown, unknown>();
  readonly #story: string[] = [];
  #active: readonly string[] | null = null;

  private constructor(actor: Actor) {
    this.#actor = actor;
    for (const [name, { id, phoneNumber }] of actor.people) {
      this.#call(id, name);
      this.#call(phoneNumber, phoneOf(name));
    }
    this.#call(PHONE_OF_NOBODY, phoneOf('Nobody'));
  }

  /** A new world: Elm, of Maya, with a manager, and Oak, of Amara alone. */
  static async begin(actor: Actor): Promise<World> {
    const world = new World(actor);
    await actor.startAfresh();
    for (const deed of opening(world.model)) await world.#take(deed);
    return world;
  }

  /** Does what `choice` means by now, and compares everything. */
  async choose(choice: Choice): Promise<void> {
    const meaning = meaningOf(this.model, choice);
    if (meaning === null) return;
    if ('days' in meaning) await this.#pass(meaning.days);
    else await this.#act(meaning);
  }

  async #pass(days: number): Promise<void> {
    this.#story.push(`${days} days pass`);
    await this.#actor.timePasses(days);
    this.model.pass(days);
    await this.#compareStored(null);
    for (const hub of this.model.hubs) await this.#compareViews(hub, 'Maya');
  }

  async #act(deed: Deed): Promise<void> {
    const isRefused = await this.#take(deed);
    // What was refused was rolled back: where time is short, nothing is looked for.
    if (isRefused && this.#actor.share > 1) return;
    await Promise.all([this.#compareStored(deed), this.#compareViews(deed.hub, deed.who)]);
  }

  /** Does it and compares the answer alone; answers whether it was refused. */
  async #take({ who, route, args, act }: Deed): Promise<boolean> {
    const told = await this.#actor.ask({ who, route, args: this.#original(args) });
    this.#story.push(`${who}: ${sentence(route, args)} → ${told.error?.code ?? told.status}`);
    this.#compare('The answer', answerOf(CREATING.includes(route) ? 201 : 200, act), told);
    return told.error !== undefined;
  }

  async #compareViews(hub: Hub | null, who: Name): Promise<void> {
    const luck = hashOf(this.#story.at(-1) ?? '');
    const looks = looksAt(this.model, hub, who).filter(
      (_, place) => (place + luck) % this.#actor.share === 0,
    );
    const asks = looks.map((look) => ({ ...look, args: this.#original(look.args) }));
    const answers = await this.#actor.askAll(asks);
    for (const [index, look] of looks.entries()) {
      const told = answers[index];
      if (told === undefined) throw new Error('A request was not answered.');
      this.#compare(`${look.who}: ${sentence(look.route, look.args)}`, look.expect(), told);
    }
  }

  async #compareStored(deed: Deed | null): Promise<void> {
    const stored = await this.#actor.stored();
    const active = stored.members.map(([hub, who]) => `${this.#named(who)} in ${this.#named(hub)}`);
    const hub = deed?.hub ?? this.model.hubs.at(-1);
    const before = this.#active ?? active;
    const allowed = `${deed?.joiner} in ${hub?.label}`;
    const odd = active.filter((member) => !before.includes(member) && member !== allowed);
    if (odd.length > 0) this.#fail(odd.map((member) => `Nothing made an active member of ${member}`));
    this.#active = active;
    for (const [table, rows] of Object.entries(this.model.stored())) {
      const told = stored[table as keyof typeof stored].map((row) =>
        row.map((value) => this.#named(value)).join(),
      );
      this.#demand([...rows].sort(), told.sort(), `Stored ${table}`);
    }
  }

  #compare(what: string, { status, code, details, data }: Answer, told: ApiResult): void {
    this.#demand(status, told.status, `${what}: status (${told.error?.code ?? 'granted'})`);
    this.#demand(code, told.error?.code, `${what}: code`);
    if (details) {
      this.#demand(details, told.error?.details, `${what}: details`);
      this.#demand(Object.keys(details).length, Object.keys(told.error?.details).length, `${what}: details`);
    }
    if (data) this.#demand(data, told.data, `${what}: data`);
  }

  #demand(expected: unknown, told: unknown, path: string): void {
    const differences = this.#differences(expected, told, path);
    if (differences.length > 0) this.#fail(differences);
  }

  /** Where `told` is not what is expected: any of a set, or else the same as far as anything is expected. */
  #differences(expected: unknown, told: Json, path: string): string[] {
    if (Array.isArray(expected)) {
      if (!Array.isArray(told)) return [`${path}: is no list`];
      return [
        ...this.#differences(expected.length, told.length, `${path}.length`),
        ...expected.flatMap((item, index) => this.#differences(item, told[index], `${path}.${index}`)),
      ];
    }
    if (expected instanceof Set) {
      return expected.has(this.#named(told)) ? [] : [`${path}: none of ${[...expected]}, but ${told}`];
    }
    if (typeof expected === 'object' && expected !== null) {
      return Object.entries(expected).flatMap(([key, value]) => {
        const at = `${path}.${key}`;
        if (key === 'keys') return this.#differences(value.toSorted(), Object.keys(told ?? {}).sort(), at);
        if (key === 'anyOrder') return this.#differences(byId(value), byId(told?.items, this.#names), at);
        return this.#differences(value, told?.[key], at);
      });
    }
    this.#learn(expected, told);
    const named = this.#named(told);
    return named === expected ? [] : [`${path}: ${String(named)} instead of ${String(expected)}`];
  }

  /** Takes `told` for what Opine calls a thing that the model has just named. */
  #learn(name: unknown, told: unknown): void {
    if (typeof name !== 'string' || typeof told !== 'string' || !THING.test(name)) return;
    if (!this.#originals.has(name) && !this.#names.has(bare(told))) this.#call(bare(told), name);
  }

  #call(original: unknown, name: string): void {
    this.#names.set(original, name);
    this.#originals.set(name, original);
  }

  #named(told: unknown): unknown {
    if (typeof told !== 'string') return told;
    if (TIME.test(told)) return dayOf(Math.floor((Date.parse(told) - this.#began) / DAY_MS));
    return this.#names.get(bare(told)) ?? told;
  }

  /** `args` with ids instead of names. */
  #original(args: object): object {
    const original = (value: unknown) => this.#originals.get(value) ?? value;
    return Object.fromEntries(
      Object.entries(args).map(([key, value]) => [
        key,
        // The name of a Hub is its own.
        key === 'name' ? value : Array.isArray(value) ? value.map(original) : original(value),
      ]),
    );
  }

  #fail(differences: readonly string[]): never {
    throw failureAfter(this.#story, differences);
  }
}

/** In the order of the names of their ids. */
function byId(items: Json[] | undefined, names?: ReadonlyMap<unknown, string>): Json[] | undefined {
  const nameOf = ({ id }: Json) => names?.get(id) ?? id;
  return items?.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** What ends an address stands for it. */
function bare(told: unknown): unknown {
  return typeof told === 'string' && told.startsWith('http') ? tokenIn(told) : told;
}
