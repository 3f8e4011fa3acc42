import { conflict, forbidden, notFound, Refusal } from '../../support/models.ts';

/** People and their levels. */
export const LEVELS = { Maya: 4, Amara: 4, Jonas: 4, Ines: 4, Tariq: 4, Nora: 3 } as const;
export type Name = keyof typeof LEVELS;
export const CAST = Object.keys(LEVELS) as Name[];
/** The owner of an invited phone number; `Nobody` has no account. */
export type PhoneOwner = Name | 'Nobody';
export type Role = 'member' | 'manager' | 'admin';
type State = 'pending' | 'accepted' | 'declined' | 'expired';
type Decision = 'approved' | 'rejected';

export interface Hub {
  readonly label: string;
  /** In the order of their joining; empty if the Hub is closed. */
  readonly members: { readonly who: Name; readonly joinedOn: number; role: Role }[];
}

export interface Invitation {
  readonly label: string;
  readonly hub: Hub;
  readonly inviter: Name;
  readonly owner: PhoneOwner;
  /** The number of its last sending among all sendings. */
  sent: number;
  makesMember: boolean;
  state: State;
  expiresOn: number;
  token: string;
  /** The token of an earlier sending, which is void. */
  formerToken?: string;
}

export interface JoinRequest {
  readonly label: string;
  readonly hub: Hub;
  readonly who: Name;
  readonly source: 'invite_link' | 'member_invitation';
  /** The link whose use it holds. */
  link: Link | null;
  readonly madeOn: number;
  /** Whether another one was withdrawn or rejected in the week before. */
  readonly isRepeat: boolean;
  state: 'pending_admin_approval' | Decision | 'withdrawn';
  /** The day of its withdrawal or rejection. */
  endedOn?: number;
}

export interface Link {
  readonly label: string;
  readonly hub: Hub;
  readonly creator: Name;
  readonly expiresOn: number;
  readonly maxUses: number;
  useCount: number;
  isRevoked: boolean;
}

const RANK: Record<Role, number> = { member: 0, manager: 1, admin: 2 };
const INVITATION_DAYS = 7;
const REPEAT_DAYS = 7;
const MOST_REPEATS = 2;

export const phoneOf = (owner: PhoneOwner) => `${owner}'s phone`;
export const dayOf = (day: number) => `day ${day}`;

/**
 * The rules of Hub membership (docs/product.md H10) in memory. People, Hubs and invitations have labels: `Maya`, `Elm`,
 * `invitation 2`. Time counts in days.
 */
export class Model {
  day = 0;
  readonly hubs: Hub[] = [];
  readonly invitations: Invitation[] = [];
  readonly requests: JoinRequest[] = [];
  readonly links: Link[] = [];
  readonly blocks: [blocker: Name, blocked: Name][] = [];
  #sent = 0;
  #requested = 0;

  passDays(days: number): void {
    this.day += days;
    for (const invitation of this.invitations) {
      const isOver = invitation.state === 'pending' && invitation.expiresOn <= this.day;
      if (isOver) invitation.state = 'expired';
    }
  }

  createHub(who: Name, label: string): object {
    this.requireReady(who);
    this.hubs.push({ label, members: [{ who, role: 'admin', joinedOn: this.day }] });
    return { id: label, name: label, viewerStatus: 'member', viewerRole: 'admin', memberCount: 1 };
  }

  invite(who: Name, hub: Hub, owners: readonly PhoneOwner[]): object {
    this.enter(who, hub);
    return { items: [...new Set(owners)].map((owner) => this.#send(who, hub, owner)) };
  }

  #send(inviter: Name, hub: Hub, owner: PhoneOwner): object {
    const isSame = (one: Invitation) => one.hub === hub && one.inviter === inviter && one.owner === owner;
    const open = this.invitations.find((one) => isSame(one) && one.state === 'pending');
    const label = open?.label ?? `invitation ${this.invitations.length + 1}`;
    this.#sent += 1;
    const sending = {
      sent: this.#sent,
      makesMember: this.roleOf(inviter, hub) === 'admin',
      expiresOn: this.day + INVITATION_DAYS,
      token: `token ${this.#sent} of ${label}`,
    };
    if (open) Object.assign(open, sending, { formerToken: open.token });
    else this.invitations.push({ label, hub, inviter, owner, state: 'pending', ...sending });
    const expiresAt = dayOf(sending.expiresOn);
    return { id: label, phoneNumber: phoneOf(owner), state: 'pending', inviteUrl: sending.token, expiresAt };
  }

  accept(who: Name, invitation: Invitation): object {
    this.requireReady(who);
    this.#requirePending(who, invitation);
    const { hub, inviter } = invitation;
    if (this.roleOf(who, hub) !== null) throw conflict('ALREADY_MEMBER');
    const isDirect = invitation.makesMember && this.roleOf(inviter, hub) === 'admin';
    if (!isDirect && this.requestOf(who, hub)) throw conflict('JOIN_REQUEST_PENDING');
    invitation.state = 'accepted';
    if (isDirect) {
      this.#join(who, hub);
      return { hubId: hub.label, viewerStatus: 'member', joinRequestId: null };
    }
    const { label, state } = this.#requestToJoin(who, hub, 'member_invitation');
    return { hubId: hub.label, viewerStatus: state, joinRequestId: label };
  }

  decline(who: Name, invitation: Invitation): object {
    this.#requirePending(who, invitation);
    invitation.state = 'declined';
    return { id: invitation.label, state: 'declined' };
  }

  #requirePending(who: Name, { hub, inviter, owner, state }: Invitation): void {
    if (owner !== who || hub.members.length === 0 || this.isBlockedPair(who, inviter))
      throw notFound('INVITATION');
    if (state !== 'pending') throw conflict('INVITATION_NOT_PENDING');
  }

