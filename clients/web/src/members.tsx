import type { Hub, HubMember, HubStaffRole } from '@opine/client';
import { ShieldCheckIcon, ShieldSlashIcon, XCircleIcon } from '@primer/octicons-react';
import { done, opine, queries, useAction, useList, useSubmit } from './api.ts';
import { Form } from './form.tsx';
import { Block, Report } from './report.tsx';
import { Confirm, More, Sheet, SheetAction, useFinish } from './sheet.tsx';
import { useUserId } from './tokens.ts';
import { Action, Items, Person, Problem } from './ui.tsx';

/** The members of a Hub, and the requests of those who want to be. */
export function Members({ hub }: { hub: Hub }) {
  const path = { hubId: hub.id };
  const ownId = useUserId();
  const list = useList(['hub', hub.id, 'members'], async (query) => {
    const { items, nextCursor } = await opine.get('/hubs/{hubId}/members', { params: { path, query } });
    return { items: items.map((member) => ({ ...member, id: member.userId })), nextCursor };
  });
  return (
    <>
      {hub.viewerRole !== 'member' && <Requests hub={hub} />}
      <Items list={list} empty={null}>
        {(member) => (
          <div className="row list-row">
            <Person person={{ ...member, name: member.displayName }}>
              · {member.role} · {member.phoneNumber}
            </Person>
            {member.id !== ownId && <Menu hub={hub} member={member} />}
          </div>
        )}
      </Items>
    </>
  );
}

type MemberProps = { hub: Hub; member: HubMember };

function Menu({ hub, member }: MemberProps) {
  const { userId, displayName, role } = member;
  return (
    <More of={displayName}>
      {hub.viewerRole === 'admin' && (
        <>
          {role !== 'admin' && <Appoint hub={hub} member={member} to="admin" />}
          {role !== 'manager' && <Appoint hub={hub} member={member} to="manager" />}
          {role !== 'member' && <Demote hub={hub} member={member} />}
          <Remove hub={hub} member={member} />
        </>
      )}
      <Report kind="person" id={userId} />
      <Block id={userId} name={displayName} />
    </More>
  );
}

function Appoint({ hub, member, to: role }: MemberProps & { to: HubStaffRole }) {
  const appoint = useAction(
    () =>
      opine.post('/hubs/{hubId}/admins', {
        params: { path: { hubId: hub.id } },
        body: { userId: member.userId, role },
      }),
    done(`${member.displayName} is ${role} now.`, [['hub', hub.id]]),
  );
  return (
    <SheetAction icon={ShieldCheckIcon} run={appoint}>
      Make {role}
    </SheetAction>
  );
}

function Demote({ hub, member: { userId, displayName, role } }: MemberProps) {
  const demote = useAction(
    () => opine.delete('/hubs/{hubId}/admins/{userId}', { params: { path: { hubId: hub.id, userId } } }),
    done(`${displayName} is a member without a role now.`, [['hub', hub.id]]),
  );
  return (
    <SheetAction icon={ShieldSlashIcon} run={demote}>
      No longer {role}
    </SheetAction>
  );
}

function Remove({ hub, member }: MemberProps) {
  return (
    <Sheet title={`Remove ${member.displayName}?`} icon={XCircleIcon} button="Remove from the Hub" hasForm>
      <RemoveForm hub={hub} member={member} />
    </Sheet>
  );
}

function RemoveForm({ hub, member: { userId, displayName } }: MemberProps) {
  const finish = useFinish();
  const remove = useSubmit(
    ({ removePosts }: Record<string, string>) =>
      opine.post('/hubs/{hubId}/members/{userId}/remove', {
        params: { path: { hubId: hub.id, userId } },
        body: { removePosts: removePosts !== undefined },
      }),
    () => {
      done(`${displayName} is no longer a member.`, [['hub', hub.id]])();
      finish();
    },
  );
  return (
    <Form label="Remove" run={remove} submit="Remove">
      <p>They no longer see anything of this Hub, and learn that you removed them.</p>
      <label className="check">
        <input type="checkbox" name="removePosts" /> Remove what they posted and shared here, too
      </label>
    </Form>
  );
}

/** Open join requests, which managers see and admins decide. */
function Requests({ hub }: { hub: Hub }) {
  const list = useList(['hub', hub.id, 'requests'], (query) =>
    opine.get('/hubs/{hubId}/join-requests', { params: { path: { hubId: hub.id }, query } }),
  );
  if (list.items.length === 0) return <Problem error={list.error} retry={list.refetch} />;
  return (
    <section className="card" aria-labelledby="requests">
      <h2 id="requests">Requests to join</h2>
      {hub.viewerRole !== 'admin' && <p className="hint">Admins decide on them.</p>}
      <Items list={list} empty={null}>
        {({ id, user }) => (
          <div className="row list-row">
            <Person person={{ ...user, id: user.userId, name: user.displayName }} />
            {hub.viewerRole === 'admin' && <Decide path={{ hubId: hub.id, requestId: id }} />}
          </div>
        )}
      </Items>
    </section>
  );
}

/** Approves or rejects a request. */
function Decide({ path }: { path: { hubId: string; requestId: string } }) {
  // The promise keeps the buttons disabled until the request is gone from the list.
  const onDecided = () => queries.invalidateQueries({ queryKey: ['hub', path.hubId] });
  const approve = useAction(
    () => opine.post('/hubs/{hubId}/join-requests/{requestId}/approve', { params: { path } }),
    onDecided,
  );
  const reject = useSubmit(
    () => opine.post('/hubs/{hubId}/join-requests/{requestId}/reject', { params: { path } }),
    onDecided,
  );
  return (
    <>
      <Action isLoud run={approve}>
        Let in
      </Action>
      <Confirm title="Reject the request?" button="Reject" answer="Reject" run={reject}>
        <p>The person learns it. To ask again, they need a link or an invitation.</p>
      </Confirm>
    </>
  );
}
