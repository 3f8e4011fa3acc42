import fc from 'fast-check';
import {
  CAST,
  type Hub,
  type Invitation,
  type JoinRequest,
  LEVELS,
  type Link,
  type Model,
  type Name,
  type Owner,
  phoneOf,
  type Role,
} from './model.ts';

/** What somebody does, by names: a request, and the same in the model. */
export interface Deed {
  readonly who: Name;
  /** Method and path. */
  readonly route: string;
  readonly args: object;
  readonly act: () => object;
  /** The Hub that it is about. */
  readonly hub: Hub | null;
  /** The only one whom it may make an active member of a Hub. */
  readonly joiner?: Name;
}

/** So many days pass. */
export interface Pause {
  readonly days: number;
}

/** What a move is drawn as; what it means depends on what there is by then. */
export interface Choice {
  readonly move: MoveName;
  readonly hub: number;
  /** Null for somebody who may well do it. */
  readonly who: Name | null;
  readonly pick: number;
  readonly other: number;
}

const HUBS = ['Elm', 'Oak', 'Ash'];
// Whoever is told of an end is told no longer, some 30 days after it.
const LAST_DAY = 20;
const READY = CAST.filter((name) => LEVELS[name] === 4);
const OWNERS: readonly Owner[] = [...READY, 'Nora', 'Nobody'];
const MAX_PICK = 11;

function founding(model: Model, who: Name, name: string): Deed {
  const act = () => model.found(who, name);
  return { who, route: 'POST /hubs', args: { name }, act, hub: null, joiner: who };
}

function inviting(model: Model, who: Name, hub: Hub, owners: readonly Owner[]): Deed {
  const args = { hubId: hub.label, phoneNumbers: owners.map(phoneOf) };
  return {
    who,
    route: 'POST /hubs/{hubId}/invitations',
    args,
    act: () => model.invite(who, hub, owners),
    hub,
  };
}

function accepting(model: Model, who: Name, invitation: Invitation): Deed {
  const act = () => model.accept(who, invitation);
  const args = { invitationId: invitation.label };
  const { hub } = invitation;
  return { who, route: 'POST /hub-invitations/{invitationId}/accept', args, act, hub, joiner: who };
}

function declining(model: Model, who: Name, invitation: Invitation): Deed {
  const act = () => model.decline(who, invitation);
  const args = { invitationId: invitation.label };
  return { who, route: 'POST /hub-invitations/{invitationId}/decline', args, act, hub: invitation.hub };
}

function offering(model: Model, who: Name, hub: Hub, maxUses: number, expiresInDays?: number): Deed {
  const act = () => model.offerLink(who, hub, expiresInDays ?? 7, maxUses);
  const args = { hubId: hub.label, maxUses, ...(expiresInDays !== undefined && { expiresInDays }) };
  return { who, route: 'POST /hubs/{hubId}/invite-links', args, act, hub };
}

function revoking(model: Model, who: Name, hub: Hub, link: Link): Deed {
  const act = () => model.revoke(who, hub, link);
  const args = { hubId: hub.label, inviteLinkId: link.label };
  return { who, route: 'DELETE /hubs/{hubId}/invite-links/{inviteLinkId}', args, act, hub };
}

function asking(model: Model, who: Name, link: Link): Deed {
  const act = () => model.requestJoin(who, link);
  const args = { token: `token of ${link.label}` };
  return { who, route: 'POST /hub-invite-links/{token}/join-requests', args, act, hub: link.hub };
}

function approving(model: Model, who: Name, hub: Hub, request: JoinRequest): Deed {
  const act = () => model.decide(who, hub, request, 'approved');
  const args = { hubId: hub.label, requestId: request.label };
  const route = 'POST /hubs/{hubId}/join-requests/{requestId}/approve';
  return { who, route, args, act, hub, joiner: request.who };
}

function rejecting(model: Model, who: Name, hub: Hub, request: JoinRequest): Deed {
  const act = () => model.decide(who, hub, request, 'rejected');
  const args = { hubId: hub.label, requestId: request.label };
  return { who, route: 'POST /hubs/{hubId}/join-requests/{requestId}/reject', args, act, hub };
}