  createLink(who: Name, hub: Hub, days: number, maxUses: number): object {
    this.enter(who, hub, 'manager');
    const label = `link ${this.links.length + 1}`;
    const expiresOn = this.day + days;
    this.links.push({ label, hub, creator: who, expiresOn, maxUses, useCount: 0, isRevoked: false });
    const token = `token of ${label}`;
    return { id: label, token, url: token, maxUses, useCount: 0, expiresAt: dayOf(expiresOn) };
  }

  revoke(who: Name, hub: Hub, link: Link): object {
    this.enter(who, hub, 'manager', notFound('INVITE_LINK'));
    if (link.hub !== hub || link.isRevoked) throw notFound('INVITE_LINK');
    link.isRevoked = true;
    return {};
  }

  requestJoin(who: Name, link: Link): object {
    this.requireReady(who);
    if (!this.isUsable(link)) throw notFound('INVITE_LINK');
    if (this.roleOf(who, link.hub) !== null) throw conflict('ALREADY_MEMBER');
    if (this.requestOf(who, link.hub)) throw conflict('JOIN_REQUEST_PENDING');
    const { label, state } = this.#requestToJoin(who, link.hub, 'invite_link', link);
    return { id: label, hubId: link.hub.label, state };
  }

  decide(who: Name, hub: Hub, request: JoinRequest, state: Decision): object {
    this.enter(who, hub, 'admin', notFound('JOIN_REQUEST'));
    if (request.hub !== hub || request.state === 'withdrawn') throw notFound('JOIN_REQUEST');
    if (request.state !== 'pending_admin_approval') throw conflict('JOIN_REQUEST_NOT_PENDING');
    if (state === 'approved') this.#join(request.who, hub);
    else this.#end(request, state);
    return { id: request.label, state };
  }

  withdraw(who: Name, hub: Hub, request: JoinRequest): object {
    if (hub.members.length === 0) throw notFound('HUB');
    if (request.who !== who || request.hub !== hub || request.state === 'withdrawn')
      throw notFound('JOIN_REQUEST');
    if (request.state !== 'pending_admin_approval') throw conflict('JOIN_REQUEST_NOT_PENDING');
    this.#end(request, 'withdrawn');
    return {};
  }

  close(who: Name, hub: Hub): object {
    this.enter(who, hub, 'admin');
    hub.members.splice(0);
    return {};
  }

  remove(who: Name, hub: Hub, target: Name): object {
    this.enter(who, hub, 'admin', notFound('MEMBER'));
    return this.#endMembership(target, hub);
  }

  leave(who: Name, hub: Hub): object {
    this.enter(who, hub);
    return this.#endMembership(who, hub);
  }

  assignRole(who: Name, hub: Hub, target: Name, role: Role): object {
    this.enter(who, hub, 'admin');
    return this.#setRole(target, hub, role);
  }

  withdrawRole(who: Name, hub: Hub, target: Name): object {
    this.enter(who, hub, 'admin', notFound('MEMBER'));
    return this.#setRole(target, hub, 'member');
  }

  block(who: Name, target: Name): object {
    this.blocks.push([who, target]);
    return { blocked: true };
  }

  unblock(who: Name, target: Name): object {
    const index = this.blocks.findIndex(([blocker, blocked]) => blocker === who && blocked === target);
    this.blocks.splice(index, 1);
    return { blocked: false };
  }

  #setRole(who: Name, hub: Hub, role: Role): object {
    const member = this.memberOf(who, hub);
    if (!member) throw notFound('MEMBER');
    if (role !== 'admin' && this.#isLastAdmin(who, hub)) throw conflict('LAST_ADMIN');
    member.role = role;
    return { userId: who, role };
  }

