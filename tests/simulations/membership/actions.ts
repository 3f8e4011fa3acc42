import fc from 'fast-check';
import { pickLatest, weighted } from '../random.ts';
import {
  CAST,
  type Hub,
  type Invitation,
  type JoinRequest,
  LEVELS,
  type Link,
  type Model,
  type Name,
  type PhoneOwner,
  phoneOf,
  type Role,
} from './model.ts';

/** A request with labels instead of ids, and its effect on the model. */
export interface Action {
  readonly who: Name;
  /** Method and path. */
  readonly route: string;
  readonly args: object;
  readonly apply: () => object;
  readonly hub: Hub | null;
  /** The only person whom the action may make a member of the Hub. */
  readonly joiner?: Name;
}

/** Time passes without a request. */
export interface Pause {
  readonly days: number;
}

/** The random numbers of a step; `interpret` turns them into an action. */
export interface Choice {
  readonly action: ActionName;
  readonly hub: number;
  /** Null for a person who is likely allowed to act. */
  readonly who: Name | null;
  readonly pick: number;
  readonly other: number;
}

type ActionName = keyof typeof WEIGHTS;
type Interpreter = (model: Model, hub: Hub, choice: Choice) => Action | Pause | null;

const HUBS = ['Elm', 'Oak', 'Ash'];
// Notifications of ended memberships expire after about 30 days.
const LAST_DAY = 20;
const READY = CAST.filter((name) => LEVELS[name] === 4);
const PHONE_OWNERS: readonly PhoneOwner[] = [...READY, 'Nora', 'Nobody'];
const MAX_PICK = 11;

/** How often each action is drawn. */
const WEIGHTS = {
  ...{ createHub: 1, invite: 9, accept: 8, decline: 2, createLink: 4, revoke: 2, requestJoin: 7, approve: 6 },
  ...{ reject: 3, withdraw: 3, remove: 5, leave: 3, close: 1, assignRole: 4, withdrawRole: 3 },
  ...{ block: 2, unblock: 1, pass: 3 },
};

/** Returns an action; a route with `{hubId}` gets the label of `hub`. */
function action(who: Name, route: string, hub: Hub | null, args: object, apply: () => object): Action {
  const hubId = route.includes('{hubId}') && { hubId: hub?.label };
  return { who, route, args: { ...hubId, ...args }, apply, hub };
}

const createHub = (model: Model, who: Name, name: string): Action => ({
  ...action(who, 'POST /hubs', null, { name }, () => model.createHub(who, name)),
  joiner: who,
});

const invite = (model: Model, who: Name, hub: Hub, owners: readonly PhoneOwner[]): Action =>
  action(who, 'POST /hubs/{hubId}/invitations', hub, { phoneNumbers: owners.map(phoneOf) }, () =>
    model.invite(who, hub, owners),
  );

function accept(model: Model, who: Name, invitation: Invitation): Action {
  const route = 'POST /hub-invitations/{invitationId}/accept';
  const args = { invitationId: invitation.label };
  return { ...action(who, route, invitation.hub, args, () => model.accept(who, invitation)), joiner: who };
}

const assignRole = (model: Model, who: Name, hub: Hub, userId: Name, role: Role): Action =>
  action(who, 'POST /hubs/{hubId}/admins', hub, { userId, role }, () =>
    model.assignRole(who, hub, userId, role),
  );

/** Yields the first actions of every history. */
export function* opening(model: Model): Generator<Action> {
  yield createHub(model, 'Maya', 'Elm');
  yield createHub(model, 'Amara', 'Oak');
  for (const elm of model.hubs.slice(0, 1)) {
    yield invite(model, 'Maya', elm, ['Jonas']);
    for (const invitation of model.invitations) yield accept(model, 'Jonas', invitation);
    yield assignRole(model, 'Maya', elm, 'Jonas', 'manager');
  }
}

