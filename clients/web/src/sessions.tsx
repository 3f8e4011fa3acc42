import { isOpineError, type OwnSession } from '@opine/client';
import { done, invalidate, opine, useAction, useList, useRead, useSubmit } from './api.ts';
import { Unblock } from './profile.tsx';
import { Confirm } from './sheet.tsx';
import { Action, dayOf, Items, Page, Person, QueryPage, TimeAgo } from './ui.tsx';

const KINDS: Readonly<Record<OwnSession['kind'], string>> = {
  ios: 'iPhone or iPad',
  android: 'Android phone',
  web: 'Browser',
  other: 'Another device',
};

/** Ends a session, which may have ended by itself meanwhile. */
async function endSession(sessionId: string): Promise<void> {
  try {
    await opine.delete('/users/me/sessions/{sessionId}', { params: { path: { sessionId } } });
  } catch (error) {
    if (!isOpineError(error, 'SESSION_NOT_FOUND')) throw error;
  } finally {
    invalidate(['sessions']);
  }
}

/** Where the person is signed in, with ways to end one session or all others. */
export function SessionsPage() {
  const query = useRead(['sessions'], () => opine.get('/users/me/sessions'));
  const others = query.data?.items.filter(({ isCurrent }) => !isCurrent) ?? [];
  const endOthers = useSubmit(
    () => Promise.all(others.map(({ id }) => endSession(id))),
    done('All other sessions are ended.'),
  );
  return (
    <QueryPage query={query} title="Where you are signed in" back="/settings">
      {({ items }) => (
        <>
          <ul className="items">
            {items.map((session) => (
              <li key={session.id}>
                <SessionRow session={session} />
              </li>
            ))}
          </ul>
          {others.length > 0 && (
            <Confirm
              title="End all other sessions?"
              button="End all others"
              answer="End them"
              run={endOthers}
            >
              <p>You sign in anew on these devices.</p>
            </Confirm>
          )}
        </>
      )}
    </QueryPage>
  );
}

function SessionRow({ session: { id, kind, createdAt, lastUsedAt, isCurrent } }: { session: OwnSession }) {
  const end = useAction(() => endSession(id), done('The session is ended.'));
  return (
    <div className="row list-row">
      <span>
        <strong>{KINDS[kind]}</strong>
        <small>
          since {dayOf(createdAt)} · used <TimeAgo at={lastUsedAt} />
        </small>
      </span>
      {isCurrent ? <span className="hint">This one</span> : <Action run={end}>End</Action>}
    </div>
  );
}

/** The people whom the person has blocked. */
export function BlocksPage() {
  const list = useList(['blocks'], (query) => opine.get('/users/me/blocks', { params: { query } }));
  return (
    <Page title="Blocked people" back="/settings">
      <Items list={list} empty="You have blocked nobody.">
        {(person) => (
          <div className="row list-row">
            <Person person={person} />
            <Unblock id={person.id} name={person.name} />
          </div>
        )}
      </Items>
    </Page>
  );
}
