import type { Comment, UserLite } from '@opine/client';
import { TrashIcon } from '@primer/octicons-react';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { done, type Fields, invalidate, useList, useSubmit } from './api.ts';
import { Place, useHasDraft, usePlace } from './drafts.ts';
import { Field, Form } from './form.tsx';
import { Pictures } from './media.tsx';
import { Block, Report } from './report.tsx';
import { Confirm, More } from './sheet.tsx';
import { Button, Items, Person, Text, TimeAgo } from './ui.tsx';

/** A comment or a Hub message. */
export interface Entry extends Omit<Comment, 'author' | 'postId' | 'parentCommentId'> {
  readonly author: Omit<UserLite, 'isAnonymous'>;
  /** What stands beside the name: a member's phone in a Hub. */
  readonly beside?: string | null;
}

type PageQuery = { cursor?: string };

/** Where entries come from and go to. A parent of null stands for the top level: threads have one level below it. */
export interface Conversation {
  readonly queryKey: QueryKey;
  /** What counts the entries. */
  readonly counter: QueryKey;
  readonly word: 'comment' | 'message';
  read(parentId: string | null, page: PageQuery): Promise<{ items: Entry[]; nextCursor: string | null }>;
  send(parentId: string | null, text: string): Promise<unknown>;
  isOwn(entry: Entry): boolean;
  canRemove(entry: Entry): boolean;
  remove(id: string): Promise<unknown>;
}

/**
 * The entries of a conversation with a form for the next one. It asks every few seconds, because no signal tells of each.
 * @param props.root the entry to which they reply; nobody replies to a deleted one
 */
export function Thread({ of, root }: { of: Conversation; root?: Entry }) {
  const parentId = root?.id ?? null;
  const read = (page: PageQuery) => of.read(parentId, page);
  const list = useList([...of.queryKey, parentId], read, { refetchInterval: 5_000 });
  const word = root === undefined ? of.word : 'reply';
  // Screen readers tell several open forms apart by their names.
  const label = root === undefined ? `Write a ${word}` : `Reply to ${nameOf(root)}: ${titleOf(root)}`;
  const onChange = () => invalidate(of.queryKey, of.counter);
  const send = useSubmit(({ text = '' }: Fields) => of.send(parentId, text), onChange);
  return (
    <>
      <Items list={list} empty={`No ${word} yet. Write the first one.`}>
        {(entry) => (
          <>
            <EntryView entry={entry} word={word} of={of} />
            {root === undefined && <Replies root={entry} of={of} />}
          </>
        )}
      </Items>
      {!root?.isDeleted && (
        <Form label={label} run={send} submit="Send">
          <Field label={`Your ${word}`} name="text" maxLength={2000} rows={2} required />
        </Form>
      )}
    </>
  );
}

function Replies({ root, of }: { root: Entry; of: Conversation }) {
  const { replyCount, isDeleted } = root;
  const place = usePlace('replies');
  const [isOpen, setOpen] = useState(useHasDraft(place));
  if (isDeleted && replyCount === 0) return null;
  return (
    <div className="thread">
      {isOpen ? (
        <Place value={place}>
          <Thread of={of} root={root} />
        </Place>
      ) : (
        <Button onClick={() => setOpen(true)}>{replyCount > 0 ? `Replies: ${replyCount}` : 'Reply'}</Button>
      )}
    </div>
  );
}

const nameOf = ({ author }: Entry) => author.name || 'somebody';
const titleOf = ({ text }: Entry) => text?.slice(0, 40) ?? 'a picture';

function EntryView({ entry, word, of }: { entry: Entry; word: string; of: Conversation }) {
  const { author, beside, text, assetId, createdAt, isDeleted } = entry;
  if (isDeleted) return <p className="hint">{of.word === 'message' ? 'Message' : 'Comment'} deleted</p>;
  return (
    <article className="card" aria-label={`${word} by ${nameOf(entry)}`}>
      <header className="row">
        <Person person={author}>
          {beside} · <TimeAgo at={createdAt} />
        </Person>
        <EntryMenu entry={entry} of={of} />
      </header>
      {text !== null && <Text>{text}</Text>}
      {assetId !== null && <Pictures media={[{ ...entry, assetId }]} of={author.name} />}
    </article>
  );
}

function EntryMenu({ entry, of }: { entry: Entry; of: Conversation }) {
  const { id, author } = entry;
  const isOwn = of.isOwn(entry);
  const remove = useSubmit(() => of.remove(id), done('Deleted.', [of.queryKey, of.counter]));
  return (
    <More of={`this ${of.word}`}>
      {!isOwn && <Report kind={of.word} id={id} />}
      {!isOwn && author.id !== '' && <Block id={author.id} name={author.name} />}
      {of.canRemove(entry) && (
        <Confirm
          title={`Delete this ${of.word}?`}
          icon={TrashIcon}
          button="Delete"
          answer="Delete"
          run={remove}
        >
          <p>This is final.</p>
        </Confirm>
      )}
    </More>
  );
}