const decide =
  (verb: 'approve' | 'reject', state: 'approved' | 'rejected'): Interpreter =>
  (model, hub, { who, pick, other }) => {
    const isPending = (one: JoinRequest) => one.state === 'pending_admin_approval';
    const request = pickLatest(mostly(model.requests, isPending, other), pick);
    if (!request) return null;
    const into = hubOf(request, hub, other);
    const admin = who ?? among(model.atLeast('admin', into), other);
    const route = `POST /hubs/{hubId}/join-requests/{requestId}/${verb}`;
    const apply = () => model.decide(admin, into, request, state);
    const decision = action(admin, route, into, { requestId: request.label }, apply);
    return state === 'approved' ? { ...decision, joiner: request.who } : decision;
  };

const ACTIONS: Record<ActionName, Interpreter> = {
  createHub: (model, _, { who }) => {
    const name = HUBS[model.hubs.length];
    return name === undefined ? null : createHub(model, who ?? 'Maya', name);
  },
  invite: (model, hub, { who, pick, other }) => {
    const isNonMember = (owner: PhoneOwner) => !hub.members.some((member) => member.who === owner);
    const candidates = mostly(PHONE_OWNERS, isNonMember, pick);
    const owners = [pick, ...(other % 4 === 3 ? [other] : [])].map((index) => among(candidates, index));
    return invite(model, who ?? among(model.atLeast('member', hub), other), hub, owners);
  },
  accept: (model, _, { who, pick, other }) => {
    const invitation = pickLatest(openInvitations(model, other), pick);
    return invitation && accept(model, who ?? ownerOf(invitation), invitation);
  },
  decline: (model, _, { who, pick, other }) => {
    const invitation = pickLatest(openInvitations(model, other), pick);
    if (!invitation) return null;
    const invited = who ?? ownerOf(invitation);
    const route = 'POST /hub-invitations/{invitationId}/decline';
    const apply = () => model.decline(invited, invitation);
    return action(invited, route, invitation.hub, { invitationId: invitation.label }, apply);
  },
  createLink: (model, hub, { who, pick, other }) => {
    const manager = who ?? among(model.atLeast('manager', hub), other);
    const [maxUses, expiresInDays] = [1 + (pick % 3), other % 2 === 0 ? undefined : other];
    const args = { maxUses, ...(expiresInDays !== undefined && { expiresInDays }) };
    return action(manager, 'POST /hubs/{hubId}/invite-links', hub, args, () =>
      model.createLink(manager, hub, expiresInDays ?? 7, maxUses),
    );
  },
  revoke: (model, hub, { who, pick, other }) => {
    const link = pickLatest(model.links, pick);
    if (!link || link.expiresOn <= model.day) return null;
    const into = hubOf(link, hub, other);
    const manager = who ?? among(model.atLeast('manager', into), other);
    const route = 'DELETE /hubs/{hubId}/invite-links/{inviteLinkId}';
    return action(manager, route, into, { inviteLinkId: link.label }, () =>
      model.revoke(manager, into, link),
    );
  },
  requestJoin: (model, _, { who, pick, other }) => {
    const links = mostly(model.links, (link) => model.isUsable(link), other);
    const link = pickLatest(links, pick);
    if (!link) return null;
    const requester = who ?? among(nonMembersOf(model, link.hub), other);
    const [route, args] = [
      'POST /hub-invite-links/{token}/join-requests',
      { token: `token of ${link.label}` },
    ];
    return action(requester, route, link.hub, args, () => model.requestJoin(requester, link));
  },
  approve: decide('approve', 'approved'),
  reject: decide('reject', 'rejected'),
  withdraw: (model, hub, { who, pick, other }) => {
    const request = pickLatest(model.requests, pick);
    if (!request) return null;
    const [applicant, into] = [who ?? request.who, hubOf(request, hub, other)];
    const route = 'DELETE /hubs/{hubId}/join-requests/{requestId}';
    return action(applicant, route, into, { requestId: request.label }, () =>
      model.withdraw(applicant, into, request),
    );
  },
  remove: (model, hub, { who, pick, other }) => {
    const [admin, userId] = [who ?? among(model.atLeast('admin', hub), other), memberOf(model, hub, pick)];
    return action(admin, 'POST /hubs/{hubId}/members/{userId}/remove', hub, { userId }, () =>
      model.remove(admin, hub, userId),
    );
  },
  leave: (model, hub, { who, pick }) => {
    const member = who ?? among(model.atLeast('member', hub), pick);
    return action(member, 'DELETE /hubs/{hubId}/membership', hub, {}, () => model.leave(member, hub));
  },
  close: (model, hub, { who, other }) => {
    const admin = who ?? among(model.atLeast('admin', hub), other);
    return action(admin, 'DELETE /hubs/{hubId}', hub, {}, () => model.close(admin, hub));
  },
  assignRole: (model, hub, { who, pick, other }) => {
    const admin = who ?? among(model.atLeast('admin', hub), other);
    return assignRole(model, admin, hub, memberOf(model, hub, pick), other % 2 === 0 ? 'admin' : 'manager');
  },
  withdrawRole: (model, hub, { who, pick, other }) => {
    const [admin, userId] = [who ?? among(model.atLeast('admin', hub), other), memberOf(model, hub, pick)];
    return action(admin, 'DELETE /hubs/{hubId}/admins/{userId}', hub, { userId }, () =>
      model.withdrawRole(admin, hub, userId),
    );
  },
  block: (model, _, { who, pick }) => {
    const [blocker, userId] = [who ?? 'Maya', among(READY, pick)];
    if (blocker === userId || model.isBlockedPair(blocker, userId)) return null;
    return action(blocker, 'POST /users/{userId}/block', null, { userId }, () =>
      model.block(blocker, userId),
    );
  },
  unblock: (model, _, { pick }) => {
    const pair = pickLatest(model.blocks, pick);
    if (!pair) return null;
    const [blocker, userId] = pair;
    return action(blocker, 'DELETE /users/{userId}/block', null, { userId }, () =>
      model.unblock(blocker, userId),
    );
  },
  pass: (model, _, { pick }) => (model.day < LAST_DAY ? { days: 1 + (pick % 8) } : null),
};

