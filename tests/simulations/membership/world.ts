import type { ApiResult } from '../../support/api-calls.ts';
import type { Json } from '../../support/client.ts';
import { tokenIn } from '../../support/hubs.ts';
import { type Answer, answerOf, failureAfter, sentence, textHash } from '../../support/models.ts';
import { readAll } from '../drivers.ts';
import { Labels } from '../labels.ts';
import { type Action, type Choice, interpret, opening } from './actions.ts';
import type { MembershipDriver } from './drivers.ts';
import { dayOf, type Hub, Model, type Name, phoneOf } from './model.ts';
import { readsAfter } from './views.ts';

const LABEL = /^(invitation|request|link) \d+$|^token \d* ?of |^(Elm|Oak|Ash)$/;
const TIME = /^\d{4}-\d\d-\d\dT/;
const DAY_MS = 86_400_000;
// No fixture takes a number of this area.
const UNUSED_PHONE = '+12125550999';
const CREATED = [
  'POST /hubs',
  'POST /hubs/{hubId}/invitations',
  'POST /hubs/{hubId}/invite-links',
  'POST /hub-invite-links/{token}/join-requests',
];

/** Applies each step to Opine and to the model, and throws where the two differ. */
export class World {
  readonly model = new Model();
  readonly #driver: MembershipDriver;
  readonly #began = Date.now();
  readonly #labels = new Labels();
  readonly #history: string[] = [];
  #activeMembers: readonly string[] | null = null;

  private constructor(driver: MembershipDriver) {
    this.#driver = driver;
    for (const [name, { id, phoneNumber }] of driver.people) {
      this.#labels.set(id, name);
      this.#labels.set(phoneNumber, phoneOf(name));
    }
    this.#labels.set(UNUSED_PHONE, phoneOf('Nobody'));
  }

  /** Creates a world with the Hub Elm of Maya, which has a manager, and the Hub Oak of Amara alone. */
  static async begin(driver: MembershipDriver): Promise<World> {
    const world = new World(driver);
    await driver.reset();
    for (const action of opening(world.model)) await world.#call(action);
    return world;
  }

  /** Applies what `choice` means by now, and compares everything. */
  async apply(choice: Choice): Promise<void> {
    const action = interpret(this.model, choice);
    if (action === null) return;
    if ('days' in action) await this.#passDays(action.days);
    else await this.#applyAction(action);
  }