function removing(model: Model, who: Name, hub: Hub, userId: Name): Deed {
  const act = () => model.remove(who, hub, userId);
  const args = { hubId: hub.label, userId };
  return { who, route: 'POST /hubs/{hubId}/members/{userId}/remove', args, act, hub };
}

function leaving(model: Model, who: Name, hub: Hub): Deed {
  const act = () => model.leave(who, hub);
  return { who, route: 'DELETE /hubs/{hubId}/membership', args: { hubId: hub.label }, act, hub };
}

function appointing(model: Model, who: Name, hub: Hub, userId: Name, role: Role): Deed {
  const act = () => model.appoint(who, hub, userId, role);
  return { who, route: 'POST /hubs/{hubId}/admins', args: { hubId: hub.label, userId, role }, act, hub };
}

function dismissing(model: Model, who: Name, hub: Hub, userId: Name): Deed {
  const act = () => model.dismiss(who, hub, userId);
  return { who, route: 'DELETE /hubs/{hubId}/admins/{userId}', args: { hubId: hub.label, userId }, act, hub };
}

function blocking(model: Model, who: Name, userId: Name): Deed {
  const act = () => model.block(who, userId);
  return { who, route: 'POST /users/{userId}/block', args: { userId }, act, hub: null };
}

function unblocking(model: Model, who: Name, userId: Name): Deed {
  const act = () => model.unblock(who, userId);
  return { who, route: 'DELETE /users/{userId}/block', args: { userId }, act, hub: null };
}

/** How every history begins. */
export function* opening(model: Model): Generator<Deed> {
  yield founding(model, 'Maya', 'Elm');
  yield founding(model, 'Amara', 'Oak');
  for (const elm of model.hubs.slice(0, 1)) {
    yield inviting(model, 'Maya', elm, ['Jonas']);
    for (const invitation of model.invitations) yield accepting(model, 'Jonas', invitation);
    yield appointing(model, 'Maya', elm, 'Jonas', 'manager');
  }
}

type Move = (model: Model, hub: Hub, choice: Choice) => Deed | Pause | null;
type MoveName = keyof typeof WEIGHTS;

/** How often each move is drawn. */
const WEIGHTS = {
  ...{ found: 1, invite: 9, accept: 8, decline: 2, offerLink: 4, revoke: 2, requestJoin: 7, approve: 6 },
  ...{ reject: 3, remove: 5, leave: 3, appoint: 4, dismiss: 3, block: 2, unblock: 1, pass: 3 },
};

const MOVES: Record<MoveName, Move> = {
  found: (model, _, { who }) => {
    const name = HUBS[model.hubs.length];
    return name === undefined ? null : founding(model, who ?? 'Maya', name);
  },
  invite: (model, hub, { who, pick, other }) => {
    const apt = mostly(OWNERS, (owner) => !hub.members.some((member) => member.who === owner), pick);
    const owners = [pick, ...(other % 4 === 3 ? [other] : [])].map((place) => among(apt, place));
    return inviting(model, who ?? among(model.atLeast('member', hub), other), hub, owners);
  },
  accept: (model, _, { who, pick, other }) => {
    const invitation = latest(openInvitations(model, other), pick);
    return invitation && accepting(model, who ?? ownerOf(invitation), invitation);
  },
  decline: (model, _, { who, pick, other }) => {
    const invitation = latest(openInvitations(model, other), pick);
    return invitation && declining(model, who ?? ownerOf(invitation), invitation);
  },
  offerLink: (model, hub, { who, pick, other }) => {
    const days = other % 2 === 0 ? undefined : other;
    return offering(model, who ?? among(model.atLeast('manager', hub), other), hub, 1 + (pick % 3), days);
  },
  revoke: (model, hub, { who, pick, other }) => {
    const link = latest(model.links, pick);
    if (!link || link.expiresOn <= model.day) return null;
    const into = hubOf(link, hub, other);
    return revoking(model, who ?? among(model.atLeast('manager', into), other), into, link);
  },
  requestJoin: (model, _, { who, pick, other }) => {
    const links = mostly(model.links, (link) => model.isUsable(link), other);
    const link = latest(links, pick);
    return link && asking(model, who ?? among(strangersTo(model, link.hub), other), link);
  },
  approve: (model, hub, { who, pick, other }) => {
    const request = latest(openRequests(model, other), pick);
    if (!request) return null;
    const into = hubOf(request, hub, other);
    return approving(model, who ?? among(model.atLeast('admin', into), other), into, request);
  },
  reject: (model, hub, { who, pick, other }) => {
    const request = latest(openRequests(model, other), pick);
    if (!request) return null;
    const into = hubOf(request, hub, other);
    return rejecting(model, who ?? among(model.atLeast('admin', into), other), into, request);
  },
  remove: (model, hub, { who, pick, other }) =>
    removing(model, who ?? among(model.atLeast('admin', hub), other), hub, somebodyIn(model, hub, pick)),
  leave: (model, hub, { who, pick }) => leaving(model, who ?? among(model.atLeast('member', hub), pick), hub),
  appoint: (model, hub, { who, pick, other }) => {
    const role = other % 2 === 0 ? 'admin' : 'manager';
    const admin = who ?? among(model.atLeast('admin', hub), other);
    return appointing(model, admin, hub, somebodyIn(model, hub, pick), role);
  },
  dismiss: (model, hub, { who, pick, other }) =>
    dismissing(model, who ?? among(model.atLeast('admin', hub), other), hub, somebodyIn(model, hub, pick)),
  block: (model, _, { who, pick }) => {
    const [blocker, blocked] = [who ?? 'Maya', among(READY, pick)];
    return blocker === blocked || model.areEstranged(blocker, blocked)
      ? null
      : blocking(model, blocker, blocked);
  },
  unblock: (model, _, { pick }) => {
    const pair = latest(model.blocks, pick);
    return pair && unblocking(model, ...pair);
  },
  pass: (model, _, { pick }) => (model.day < LAST_DAY ? { days: 1 + (pick % 8) } : null),
};

