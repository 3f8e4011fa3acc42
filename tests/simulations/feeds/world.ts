import { isDeepStrictEqual } from 'node:util';
import type { ApiResult } from '../../support/api-calls.ts';
import type { Json } from '../../support/client.ts';
import { type Answer, answerOf, failureAfter, sentence, textHash } from '../../support/models.ts';
import { readAll } from '../drivers.ts';
import { Labels } from '../labels.ts';
import {
  type Choice,
  FIRST_MEMBERS,
  FOUNDERS,
  interpret,
  OPENING,
  type Request,
  type SystemEvent,
} from './actions.ts';
import type { FeedDriver } from './drivers.ts';
import { HUBS, type Hub, type Name } from './entities.ts';
import { FeedModel } from './model.ts';
import { Pagination } from './pagination.ts';
import { labelOf, RARITY, type Read, Renderer } from './views.ts';

const STEP = 61;
const CREATING = /^POST .*\/(posts|reposts|comments|vote|feed|hubs)$/;

/** Applies each step to Opine and to the model, and throws where the two differ. */
export class FeedWorld {
  readonly #model = new FeedModel();
  readonly #driver: FeedDriver;
  readonly #rarity: number;
  readonly #labels = new Labels();
  readonly #history: string[] = [];
  /** The people whose account deletion is unfinished. */
  #leaving: Name[] = [];
  #pagination: Pagination | null = null;

  private constructor(driver: FeedDriver, rarity: number) {
    this.#driver = driver;
    this.#rarity = rarity;
    for (const [name, { id }] of driver.people) this.#labels.set(id, name);
    this.#labels.set('', 'nobody');
  }

  /** Creates a world with three Hubs and a few posts. `rarity` divides the number of reads after each step. */
  static async begin(driver: FeedDriver, rarity: number): Promise<FeedWorld> {
    await driver.reset();
    const world = new FeedWorld(driver, rarity);
    for (const hub of HUBS) await world.#createHub(FOUNDERS[hub], hub);
    for (const [who, hub] of FIRST_MEMBERS) await world.#perform({ event: 'join', who, hub });
    for (const choice of OPENING) await world.#applyChoice(choice);
    return world;
  }