  async #passDays(days: number): Promise<void> {
    this.#history.push(`${days} days pass`);
    await this.#driver.passDays(days);
    this.model.passDays(days);
    await this.#compareStored(null);
    for (const hub of this.model.hubs) await this.#compareViews(hub, 'Maya');
  }

  async #applyAction(action: Action): Promise<void> {
    const isRefused = await this.#call(action);
    // A refusal rolls back, so the fast driver skips the comparison.
    if (isRefused && this.#driver.viewRarity > 1) return;
    await Promise.all([this.#compareStored(action), this.#compareViews(action.hub, action.who)]);
  }

  /** Sends the request, compares its answer and returns whether it was refused. */
  async #call({ who, route, args, apply }: Action): Promise<boolean> {
    const actual = await this.#driver.call({ who, route, args: this.#labels.toIds(args) });
    this.#history.push(`${who}: ${sentence(route, args)} → ${actual.error?.code ?? actual.status}`);
    this.#compareAnswer('The answer', answerOf(CREATED.includes(route) ? 201 : 200, apply), actual);
    return actual.error !== undefined;
  }

  async #compareViews(hub: Hub | null, who: Name): Promise<void> {
    const luck = textHash(this.#history.at(-1) ?? '');
    const isRead = (_: unknown, index: number) => (index + luck) % this.#driver.viewRarity === 0;
    const reads = readsAfter(this.model, hub, who).filter(isRead);
    for (const [read, answer] of await readAll(this.#driver, this.#labels, reads)) {
      this.#compareAnswer(`${read.who}: ${sentence(read.route, read.args)}`, read.expect(), answer);
    }
  }

  async #compareStored(action: Action | null): Promise<void> {
    const stored = await this.#driver.storedRows();
    const active = stored.members.map(([hub, who]) => `${this.#labelOf(who)} in ${this.#labelOf(hub)}`);
    const hub = action?.hub ?? this.model.hubs.at(-1);
    const before = this.#activeMembers ?? active;
    const allowed = `${action?.joiner} in ${hub?.label}`;
    const unexplained = active.filter((member) => !before.includes(member) && member !== allowed);
    if (unexplained.length > 0) this.#fail(unexplained.map((member) => `No action made ${member} a member`));
    this.#activeMembers = active;
    for (const [table, rows] of Object.entries(this.model.expectedRows())) {
      const labelled = stored[table as keyof typeof stored].map((row) =>
        row.map((value) => this.#labelOf(value)).join(),
      );
      this.#compare([...rows].sort(), labelled.sort(), `Stored ${table}`);
    }
  }

  #compareAnswer(what: string, { status, code, details, data }: Answer, actual: ApiResult): void {
    this.#compare(status, actual.status, `${what}: status (${actual.error?.code ?? 'granted'})`);
    this.#compare(code, actual.error?.code, `${what}: code`);
    if (details) {
      this.#compare(details, actual.error?.details, `${what}: details`);
      this.#compare(
        Object.keys(details).length,
        Object.keys(actual.error?.details).length,
        `${what}: details`,
      );
    }
    if (data) this.#compare(data, actual.data, `${what}: data`);
  }

  #compare(expected: unknown, actual: unknown, path: string): void {
    const differences = this.#differences(expected, actual, path);
    if (differences.length > 0) this.#fail(differences);
  }

  /** Compares the expected fields only; a Set accepts any of its members. */
  #differences(expected: unknown, actual: Json, path: string): string[] {
    if (Array.isArray(expected)) {
      if (!Array.isArray(actual)) return [`${path}: is no list`];
      return [
        ...this.#differences(expected.length, actual.length, `${path}.length`),
        ...expected.flatMap((item, index) => this.#differences(item, actual[index], `${path}.${index}`)),
      ];
    }
    if (expected instanceof Set) {
      return expected.has(this.#labelOf(actual)) ? [] : [`${path}: none of ${[...expected]}, but ${actual}`];
    }
    if (typeof expected === 'object' && expected !== null) {
      return Object.entries(expected).flatMap(([key, value]) => {
        const at = `${path}.${key}`;
        if (key === 'keys') return this.#differences(value.toSorted(), Object.keys(actual ?? {}).sort(), at);
        if (key === 'anyOrder')
          return this.#differences(sortById(value), this.#sortByLabel(actual?.items), at);
        return this.#differences(value, actual?.[key], at);
      });
    }
    this.#learn(expected, actual);
    const label = this.#labelOf(actual);
    return label === expected ? [] : [`${path}: ${String(label)} instead of ${String(expected)}`];
  }

  /** Records `actual` as the id of a label that the model has just created. */
  #learn(label: unknown, actual: unknown): void {
    if (typeof label !== 'string' || typeof actual !== 'string' || !LABEL.test(label)) return;
    const id = withoutOrigin(actual);
    if (this.#labels.idOf(label) === undefined && this.#labels.of(id) === undefined)
      this.#labels.set(id, label);
  }

  #labelOf(actual: unknown): unknown {
    if (typeof actual !== 'string') return actual;
    if (TIME.test(actual)) return dayOf(Math.floor((Date.parse(actual) - this.#began) / DAY_MS));
    return this.#labels.of(withoutOrigin(actual)) ?? actual;
  }

  #sortByLabel(items: Json[] | undefined): Json[] | undefined {
    return items && sortById(items, (id) => this.#labels.of(id) ?? id);
  }

  #fail(differences: readonly string[]): never {
    throw failureAfter(this.#history, differences);
  }
}

function sortById(items: Json[], labelOf = (id: string) => id): Json[] {
  return items.toSorted((one, other) => (labelOf(one.id) < labelOf(other.id) ? -1 : 1));
}

/** Returns the token of an invitation's or a link's URL, and any other text as it is. */
function withoutOrigin(actual: string): string {
  return actual.startsWith('http') ? tokenIn(actual) : actual;
}