/** One of `names`, going round; the first of all where there is none. */
function among<T extends Owner>(names: readonly T[], place: number): T | 'Maya' {
  return names[place % names.length] ?? 'Maya';
}

/** One of `things`, going round from the newest. */
function latest<T>(things: readonly T[], place: number): T | null {
  return things[things.length - 1 - (place % things.length)] ?? null;
}

/** Mostly those of `things` that are apt; now and then all. */
function mostly<T>(things: readonly T[], isApt: (thing: T) => boolean, luck: number): readonly T[] {
  return luck < 9 ? things.filter(isApt) : things;
}

function openInvitations(model: Model, luck: number): readonly Invitation[] {
  const isOpen = ({ state, owner, hub }: Invitation) =>
    state === 'pending' && READY.some((name) => name === owner && model.roleOf(name, hub) === null);
  return mostly(model.invitations, isOpen, luck);
}

function openRequests(model: Model, luck: number): readonly JoinRequest[] {
  return mostly(model.requests, ({ state }) => state === 'pending_admin_approval', luck);
}

/** A member mostly. */
function somebodyIn(model: Model, hub: Hub, pick: number): Name {
  const isMember = pick < 9;
  return isMember ? among(model.atLeast('member', hub).toReversed(), pick) : among(CAST, pick);
}

function strangersTo(model: Model, hub: Hub): Name[] {
  return READY.filter((name) => model.roleOf(name, hub) === null).reverse();
}

/** Whose Hub it is; now and then `hub`, where it may not be found. */
function hubOf(thing: Link | JoinRequest, hub: Hub, other: number): Hub {
  return other === MAX_PICK ? hub : thing.hub;
}

function ownerOf({ owner, inviter }: Invitation): Name {
  return owner === 'Nobody' ? inviter : owner;
}

/** What `choice` means by now, null where it means nothing. */
export function meaningOf(model: Model, choice: Choice): Deed | Pause | null {
  const hub = model.hubs[choice.hub % model.hubs.length];
  return hub ? MOVES[choice.move](model, hub, choice) : null;
}

const place = fc.nat({ max: MAX_PICK });
const weighted = Object.entries(WEIGHTS).map(([move, weight]) => ({
  weight,
  arbitrary: fc.constant(move as MoveName),
}));

/** A move: mostly one that is about the first Hub, and by somebody who may well do it. */
export const choice: fc.Arbitrary<Choice> = fc.record({
  move: fc.oneof(...weighted),
  hub: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 2 }) }),
  who: fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...CAST) },
  ),
  pick: place,
  other: place,
});