  async #createHub(who: Name, hub: Hub): Promise<void> {
    const { data } = await this.#driver.call({ who, route: 'POST /hubs', args: { name: hub } });
    this.#labels.set(data.id, hub);
    this.#model.members.push([who, hub]);
    this.#model.admins.set(hub, who);
  }

  /** Applies what `choice` means by now, and compares some reads. */
  async apply(choice: Choice): Promise<void> {
    // A refusal rolls back, so there is nothing to compare.
    if (!(await this.#applyChoice(choice))) return;
    const luck = textHash(`${this.#history.at(-1)} ${choice.pick} ${choice.other}`);
    await this.#compareReads(luck, ({ kind, who, route, args }) => {
      return textHash(`${luck} ${who} ${route} ${Object.values(args)}`) % (RARITY[kind] * this.#rarity) === 0;
    });
    await this.#continuePagination(luck);
  }

  /** Reads the next page of the present pagination, or the first page of a new one. */
  async #continuePagination(luck: number): Promise<void> {
    if (this.#pagination?.update(this.#model) === false) this.#pagination = null;
    const pagination = this.#pagination ?? Pagination.begin(this.#model, luck);
    if (pagination === null || (this.#pagination && luck % 2 === 0)) return;
    const { request } = pagination;
    const actual = await this.#driver.call({ ...request, args: this.#labels.toIds(request.args) });
    this.#compareOutcome(`${pagination}`, { status: 200 }, actual);
    const fault = pagination.check(actual, (id) => this.#labelFor(id));
    this.#history.push(`${pagination}`);
    if (fault !== null) throw failureAfter(this.#history, [fault]);
    this.#pagination = pagination.isFinished ? null : pagination;
  }

  async compareAllReads(): Promise<void> {
    await this.#compareReads(this.#history.length, () => true);
  }

  /** @returns whether anything changed */
  async #applyChoice(choice: Choice): Promise<boolean> {
    const step = interpret(this.#model, choice);
    if (step === null) return false;
    await this.#wait(STEP);
    if (!('event' in step)) return !(await this.#call(step));
    await this.#perform(step);
    return true;
  }

  async #perform(step: SystemEvent): Promise<void> {
    const { event, who, hub, seconds } = { who: null, hub: null, seconds: null, ...step };
    this.#history.push([who, event, hub, seconds].filter((word) => word !== null).join(' '));
    const model = this.#model;
    if (step.event === 'fold votes') await this.#fold();
    else if (step.event === 'finish account deletions') await this.#finishDeletions();
    else if (step.event === 'pass') {
      await this.#wait(step.seconds);
      // A worker finishes deletions meanwhile.
      await this.#finishDeletions();
    } else {
      const [hubId, userId] = [step.hub, step.who].map((label) => String(this.#labels.idOf(label)));
      await this.#driver.changeMembership(step.event, String(hubId), String(userId));
      if (step.event === 'join') model.members.push([step.who, step.hub]);
      else {
        model.members = model.members.filter(([name, its]) => name !== step.who || its !== step.hub);
        if (model.admins.get(step.hub) === step.who) model.admins.delete(step.hub);
      }
    }
  }

  async #wait(seconds: number): Promise<void> {
    const { posts, now } = this.#model;
    const isDue = posts.some(({ votes }) =>
      votes.some(({ at, foldedAt }) => !foldedAt && at <= now + seconds),
    );
    // A worker folds votes long before they count in feeds.
    if (isDue) await this.#fold();
    this.#model.now += seconds;
    await this.#driver.setClock(this.#model.now);
  }

  async #fold(): Promise<void> {
    await this.#driver.foldVotes();
    this.#model.foldVotes();
  }

  async #finishDeletions(): Promise<void> {
    for (const name of this.#leaving)
      await this.#driver.finishAccountDeletion(String(this.#labels.idOf(name)));
    this.#leaving = [];
    const model = this.#model;
    const isPresent = (name: Name) => !model.ended.has(name);
    for (const item of [...model.posts, ...model.comments]) item.isDeleted ||= !isPresent(item.by);
    for (const post of model.posts) post.feedShares = post.feedShares.filter(({ by }) => isPresent(by));
    model.follows = model.follows.filter((names) => names.every(isPresent));
  }

  /** Sends a request, compares its answer and returns whether it was refused. */
  async #call({ who, route, args, apply }: Request): Promise<boolean> {
    const actual = await this.#driver.call({ who, route, args: this.#labels.toIds(args) });
    this.#history.push(`${who}: ${sentence(route, args)} → ${actual.error?.code ?? actual.status}`);
    const expected = answerOf(CREATING.test(route) ? 201 : 200, () => objectOf(apply()));
    this.#compareOutcome('The answer', expected, actual);
    const { data } = expected;
    if (data && 'id' in data) this.#learn(who, data as never, actual.data);
    if (data && 'created' in data) {
      const created = actual.data.hubs.map((hub: Json) => `${this.#labelFor(hub.hubId)} ${hub.created}`);
      this.#compare('The answer', data, { created });
    }
    if (route === 'DELETE /users/me' && data) this.#leaving.push(who);
    if (this.#driver.hasWorker) {
      await this.#fold();
      await this.#finishDeletions();
    }
    return actual.error !== undefined;
  }

  /** Labels the new post or comment, and compares its answer. */
  #learn(
    who: Name,
    created: Parameters<Renderer['comment']>[1] | Parameters<Renderer['detail']>[1],
    data: Json,
  ): void {
    const renderer = this.#renderer();
    const labelFor = (id: unknown) => this.#labelFor(id);
    if ('root' in created) {
      this.#labels.set(data.id, labelOf.comment(created));
      this.#compare('The answer', renderer.comment(who, created), renderer.commentFromApi(data, labelFor));
    } else {
      this.#labels.set(data.id, labelOf.post(created));
      this.#compare('The answer', renderer.detail(who, created), renderer.detailFromApi(data, labelFor));
    }
  }

  #renderer(): Renderer {
    return new Renderer(this.#model, this.#leaving.length === 0);
  }

  async #compareReads(luck: number, isCompared: (read: Read) => boolean): Promise<void> {
    // A read in the same second as a write has no defined result.
    await this.#wait(1);
    const reads = this.#renderer().reads(luck).filter(isCompared);
    const answers = await readAll(this.#driver, this.#labels, reads).catch((error: Error) => {
      throw failureAfter(this.#history, [String(error)]);
    });
    for (const [read, actual] of answers) {
      const what = `${read.who}: ${sentence(read.route, read.args)}`;
      const expected = read.expect();
      this.#compareOutcome(what, expected, actual);
      if (actual.error !== undefined) continue;
      this.#compare(
        what,
        expected.data,
        read.render(actual.data, (id) => this.#labelFor(id)),
      );
    }
  }

  #compareOutcome(what: string, { status, code }: Answer, actual: ApiResult): void {
    this.#compare(what, { status, code }, { status: actual.status, code: actual.error?.code });
  }

  #compare(what: string, expected: unknown, actual: unknown): void {
    if (isDeepStrictEqual(expected, actual)) return;
    const [wanted, got] = [expected, actual].map((one) => JSON.stringify(one, null, 1));
    throw failureAfter(this.#history, [`${what}: expected ${wanted}`, `but got ${got}`]);
  }

  #labelFor(id: unknown): string {
    return this.#labels.of(id) ?? String(id);
  }
}

function objectOf(result: unknown): object {
  return typeof result === 'object' && result !== null ? result : {};
}