  #requestToJoin(who: Name, hub: Hub, source: JoinRequest['source'], link: Link | null = null): JoinRequest {
    const isRecent = (day = Number.NEGATIVE_INFINITY) => day > this.day - REPEAT_DAYS;
    const own = this.requests.filter((request) => request.who === who && request.hub === hub);
    const isRepeat = link !== null && own.some(({ endedOn }) => isRecent(endedOn));
    const repeats = own.filter((request) => request.isRepeat && isRecent(request.madeOn));
    if (isRepeat && repeats.length >= MOST_REPEATS) throw new Refusal(429, 'RATE_LIMITED');
    if (link !== null) link.useCount += 1;
    this.#requested += 1;
    const label = `request ${this.#requested}`;
    const state = 'pending_admin_approval';
    const request: JoinRequest = { label, hub, who, source, link, madeOn: this.day, isRepeat, state };
    this.requests.push(request);
    return request;
  }

  #end(request: JoinRequest, state: 'rejected' | 'withdrawn'): void {
    if (request.link !== null) request.link.useCount -= 1;
    Object.assign(request, { state, link: null, endedOn: this.day });
  }

  #join(who: Name, hub: Hub): void {
    hub.members.push({ who, role: 'member', joinedOn: this.day });
    const request = this.requestOf(who, hub);
    if (request) request.state = 'approved';
    this.#closeInvitations(who, hub, 'accepted');
  }

  #endMembership(who: Name, hub: Hub): object {
    const index = hub.members.findIndex((member) => member.who === who);
    if (index < 0) throw notFound('MEMBER');
    if (this.#isLastAdmin(who, hub) && hub.members.length > 1) throw conflict('LAST_ADMIN');
    hub.members.splice(index, 1);
    for (const link of this.links) if (link.hub === hub && link.creator === who) link.isRevoked = true;
    this.#closeInvitations(who, hub, 'expired');
    return {};
  }

  #closeInvitations(who: Name, hub: Hub, state: State): void {
    for (const invitation of this.invitations) {
      const { hub: into, owner, state: before } = invitation;
      if (into === hub && owner === who && before === 'pending') invitation.state = state;
    }
  }

  #isLastAdmin(who: Name, hub: Hub): boolean {
    const admins = hub.members.filter(({ role }) => role === 'admin');
    return admins.length === 1 && admins[0]?.who === who;
  }

  /** Returns the rows that Opine must store, as text. */
  expectedRows() {
    const isOpen = ({ hub }: { hub: Hub }) => hub.members.length > 0;
    const open = this.hubs.filter(({ members }) => members.length > 0);
    const rowsOf = (items: readonly (Invitation | JoinRequest)[]) =>
      items.filter(isOpen).map(({ label, state }) => `${label},${state}`);
    return {
      hubs: open.map(({ label, members }) => `${label},${members.length}`),
      members: open.flatMap(({ label, members }) =>
        members.map(({ who, role }) => `${label},${who},${role}`),
      ),
      invitations: rowsOf(this.invitations),
      requests: rowsOf(this.requests.filter(({ state }) => state !== 'withdrawn')),
      links: this.links
        .filter((link) => isOpen(link) && this.isListed(link))
        .map(({ label, useCount }) => `${label},${useCount}`),
    };
  }

  requireReady(who: Name): void {
    const level = LEVELS[who];
    if (level < 4) throw new Refusal(403, 'FORBIDDEN', { requiredLevel: 4, level, nextStep: 'contacts' });
  }

  /** @throws Refusal unless `who` has at least `role` in `hub`; a non-member gets `nonMemberError` */
  enter(who: Name, hub: Hub, role: Role = 'member', nonMemberError = forbidden()): void {
    this.requireReady(who);
    if (hub.members.length === 0) throw notFound('HUB');
    const own = this.roleOf(who, hub);
    if (own === null) throw nonMemberError;
    if (RANK[own] < RANK[role]) throw forbidden();
  }

  memberOf(who: Name, hub: Hub) {
    return hub.members.find((member) => member.who === who);
  }

  roleOf(who: Name, hub: Hub): Role | null {
    return this.memberOf(who, hub)?.role ?? null;
  }

  atLeast(role: Role, hub: Hub): Name[] {
    return hub.members.filter((member) => RANK[member.role] >= RANK[role]).map(({ who }) => who);
  }

  /** Returns the pending request of `who`. */
  requestOf(who: Name, hub: Hub): JoinRequest | undefined {
    return this.requests.find(
      (request) => request.who === who && request.hub === hub && request.state === 'pending_admin_approval',
    );
  }

  /** Returns the invitations that `who` can accept. */
  invitationsOf(who: Name, hub: Hub): Invitation[] {
    return this.invitations
      .filter((one) => one.hub === hub && one.owner === who && one.state === 'pending')
      .filter(({ inviter }) => !this.isBlockedPair(who, inviter));
  }

  isListed({ isRevoked, expiresOn }: Link): boolean {
    return !isRevoked && expiresOn > this.day;
  }

  isUsable(link: Link): boolean {
    return this.isListed(link) && link.useCount < link.maxUses && link.hub.members.length > 0;
  }

  isBlockedPair(one: Name, other: Name): boolean {
    return this.blocks.some((pair) => pair.includes(one) && pair.includes(other) && one !== other);
  }
}
