import { isDeepStrictEqual } from 'node:util';
import type { ApiResult, Ask } from '../../support/api-calls.ts';
import type { Json } from '../../support/client.ts';
import { type Answer, answerOf } from '../../support/model-answers.ts';
import { failureAfter, hashOf, sentence } from '../../support/stories.ts';
import { FeedModel } from './model.ts';
import {
  type Choice,
  type Chore,
  FIRST_MEMBERS,
  FOUNDERS,
  meaningOf,
  OPENING,
  type Request,
} from './moves.ts';
import { Walk } from './pagination.ts';
import { HUBS, type Hub, type Name } from './things.ts';
import { type Look, labelOf, RARITY, Words } from './views.ts';

/** How people reach Opine. */
export interface FeedActor {
  readonly people: ReadonlyMap<Name, { readonly id: string }>;
  /** Whether what the worker does may come at any time, so that it has to be done before anybody looks. */
  readonly hasWorker: boolean;
  /** Forgets everything but people, and sets the clock right. */
  startAfresh(): Promise<void>;
  /** Moves the clock to so many seconds after the beginning. */
  setClock(seconds: number): Promise<void>;
  ask(ask: Ask<Name>): Promise<ApiResult>;
  /** The answers to requests that change nothing. */
  askAll(asks: readonly Ask<Name>[]): Promise<ApiResult[]>;
  move(way: 'join' | 'leave', hubId: string, userId: string): Promise<void>;
  foldVotes(): Promise<void>;
  finishDeparture(userId: string): Promise<void>;
}

const STEP = 61;
const CREATING = /^POST .*\/(posts|reposts|comments|vote|feed|hubs)$/;

/** People who act on Opine and in the model alike. Each of its deeds throws where the two differ. */
export class FeedWorld {
  readonly #model = new FeedModel();
  readonly #actor: FeedActor;
  readonly #rarity: number;
  readonly #names = new Map<unknown, string>();
  readonly #ids = new Map<unknown, unknown>();
  readonly #story: string[] = [];
  #leaving: Name[] = [];
  #walk: Walk | null = null;

  private constructor(actor: FeedActor, rarity: number) {
    this.#actor = actor;
    this.#rarity = rarity;
    for (const [name, { id }] of actor.people) this.#call(id, name);
    this.#call('', 'nobody');
  }

  /** A new world of three Hubs and a few posts. @param rarity how many times fewer looks are taken than there is time for */
  static async begin(actor: FeedActor, rarity: number): Promise<FeedWorld> {
    await actor.startAfresh();
    const world = new FeedWorld(actor, rarity);
    for (const hub of HUBS) await world.#found(FOUNDERS[hub], hub);
    for (const [who, hub] of FIRST_MEMBERS) await world.#take({ chore: 'join', who, hub });
    for (const choice of OPENING) await world.#move(choice);
    return world;
  }

