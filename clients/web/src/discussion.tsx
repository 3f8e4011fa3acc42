import type { HubDiscussionAuthor, HubMessage } from '@opine/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { opine, refresh, useList } from './api.ts';
import { Pictures } from './media.tsx';
import { Ago, Button, Field, Form, Items, Page, Person } from './ui.tsx';

interface Place {
  readonly hubId: string;
  readonly discussionId: string;
}

const keyOf = ({ hubId, discussionId }: Place) => ['hub', hubId, 'messages', discussionId];

/** The discussion of a post in a Hub. */
export function DiscussionPage(place: Place) {
  // No signal tells of messages, so an open discussion asks.
  const list = useMessages(place, null, 4_000);
  return (
    <Page title="Discussion" back={`/hubs/${place.hubId}`}>
      <Subject {...place} />
      <Items
        list={list}
        idOf={({ id }) => id}
        empty={<p>Nobody has written yet. Members see what you write.</p>}
      >
        {(message) => <Thread message={message} place={place} />}
      </Items>
      <MessageForm place={place} parentMessageId={null} />
    </Page>
  );
}

function useMessages(place: Place, parentMessageId: string | null, refetchInterval: number | false) {
  return useList(
    [...keyOf(place), parentMessageId],
    (page) =>
      opine.get('/hubs/{hubId}/discussions/{discussionId}/messages', {
        params: {
          path: { ...place },
          query: { ...(parentMessageId !== null && { parentMessageId }), ...page },
        },
      }),
    { refetchInterval },
  );
}

/** What the discussion is about. The list of discussions knows it; there is no operation for one. */
function Subject({ hubId, discussionId }: Place) {
  const { data } = useQuery({
    queryKey: ['hub', hubId, 'subjects'],
    queryFn: () =>
      opine.get('/hubs/{hubId}/discussions', { params: { path: { hubId }, query: { limit: 100 } } }),
  });
  const discussion = data?.items.find(({ id }) => id === discussionId);
  const save = useMutation({
    mutationFn: () => {
      const params = { path: { hubId, discussionId } };
      return discussion?.viewerSaved === true
        ? opine.delete('/hubs/{hubId}/discussions/{discussionId}/save', { params })
        : opine.post('/hubs/{hubId}/discussions/{discussionId}/save', { params });
    },
    onSuccess: () => refresh(['hub', hubId, 'subjects'], ['hub', hubId, 'discussions']),
  });
  if (discussion === undefined) return null;
  const { preview, postId, viewerSaved } = discussion;
  return (
    <div className="card">
      <Author author={preview.author} />
      <p className="text">{preview.sliderText ?? preview.thoughtText ?? preview.articleTitle}</p>
      <div className="actions">
        <a className="button quiet" href={`#/hubs/${hubId}/posts/${postId}`}>
          Open the post
        </a>
        <Button kind="quiet" pressed={viewerSaved} onClick={() => save.mutate()}>
          {viewerSaved ? 'Saved' : 'Save'}
        </Button>
      </div>
    </div>
  );
}

/** A member shows their phone, a former member their username. */
function Author({ author, at }: { author: HubDiscussionAuthor; at?: string }) {
  const { userId, displayName, profilePhotoUrl, phoneNumber, publicUsername } = author;
  return (
    <Person person={{ id: userId, name: displayName, username: publicUsername ?? '', profilePhotoUrl }}>
      {phoneNumber} {at !== undefined && <Ago at={at} />}
    </Person>
  );
}

function Thread({ message, place }: { message: HubMessage; place: Place }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Message message={message} />
      <div className="thread">
        {!isOpen && (
          <Button kind="quiet" onClick={() => setOpen(true)}>
            {message.replyCount > 0 ? `Replies: ${message.replyCount}` : 'Reply'}
          </Button>
        )}
        {isOpen && <Replies rootId={message.id} place={place} />}
      </div>
    </>
  );
}

function Replies({ rootId, place }: { rootId: string; place: Place }) {
  const list = useMessages(place, rootId, 4_000);
  return (
    <>
      <Items list={list} idOf={({ id }) => id} empty={<p>No replies yet.</p>}>
        {(reply) => <Message message={reply} />}
      </Items>
      <MessageForm place={place} parentMessageId={rootId} />
    </>
  );
}

function Message({ message: { author, text, assetId, createdAt } }: { message: HubMessage }) {
  return (
    <article className="comment" aria-label={`Message by ${author.displayName || 'somebody'}`}>
      <Author author={author} at={createdAt} />
      {text !== null && <p className="text">{text}</p>}
      {assetId !== null && <Pictures media={[{ assetId }]} of={author.displayName} />}
    </article>
  );
}

function MessageForm({ place, parentMessageId }: { place: Place; parentMessageId: string | null }) {
  const send = useMutation({
    mutationFn: ({ text }: { text: string; reset: () => void }) =>
      opine.post('/hubs/{hubId}/discussions/{discussionId}/messages', {
        params: { path: { ...place } },
        body: { text, ...(parentMessageId !== null && { parentMessageId }) },
      }),
    onSuccess: (_, { reset }) => {
      reset();
      refresh(keyOf(place), ['hub', place.hubId, 'discussions']);
    },
  });
  return (
    <Form onSubmit={({ text = '' }, reset) => send.mutate({ text, reset })}>
      <Field label={parentMessageId === null ? 'Your message' : 'Your reply'}>
        <textarea name="text" maxLength={2000} rows={2} required />
      </Field>
      <Button type="submit" disabled={send.isPending}>
        Send
      </Button>
    </Form>
  );
}
