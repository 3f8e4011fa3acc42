import { isOpineError, type Position, type VoteSummary } from '@opine/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changePost, opine, type Post, refresh } from './api.ts';
import { say } from './notices.ts';
import { Button, Form } from './ui.tsx';

type Labels = NonNullable<Post['slider']>;

/** Returns the positions from left to right, with their names. */
function stopsOf({ leftLabel, rightLabel }: Labels): readonly [Position, string][] {
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
  const mayVote = viewerVote?.hasVoted !== true;
  return (
    <section className="slider" aria-label="Vote">
      {mayVote ? (
        <Ballot post={post} hubId={hubId} question={sliderText} labels={slider} />
      ) : (
        <>
          <p className="question">{sliderText}</p>
          <Histogram post={post} labels={slider} />
          <Ends labels={slider} />
        </>
      )}
      {voteSummary !== null && <Summary summary={voteSummary} labels={slider} />}
    </section>
  );
}

function Ballot(props: { post: Post; hubId: string | undefined; question: string; labels: Labels }) {
  const { post, hubId, question, labels } = props;
  const [chosen, choose] = useState<Position | null>(null);
  const vote = useVote(post, hubId, labels);
  // One chooses first and votes then: a vote is final, and arrow keys pass every position on their way.
  return (
    <Form onSubmit={() => chosen !== null && vote.mutate(chosen)}>
      <fieldset className="track">
        <legend className="question">{question}</legend>
        {stopsOf(labels).map(([position, name]) => (
          <label key={position} className="stop">
            <input
              type="radio"
              name={`vote-${post.id}`}
              value={position}
              checked={chosen === position}
              onChange={() => choose(position)}
            />
            <span className="unseen">{name}</span>
          </label>
        ))}
      </fieldset>
      <Ends labels={labels} />
      {chosen !== null && (
        <Button type="submit" kind="loud" disabled={vote.isPending}>
          Vote: {new Map(stopsOf(labels)).get(chosen)}
        </Button>
      )}
    </Form>
  );
}

function useVote(post: Post, hubId: string | undefined, labels: Labels) {
  return useMutation({
    mutationFn: (position: Position) => {
      const params = { path: { postId: post.id }, query: hubId === undefined ? {} : { hubId } };
      return opine.post('/posts/{postId}/vote', { params, body: { position } });
    },
    onSuccess: ({ summary }) => {
      changePost(post.id, hubId, () => ({
        voteSummary: summary,
        viewerVote: { hasVoted: true, votedAt: new Date().toISOString() },
      }));
      say(`You have voted. ${resultOf(summary, labels)}`);
    },
    onError: (error) => {
      if (isOpineError(error, 'VOTE_ALREADY_CAST')) changePost(post.id, hubId, votedElsewhere);
    },
    // The five counts come with the post.
    onSettled: () => refresh(['post', post.id]),
  });
}

const votedElsewhere = () => ({ viewerVote: { hasVoted: true, votedAt: null } });

/** The labels below the ends of the slider. */
function Ends({ labels }: { labels: Labels }) {
  return (
    <p className="ends" aria-hidden="true">
      <span>{labels.leftLabel}</span>
      <span>{labels.rightLabel}</span>
    </p>
  );
}

/** The five counts, which only those see in a list who have voted. */
function Histogram({ post, labels }: { post: Post; labels: Labels }) {
  const counts = new Map(post.voteDistribution?.map(({ position, count }) => [position, count]));
  const most = Math.max(1, ...counts.values());
  return (
    <ol className="histogram" aria-label="Votes by position">
      {stopsOf(labels).map(([position, name]) => {
        const count = counts.get(position) ?? 0;
        return (
          <li key={position} className={position}>
            <span className="unseen">{name}: </span>
            {count}
            <span className="column" aria-hidden="true" style={{ height: `${(48 * count) / most}px` }} />
          </li>
        );
      })}
    </ol>
  );
}

/** The total and the three buckets. */
function Summary({ summary, labels }: { summary: VoteSummary; labels: Labels }) {
  const { resultsVisible, leftCount, neutralCount, rightCount } = summary;
  return (
    <div className="summary">
      {resultsVisible && (
        <div className="buckets" aria-hidden="true">
          <span className="left" style={{ flexGrow: leftCount ?? 0 }} />
          <span className="neutral" style={{ flexGrow: neutralCount ?? 0 }} />
          <span className="right" style={{ flexGrow: rightCount ?? 0 }} />
        </div>
      )}
      <p className="hint">{resultOf(summary, labels)}</p>
    </div>
  );
}

function resultOf(
  { totalVotes, resultsVisible, ...counts }: VoteSummary,
  { leftLabel, rightLabel }: Labels,
): string {
  if (!resultsVisible) return 'No votes yet. Votes are anonymous and final.';
  const votes = totalVotes === 1 ? '1 vote' : `${totalVotes} votes`;
  return `${votes}: ${counts.leftCount} ${leftLabel}, ${counts.neutralCount} in between, ${counts.rightCount} ${rightLabel}.`;
}
