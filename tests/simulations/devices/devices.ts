import type { Json } from '../../support/client.ts';
import type { EventStream, StreamEvent } from '../../support/event-stream.ts';
import { inboxPage } from '../../support/inbox-pagination.ts';
import type { Opine } from '../../support/opine.ts';
import type { Person } from '../../support/people.ts';
import { type PageAsk, Phone } from '../../support/phone.ts';
import { listening } from '../../support/streams.ts';

/** Whose devices they are, and what Opine has told of their inbox. */
export interface Account {
  readonly name: string;
  readonly person: Person;
  /** The newest version that was answered. */
  version: number;
  /** Everything that was stored for them when signals were last published. */
  stored: ReadonlySet<string>;
  /** Everything of which they may have been told at some time. */
  readonly due: Set<string>;
}

/** Something on its way to a device. */
interface Airborne {
  readonly label: string;
  /** Whether it is a hint of any kind, which may come twice, and not an answer. */
  readonly isSignal: boolean;
  arrive(): PageAsk | null;
}

/** What a device is made with. */
interface DeviceOptions {
  readonly name: string;
  readonly account: Account;
  /** With the session of this device. */
  readonly person: Person;
  /** Where push messages go; null where none do. */
  readonly token: string | null;
  readonly pageSize: number;
}

/** A phone with its connections, where nothing comes before somebody lets it. */
export class Device {
  readonly name: string;
  readonly account: Account;
  readonly person: Person;
  readonly token: string | null;
  readonly phone: Phone;
  isLoggedOut = false;
  readonly #pageSize: number;
  readonly #air: Airborne[] = [];
  #stream: EventStream | null = null;
  /** How many events of the stream were taken from it. */
  #taken = 0;

  constructor({ name, account, person, token, pageSize }: DeviceOptions) {
    this.name = name;
    this.account = account;
    this.person = person;
    this.token = token;
    this.phone = new Phone(person.id);
    this.#pageSize = pageSize;
  }

  get waiting(): number {
    return this.#air.length;
  }

  /** Asks Opine at once; the answer comes later. */
  async ask(ask: PageAsk | null): Promise<void> {
    if (ask === null) return;
    const { cursor } = ask;
    const page = await inboxPage(this.person, { limit: this.#pageSize, ...(cursor !== null && { cursor }) });
    acknowledge(this.account, page.inboxVersion);
    this.#send(`version ${page.inboxVersion}`, () => this.phone.gets(ask, page), false);
  }

  /** Marks one, or all, as read. */
  async mark(id: string | null, isShownAtOnce: boolean): Promise<void> {
    this.phone.marks(id, isShownAtOnce);
    const body = id === null ? { all: true } : { notificationId: id };
    const { status, data, error } = await this.person.patch('/notifications/read', body);
    if (status !== 200 && status !== 404) throw new Error(`${this.name} may not mark: ${error.code}`);
    // What is gone with its post is not there to be marked.
    const react = () => (status === 200 ? this.phone.isTold(data) : this.phone.refreshes());
    this.#send('marked', react, false);
  }

  async connect(opine: Opine): Promise<void> {
    const stream = await listening(opine, this.person);
    const [ready] = stream.events;
    const { unreadCount, inboxVersion } = await inboxPage(this.person, { limit: 1 });
    const said = JSON.stringify(ready?.data);
    if (said !== JSON.stringify({ unreadCount, inboxVersion }))
      throw new Error(
        `${this.name}: the stream begins with ${said}, and ${unreadCount} are unread in ${inboxVersion}`,
      );
    acknowledge(this.account, inboxVersion);
    this.#stream = stream;
    this.#taken = 1;
    this.#send('ready', () => this.phone.isReady({ unreadCount, inboxVersion }), true);
  }

  disconnect(isKilled: boolean): void {
    if (isKilled) this.#stream?.vanish();
    else this.#stream?.leave();
    this.#stream = null;
  }

  /** Takes from the stream what came: at least signals of `ids`, for which it waits. */
  async collect(ids: readonly string[]): Promise<StreamEvent[]> {
    const stream = this.#stream;
    if (stream === null) return [];
    const from = this.#taken;
    await Promise.all(ids.map((id) => stream.heard(behind(from, id))));
    const events = stream.events.slice(from).filter(({ event }) => event === 'notification');
    this.#taken = stream.events.length;
    for (const { data } of events) {
      acknowledge(this.account, data.inboxVersion);
      this.#send('hint', () => this.phone.hears(data), true);
    }
    return events;
  }

  /** A push message is on its way. */
  push(data: Json): void {
    this.#send('push', () => this.phone.isPushed(data), true);
  }

  /** One of those things on their way comes; one that comes twice is still on its way. */
  async arrives(place: number, isTwice: boolean): Promise<string> {
    const [index, one] = this.#pick(place);
    if (one === undefined) return 'nothing';
    if (!(isTwice && one.isSignal)) this.#air.splice(index, 1);
    await this.ask(one.arrive());
    return one.label;
  }

  /** One of them never comes. */
  loses(place: number): string {
    const [index, one] = this.#pick(place);
    this.#air.splice(index, 1);
    return one?.label ?? 'nothing';
  }

  #pick(place: number): [number, Airborne | undefined] {
    const index = place % Math.max(this.#air.length, 1);
    return [index, this.#air[index]];
  }

  #send(label: string, arrive: () => PageAsk | null, isSignal: boolean): void {
    this.#air.push({ label, arrive, isSignal });
  }
}

/** @throws where what is told now is older than what was told before */
function acknowledge(account: Account, version: number): void {
  if (version < account.version)
    throw new Error(`${account.name} was told of version ${account.version}, and then of ${version}`);
  account.version = version;
}

/** Whether an event is the hint of `id`, of those of a stream behind the first `count`. It is asked in their order. */
function behind(count: number, id: string): (event: StreamEvent) => boolean {
  let place = 0;
  return (event) => {
    place = event.event === 'ready' ? 0 : place + 1;
    return place >= count && event.id === id;
  };
}
