import { type Answer, answerOf, notFound } from '../../support/models.ts';
import {
  CAST,
  dayOf,
  type Hub,
  type Invitation,
  type Link,
  type Model,
  type Name,
  phoneOf,
} from './model.ts';

/** A read with labels instead of ids, and its expected answer. */
export interface Read {
  readonly who: Name;
  readonly route: string;
  readonly args: object;
  readonly expect: () => Answer;
}

// The keys of a Hub: all that the answer may have.
const PREVIEW = ['description', 'id', 'memberCount', 'name', 'profilePhotoUrl', 'viewerRole', 'viewerStatus'];
const WHOLE = ['activeUsers24h', 'customLink', ...PREVIEW];

/** Returns the reads after an action of `who`: the Hubs of everybody, and `hub` with its lists. */
export function readsAfter(model: Model, hub: Hub | null, who: Name): Read[] {
  const ownHubs = CAST.map((name) => read(name, 'GET /users/me/hubs', {}, () => hubsOf(model, name)));
  if (hub === null) return ownHubs;
  const at = (names: readonly (Name | undefined)[], path: string, expected: (name: Name) => object) =>
    [...new Set(names)]
      .filter((name) => name !== undefined)
      .map((name) => read(name, `GET /hubs/{hubId}${path}`, { hubId: hub.label }, () => expected(name)));
  const [first] = hub.members;
  const [admin] = model.atLeast('admin', hub);
  return [
    ...ownHubs,
    ...at(CAST, '', (name) => hubSeenBy(model, name, hub)),
    ...at([who, first?.who], '/members', (name) => members(model, name, hub)),
    ...at([who, hub.members.at(-1)?.who], '/admins', (name) =>
      members(model, name, hub, ['admin', 'manager']),
    ),
    ...at([who, admin], '/join-requests', (name) => requests(model, name, hub)),
    ...at([who, ...model.atLeast('member', hub)], '/invitations', (name) => invitations(model, name, hub)),
    ...at([who, admin], '/invite-links', (name) => links(model, name, hub)),
    ...readsByToken(model, who, hub),
  ];
}

/** Returns the reads of the last invitation sent and of the last link. */
function readsByToken(model: Model, who: Name, hub: Hub): Read[] {
  const byToken = 'GET /hub-invitations/by-token/{token}';
  const [last] = model.invitations
    .filter((one) => one.hub === hub)
    .sort((one, other) => other.sent - one.sent);
  const link = model.links.findLast((one) => one.hub === hub);
  const { token, formerToken } = last ?? {};
  return [
    ...(last ? [read(who, byToken, { token }, () => invitationSeenBy(model, who, last))] : []),
    ...(formerToken ? [read(who, byToken, { token: formerToken }, () => missing('INVITATION'))] : []),
    ...(link
      ? [
          read(who, 'GET /hub-invite-links/{token}', { token: `token of ${link.label}` }, () =>
            linkSeenBy(model, who, link),
          ),
        ]
      : []),
  ];
}

function missing(thing: string): never {
  throw notFound(thing);
}

function read(who: Name, route: string, args: object, expected: () => object): Read {
  return { who, route, args, expect: () => answerOf(200, expected) };
}

function hubSeenBy(model: Model, who: Name, hub: Hub): object {
  const { label: id, members } = hub;
  if (members.length === 0) throw notFound('HUB');
  const viewerStatus = statusOf(model, who, hub);
  const seen = { id, viewerStatus, viewerRole: model.roleOf(who, hub), memberCount: members.length };
  if (viewerStatus === 'member') return { ...seen, keys: WHOLE };
  const joinRequestId = model.requestOf(who, hub)?.label;
  if (joinRequestId !== undefined) return { ...seen, joinRequestId, keys: ['joinRequestId', ...PREVIEW] };
  if (viewerStatus === 'none') return { ...seen, keys: PREVIEW };
  // Opine may name any of them.
  const invitationId = new Set(model.invitationsOf(who, hub).map(({ label }) => label));
  return { ...seen, invitationId, keys: ['invitationId', ...PREVIEW] };
}