  async #found(who: Name, hub: Hub): Promise<void> {
    const { data } = await this.#actor.ask({ who, route: 'POST /hubs', args: { name: hub } });
    this.#call(data.id, hub);
    this.#model.members.push([who, hub]);
  }

  /** Does what `choice` means by now, and compares some of what is seen. */
  async choose(choice: Choice): Promise<void> {
    // What was refused was rolled back.
    if (!(await this.#move(choice))) return;
    const luck = hashOf(`${this.#story.at(-1)} ${choice.pick} ${choice.other}`);
    await this.#look(luck, ({ kind, who, route, args }) => {
      return hashOf(`${luck} ${who} ${route} ${Object.values(args)}`) % (RARITY[kind] * this.#rarity) === 0;
    });
    await this.#walkOn(luck);
  }

  /** Reads a page of what somebody walks through while others do things. */
  async #walkOn(luck: number): Promise<void> {
    if (this.#walk?.goesOn(this.#model) === false) this.#walk = null;
    const walk = this.#walk ?? Walk.begin(this.#model, luck);
    if (walk === null || (this.#walk && luck % 2 === 0)) return;
    const { ask } = walk;
    const told = await this.#actor.ask({ ...ask, args: this.#original(ask.args) });
    this.#compareOutcome(`${walk}`, { status: 200 }, told);
    const fault = walk.look(told, (id) => this.#nameOf(id));
    this.#story.push(`${walk}`);
    if (fault !== null) throw failureAfter(this.#story, [fault]);
    this.#walk = walk.isOver ? null : walk;
  }

  /** Compares all that is seen. */
  async lookAtAll(): Promise<void> {
    await this.#look(this.#story.length, () => true);
  }

  /** @returns whether anything was done */
  async #move(choice: Choice): Promise<boolean> {
    const meaning = meaningOf(this.#model, choice);
    if (meaning === null) return false;
    await this.#wait(STEP);
    return !(await this.#take(meaning));
  }

  async #take(step: Request | Chore): Promise<boolean> {
    if (!('chore' in step)) return this.#ask(step);
    const { who, hub, seconds } = { who: null, hub: null, seconds: null, ...step };
    this.#story.push([who, step.chore, hub, seconds].filter((word) => word !== null).join(' '));
    await this.#do(step);
    return false;
  }

  async #do(step: Chore): Promise<void> {
    const model = this.#model;
    if (step.chore === 'fold votes') await this.#fold();
    else if (step.chore === 'finish account deletions') await this.#finish();
    else if (step.chore === 'pass') {
      await this.#wait(step.seconds);
      // The worker has been by since.
      await this.#finish();
    } else {
      const { who, hub } = step;
      await this.#actor.move(step.chore, String(this.#ids.get(hub)), String(this.#ids.get(who)));
      if (step.chore === 'join') model.members.push([who, hub]);
      else model.members = model.members.filter(([name, its]) => name !== who || its !== hub);
    }
  }

  async #wait(seconds: number): Promise<void> {
    const { posts, now } = this.#model;
    const isDue = posts.some(({ votes }) =>
      votes.some(({ at, foldedAt }) => !foldedAt && at <= now + seconds),
    );
    // The worker comes by long before what people voted on is shown to others.
    if (isDue) await this.#fold();
    this.#model.now += seconds;
    await this.#actor.setClock(this.#model.now);
  }

  async #fold(): Promise<void> {
    await this.#actor.foldVotes();
    this.#model.foldVotes();
  }

  async #finish(): Promise<void> {
    for (const name of this.#leaving) await this.#actor.finishDeparture(String(this.#ids.get(name)));
    this.#leaving = [];
    const model = this.#model;
    const isLeft = (name: Name) => !model.ended.has(name);
    for (const thing of [...model.posts, ...model.comments]) thing.isDeleted ||= !isLeft(thing.by);
    model.follows = model.follows.filter((names) => names.every(isLeft));
  }

  /** @returns whether it was refused */
  async #ask({ who, route, args, act }: Request): Promise<boolean> {
    const told = await this.#actor.ask({ who, route, args: this.#original(args) });
    this.#story.push(`${who}: ${sentence(route, args)} → ${told.error?.code ?? told.status}`);
    const expected = answerOf(CREATING.test(route) ? 201 : 200, () => objectOf(act()));
    this.#compareOutcome('The answer', expected, told);
    const { data } = expected;
    if (data && 'id' in data) this.#learn(who, data as never, told.data);
    if (data && 'created' in data) {
      const created = told.data.hubs.map((hub: Json) => `${this.#nameOf(hub.hubId)} ${hub.created}`);
      this.#demand('The answer', data, { created });
    }
    if (route === 'DELETE /users/me' && data) this.#leaving.push(who);
    if (this.#actor.hasWorker) {
      await this.#fold();
      await this.#finish();
    }
    return told.error !== undefined;
  }

  /** What was made has a name from now on, and is answered as it is seen. */
  #learn(
    who: Name,
    made: Parameters<Words['comment']>[0] | Parameters<Words['detail']>[1],
    data: Json,
  ): void {
    const words = this.#words();
    const nameOf = (id: unknown) => this.#nameOf(id);
    if ('root' in made) {
      this.#call(data.id, labelOf.comment(made));
      this.#demand('The answer', words.comment(made), words.toldComment(data, nameOf));
    } else {
      this.#call(data.id, labelOf.post(made));
      this.#demand('The answer', words.detail(who, made), words.toldDetail(data, nameOf));
    }
  }

  #words(): Words {
    return new Words(this.#model, this.#leaving.length === 0);
  }

  async #look(luck: number, isTaken: (look: Look) => boolean): Promise<void> {
    // Nobody looks at the very instant of a deed.
    await this.#wait(1);
    const looks = this.#words().looks(luck).filter(isTaken);
    const asks = looks.map((look) => ({ ...look, args: this.#original(look.args) }));
    const answers = await this.#actor.askAll(asks).catch((error: Error) => {
      throw failureAfter(this.#story, [String(error)]);
    });
    for (const [index, look] of looks.entries()) {
      const told = answers[index];
      if (told === undefined) throw new Error('A request was not answered.');
      const what = `${look.who}: ${sentence(look.route, look.args)}`;
      const expected = look.expect();
      this.#compareOutcome(what, expected, told);
      if (told.error === undefined) {
        const seen = look.tell(told.data, (id) => this.#nameOf(id));
        this.#demand(what, expected.data, seen);
      }
    }
  }

  #compareOutcome(what: string, { status, code }: Answer, told: ApiResult): void {
    this.#demand(what, { status, code }, { status: told.status, code: told.error?.code });
  }

  #demand(what: string, expected: unknown, told: unknown): void {
    if (isDeepStrictEqual(expected, told)) return;
    const [wanted, got] = [expected, told].map((one) => JSON.stringify(one, null, 1));
    throw failureAfter(this.#story, [`${what}: expected ${wanted}`, `but was told ${got}`]);
  }

  #call(id: unknown, name: string): void {
    this.#names.set(id, name);
    this.#ids.set(name, id);
  }

  #nameOf(id: unknown): string {
    return this.#names.get(id) ?? String(id);
  }

  /** `args` with ids instead of names. */
  #original(args: object): object {
    const original = (value: unknown) => this.#ids.get(value) ?? value;
    return Object.fromEntries(
      Object.entries(args).map(([key, value]) => [
        key,
        key === 'q' ? value : Array.isArray(value) ? value.map(original) : original(value),
      ]),
    );
  }
}

function objectOf(made: unknown): object {
  return typeof made === 'object' && made !== null ? made : {};
}