/** Returns one of `names`, counted round and round; the first person if there are none. */
function among<T extends PhoneOwner>(names: readonly T[], index: number): T | 'Maya' {
  return names[index % names.length] ?? 'Maya';
}

/** Returns the fitting items for most values of `luck`, and all items for the others. */
function mostly<T>(items: readonly T[], fits: (item: T) => boolean, luck: number): readonly T[] {
  return luck < 9 ? items.filter(fits) : items;
}

function openInvitations(model: Model, luck: number): readonly Invitation[] {
  const isOpen = ({ state, owner, hub }: Invitation) =>
    state === 'pending' && READY.some((name) => name === owner && model.roleOf(name, hub) === null);
  return mostly(model.invitations, isOpen, luck);
}

/** Returns a member for most values of `pick`, and anybody for the others. */
function memberOf(model: Model, hub: Hub, pick: number): Name {
  return pick < 9 ? among(model.atLeast('member', hub).toReversed(), pick) : among(CAST, pick);
}

function nonMembersOf(model: Model, hub: Hub): Name[] {
  return READY.filter((name) => model.roleOf(name, hub) === null).reverse();
}

/** Returns the Hub of the item, and for one value of `other` a Hub that may be the wrong one. */
function hubOf(item: Link | JoinRequest, hub: Hub, other: number): Hub {
  return other === MAX_PICK ? hub : item.hub;
}

function ownerOf({ owner, inviter }: Invitation): Name {
  return owner === 'Nobody' ? inviter : owner;
}

/** Returns what `choice` means in the present state; null if it means nothing. */
export function interpret(model: Model, choice: Choice): Action | Pause | null {
  const hub = model.hubs[choice.hub % model.hubs.length];
  return hub ? ACTIONS[choice.action](model, hub, choice) : null;
}

const index = fc.nat({ max: MAX_PICK });

/** Draws a choice: most are about the first Hub, and most by a person who is likely allowed to act. */
export const choice: fc.Arbitrary<Choice> = fc.record({
  action: weighted(WEIGHTS),
  hub: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 2 }) }),
  who: fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...CAST) },
  ),
  pick: index,
  other: index,
});