function invitationSeenBy(model: Model, who: Name, invitation: Invitation): object {
  const { label: id, hub, state, inviter, expiresOn } = invitation;
  if (hub.members.length === 0) throw notFound('INVITATION');
  const expiresAt = state === 'pending' && { expiresAt: dayOf(expiresOn) };
  // The rules leave open whether the name of a blocked inviter shows.
  const invitedBy = !model.isBlockedPair(who, inviter) && { invitedBy: { displayName: inviter } };
  return { id, state, ...expiresAt, hub: previewFor(model, who, hub), ...invitedBy };
}

function linkSeenBy(model: Model, who: Name, link: Link): object {
  const { hub, expiresOn } = link;
  if (!model.isUsable(link)) throw notFound('INVITE_LINK');
  const preview = previewFor(model, who, hub);
  return { hub: preview, expiresAt: dayOf(expiresOn), viewerStatus: statusOf(model, who, hub) };
}

/** Returns the Hub that the holder of a token sees, members included. */
function previewFor(model: Model, who: Name, hub: Hub): object {
  return { id: hub.label, memberCount: hub.members.length, viewerStatus: statusOf(model, who, hub) };
}

function statusOf(model: Model, who: Name, hub: Hub): string {
  if (model.roleOf(who, hub) !== null) return 'member';
  const isInvited = model.invitationsOf(who, hub).length > 0;
  return model.requestOf(who, hub)?.state ?? (isInvited ? 'invited' : 'none');
}

/** Lists Hubs with invitations, then requests, then memberships, each newest first; a second sending changes no order. */
function hubsOf(model: Model, who: Name): object {
  const groups: Hub[][] = [
    model.invitations.filter((one) => model.invitationsOf(who, one.hub).includes(one)).map(({ hub }) => hub),
    model.requests.filter((one) => model.requestOf(who, one.hub) === one).map(({ hub }) => hub),
    model.hubs.filter((hub) => model.roleOf(who, hub) !== null),
  ];
  const statuses = ['invited', 'pending_admin_approval', 'member'];
  const listed = groups.flatMap((hubs, index) =>
    [...new Set(hubs.reverse())].filter((hub) => statusOf(model, who, hub) === statuses[index]),
  );
  const open = listed.filter(({ members }) => members.length > 0);
  return { items: open.map((hub) => hubSeenBy(model, who, hub)) };
}

function members(model: Model, who: Name, hub: Hub, roles = ['admin', 'manager', 'member']): object {
  model.enter(who, hub);
  const listed = hub.members.filter(({ role }) => roles.includes(role)).reverse();
  return {
    items: listed.map(({ who: userId, role, joinedOn }) => ({
      userId,
      displayName: userId,
      phoneNumber: phoneOf(userId),
      role,
      joinedAt: dayOf(joinedOn),
    })),
  };
}

function requests(model: Model, who: Name, hub: Hub): object {
  model.enter(who, hub, 'manager');
  const open = model.requests.filter((one) => one.hub === hub && one.state === 'pending_admin_approval');
  return {
    items: open.reverse().map(({ label: id, who: userId, state, source }) => ({
      id,
      user: { userId, displayName: userId },
      state,
      source,
    })),
  };
}

function invitations(model: Model, who: Name, hub: Hub): object {
  model.enter(who, hub);
  const seesAll = model.roleOf(who, hub) !== 'member';
  const seen = model.invitations.filter((one) => one.hub === hub && (seesAll || one.inviter === who));
  return {
    // Invitations of one request have the same time.
    anyOrder: seen.map(({ label: id, owner, state, inviter, expiresOn }) => ({
      id,
      phoneNumber: phoneOf(owner),
      state,
      inviteUrl: null,
      shareText: null,
      ...(state === 'pending' && { expiresAt: dayOf(expiresOn) }),
      invitedBy: { userId: inviter, displayName: inviter },
    })),
  };
}

function links(model: Model, who: Name, hub: Hub): object {
  model.enter(who, hub, 'manager');
  const listed = model.links.filter((link) => link.hub === hub && model.isListed(link)).reverse();
  return {
    items: listed.map(({ label: id, expiresOn, maxUses, useCount }) => ({
      id,
      token: null,
      url: null,
      expiresAt: dayOf(expiresOn),
      maxUses,
      useCount,
    })),
  };
}
