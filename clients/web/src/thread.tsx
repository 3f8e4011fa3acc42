import type { Comment, UserLite } from '@opine/client';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { invalidate, useAction, useList } from './api.ts';
import { Pictures } from './media.tsx';
import { Button, Field, Form, Items, Person, Submit, TimeAgo } from './ui.tsx';

/** A comment or a Hub message. */
export interface Entry extends Pick<Comment, 'assetId' | 'altText' | 'width' | 'height' | 'blurhash'> {
  readonly id: string;
  readonly author: Omit<UserLite, 'isAnonymous'>;
  /** What stands beside the name: a member's phone in a Hub. */
  readonly beside?: string | null;
  readonly text: string | null;
  readonly replyCount: number;
  readonly createdAt: string;
  readonly isDeleted?: boolean;
}

type PageQuery = { cursor?: string };

/** Where entries come from and go to. A parent of null stands for the top level: threads have one level below it. */
export interface Conversation {
  readonly queryKey: QueryKey;
  readonly word: 'comment' | 'message';
  read(parentId: string | null, page: PageQuery): Promise<{ items: Entry[]; nextCursor: string | null }>;
  send(parentId: string | null, text: string): Promise<unknown>;
  /** Reads again what counts the entries. */
  onChange(): void;
}

/** The entries of a conversation with a form for the next one. It asks every few seconds, because no signal tells of each. */
export function Thread({ of, parentId = null }: { of: Conversation; parentId?: string | null }) {
  const read = (page: PageQuery) => of.read(parentId, page);
  const list = useList([...of.queryKey, parentId], read, { refetchInterval: 5_000 });
  const word = parentId === null ? of.word : 'reply';
  const onChange = () => {
    invalidate(of.queryKey);
    of.onChange();
  };
  const send = useAction(
    ({ text }: { text: string; reset: () => void }) => of.send(parentId, text),
    (_, { reset }) => {
      reset();
      onChange();
    },
  );
  return (
    <>
      <Items list={list} empty={`No ${word} yet. Write the first one.`}>
        {(entry) => (
          <>
            <EntryView entry={entry} word={word} />
            {parentId === null && <Replies root={entry} of={of} />}
          </>
        )}
      </Items>
      <Form label={`Write a ${word}`} onSubmit={({ text = '' }, reset) => send.mutate({ text, reset })}>
        <Field label={`Your ${word}`} name="text" maxLength={2000} rows={2} required />
        <Submit run={send}>Send</Submit>
      </Form>
    </>
  );
}

function Replies({ root: { id, replyCount }, of }: { root: Entry; of: Conversation }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="thread">
      {isOpen ? (
        <Thread of={of} parentId={id} />
      ) : (
        <Button onClick={() => setOpen(true)}>{replyCount > 0 ? `Replies: ${replyCount}` : 'Reply'}</Button>
      )}
    </div>
  );
}

function EntryView({ entry, word }: { entry: Entry; word: string }) {
  const { author, beside, text, assetId, createdAt, isDeleted } = entry;
  if (isDeleted === true) return <p className="hint">Deleted</p>;
  return (
    <article className="card" aria-label={`${word} by ${author.name || 'somebody'}`}>
      <Person person={author}>
        {beside} · <TimeAgo at={createdAt} />
      </Person>
      {text !== null && <p className="text">{text}</p>}
      {assetId !== null && <Pictures media={[{ ...entry, assetId }]} of={author.name} />}
    </article>
  );
}
