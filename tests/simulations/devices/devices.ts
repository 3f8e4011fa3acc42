import type { Json } from '../../support/client.ts';
import { inboxPage } from '../../support/inbox.ts';
import type { Opine } from '../../support/opine.ts';
import type { Person } from '../../support/people.ts';
import { type PageRequest, Phone } from '../../support/phone.ts';
import { type EventStream, openReadyStream, type StreamEvent } from '../../support/streams.ts';

/** The owner of devices, and what Opine has said about the inbox. */
export interface Account {
  readonly name: string;
  readonly person: Person;
  /** The newest version in an answer. */
  version: number;
  /** The ids stored at the last publication of signals. */
  stored: ReadonlySet<string>;
  /** Every id that was due at some time. */
  readonly due: Set<string>;
}

/** An answer, signal or push on its way to a device. */
interface InFlight {
  readonly label: string;
  /** Whether it is a signal or push, which may arrive twice, and not an answer. */
  readonly isSignal: boolean;
  arrive(): PageRequest | null;
}

interface DeviceOptions {
  readonly name: string;
  readonly account: Account;
  /** The owner with the session of this device. */
  readonly person: Person;
  /** The push token, or null. */
  readonly token: string | null;
  readonly pageSize: number;
}

/** A phone; everything sent to it arrives only when the simulation says so. */
export class Device {
  readonly name: string;
  readonly account: Account;
  readonly person: Person;
  readonly token: string | null;
  readonly phone: Phone;
  isLoggedOut = false;
  readonly #pageSize: number;
  readonly #inFlight: InFlight[] = [];
  #stream: EventStream | null = null;
  /** The number of stream events collected so far. */
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
    return this.#inFlight.length;
  }

  /** Requests a page now; its answer arrives later. */
  async request(wanted: PageRequest | null): Promise<void> {
    if (wanted === null) return;
    const { cursor } = wanted;
    const page = await inboxPage(this.person, { limit: this.#pageSize, ...(cursor !== null && { cursor }) });
    acknowledge(this.account, page.inboxVersion);
    this.#send(`version ${page.inboxVersion}`, () => this.phone.onPage(wanted, page), false);
  }

  /** Marks one notification, or all, as read. */
  async mark(id: string | null, isShownAtOnce: boolean): Promise<void> {
    this.phone.onMark(id, isShownAtOnce);
    const body = id === null ? { all: true } : { notificationId: id };
    const { status, data, error } = await this.person.patch('/notifications/read', body);
    if (status !== 200 && status !== 404) throw new Error(`${this.name} may not mark: ${error.code}`);
    // A notification may be gone with its post.
    const react = () => (status === 200 ? this.phone.onMarked(data) : this.phone.onRefresh());
    this.#send('marked', react, false);
  }

  async connect(opine: Opine): Promise<void> {
    const stream = await openReadyStream(opine, this.person);
    const [ready] = stream.events;
    const { unreadCount, inboxVersion } = await inboxPage(this.person, { limit: 1 });
    const actual = JSON.stringify(ready?.data);
    if (actual !== JSON.stringify({ unreadCount, inboxVersion }))
      throw new Error(
        `${this.name}: the stream begins with ${actual}, but ${unreadCount} are unread in ${inboxVersion}`,
      );
    acknowledge(this.account, inboxVersion);
    this.#stream = stream;
    this.#taken = 1;
    this.#send('ready', () => this.phone.onReady({ unreadCount, inboxVersion }), true);
  }

  disconnect(isKilled: boolean): void {
    if (isKilled) this.#stream?.vanish();
    else this.#stream?.leave();
    this.#stream = null;
  }

  /** Collects new stream events, after waiting for the signals of `ids`. */
  async collect(ids: readonly string[]): Promise<StreamEvent[]> {
    const stream = this.#stream;
    if (stream === null) return [];
    const from = this.#taken;
    await Promise.all(ids.map((id) => stream.waitFor(behind(from, id))));
    const events = stream.events.slice(from).filter(({ event }) => event === 'notification');
    this.#taken = stream.events.length;
    for (const { data } of events) {
      acknowledge(this.account, data.inboxVersion);
      this.#send('signal', () => this.phone.onSignal(data), true);
    }
    return events;
  }

  /** Sends a push towards the device. */
  push(data: Json): void {
    this.#send('push', () => this.phone.onPush(data), true);
  }

  /** Lets one item arrive; with `isTwice` a signal stays on its way too. */
  async arrive(position: number, isTwice: boolean): Promise<string> {
    const [index, one] = this.#pick(position);
    if (one === undefined) return 'nothing';
    if (!(isTwice && one.isSignal)) this.#inFlight.splice(index, 1);
    await this.request(one.arrive());
    return one.label;
  }

  /** Loses one item. */
  lose(position: number): string {
    const [index, one] = this.#pick(position);
    this.#inFlight.splice(index, 1);
    return one?.label ?? 'nothing';
  }

  #pick(position: number): [number, InFlight | undefined] {
    const index = position % Math.max(this.#inFlight.length, 1);
    return [index, this.#inFlight[index]];
  }

  #send(label: string, arrive: () => PageRequest | null, isSignal: boolean): void {
    this.#inFlight.push({ label, arrive, isSignal });
  }
}

/** @throws Error if a version is older than an earlier one */
function acknowledge(account: Account, version: number): void {
  if (version < account.version)
    throw new Error(`${account.name} got version ${version} after ${account.version}`);
  account.version = version;
}

/** Returns a check for the signal of `id` among the events after the first `count`, called in their order. */
function behind(count: number, id: string): (event: StreamEvent) => boolean {
  let index = 0;
  return (event) => {
    index = event.event === 'ready' ? 0 : index + 1;
    return index >= count && event.id === id;
  };
}
