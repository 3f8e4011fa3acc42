import type { HubVotes, Position, VoteDistribution, VoteSummary } from '@opine/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Fields, invalidate, opine, type Post, updateCachedPost } from './api.ts';
import { Form } from './form.tsx';
import { announce } from './notices.ts';

type Labels = NonNullable<Post['slider']>;

/** Returns the positions from left to right, with their names. */
function positionsOf({ leftLabel, rightLabel }: Labels): readonly [Position, string][] {
  return [
    ['strong_left', `${leftLabel}, strongly`],
    ['left', leftLabel],
    ['neutral', 'In between'],
    ['right', rightLabel],
    ['strong_right', `${rightLabel}, strongly`],
  ];
}

/** The question of a post: a ballot for who has not voted, and the result. @param hubId the Hub that the vote is shown for */
export function Slider({ post, hubId }: { post: Post; hubId?: string | undefined }) {
  const { slider, sliderText, viewerVote, voteSummary } = post;
  if (slider === null || sliderText === null) return null;
  return (
    <div className="slider">
      <p className="question">{sliderText}</p>
      {viewerVote?.hasVoted !== true && <Ballot post={post} hubId={hubId} labels={slider} />}
      {voteSummary?.resultsVisible && <Columns counts={countsOf(post, voteSummary)} labels={slider} />}
      <p className="row hint" aria-hidden="true">
        <span>{slider.leftLabel}</span>
        <span>{slider.rightLabel}</span>
      </p>
      {voteSummary !== null && <p className="hint">{resultOf(voteSummary, slider)}</p>}
    </div>
  );
}

function Ballot({ post, hubId, labels }: { post: Post; hubId: string | undefined; labels: Labels }) {
  const question = post.sliderText ?? '';
  const [chosen, choose] = useState<Position | null>(null);
  const vote = useVote(post, hubId, labels);
  // One chooses first and votes then: a vote is final, and arrow keys pass every position on their way.
  return (
    <Form run={vote} submit={chosen && `Vote: ${new Map(positionsOf(labels)).get(chosen)}`}>
      <div className="track" role="radiogroup" aria-label={question}>
        {positionsOf(labels).map(([position, name]) => (
          <label key={position} className="stop">
            <input
              type="radio"
              name="position"
              value={position}
              checked={chosen === position}
              onChange={() => choose(position)}
              required
            />
            <span className="unseen">{name}</span>
          </label>
        ))}
      </div>
    </Form>
  );
}

function useVote(post: Post, hubId: string | undefined, labels: Labels) {
  return useMutation({
    mutationFn: (fields: Fields) => {
      const position = fields.position as Position;
      const params = { path: { postId: post.id }, query: hubId === undefined ? {} : { hubId } };
      return opine.post('/posts/{postId}/vote', { params, body: { position } });
    },
    onSuccess: ({ summary }) => {
      const viewerVote = { hasVoted: true, votedAt: new Date().toISOString() };
      updateCachedPost(post.id, hubId, { voteSummary: summary, viewerVote });
      announce(`You have voted. ${resultOf(summary, labels)}`);
    },
    meta: { isInPlace: true },
    // The five counts come with the post, and who has voted elsewhere learns it.
    onSettled: () => invalidate(['post', post.id]),
  });
}

/** Returns the five counts for who has voted, else the three buckets. */
function countsOf({ voteDistribution }: Post, summary: VoteSummary): VoteDistribution {
  const three = ['left', 'neutral', 'right'] as const;
  return voteDistribution ?? three.map((position) => ({ position, count: summary[`${position}Count`] ?? 0 }));
}

function Columns({ counts, labels }: { counts: VoteDistribution; labels: Labels }) {
  const names = new Map(positionsOf(labels));
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return (
    <ol className="columns" aria-label="Votes by position">
      {counts.map(({ position, count }) => (
        <li key={position}>
          <span className="unseen">{names.get(position)}: </span>
          {count}
          <span className="column" aria-hidden="true" style={{ height: `${(48 * count) / most}px` }} />
        </li>
      ))}
    </ol>
  );
}

/** The result of a question in a Hub. */
export function HubResult({ result, labels }: { result: HubVotes; labels: Labels }) {
  const { hub, summary, distribution } = result;
  return (
    <section className="slider" aria-label={hub.name}>
      <h2>{hub.name}</h2>
      {summary.resultsVisible && <Columns counts={distribution} labels={labels} />}
      <p className="hint">{resultOf(summary, labels)}</p>
    </section>
  );
}

function resultOf(summary: VoteSummary, { leftLabel, rightLabel }: Labels): string {
  const { totalVotes, resultsVisible, leftCount, neutralCount, rightCount } = summary;
  if (!resultsVisible) return 'No votes yet. Votes are anonymous and final.';
  const votes = totalVotes === 1 ? '1 vote' : `${totalVotes} votes`;
  return `${votes}: ${leftCount} ${leftLabel}, ${neutralCount} in between, ${rightCount} ${rightLabel}.`;
}
