import type { Position, VoteSummary } from '@opine/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changePost, opine, type Post, refresh } from './api.ts';
import { say } from './notices.ts';
import { Form, Submit } from './ui.tsx';

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
  return (
    <div className="slider">
      {viewerVote?.hasVoted === true ? (
        <p className="question">{sliderText}</p>
      ) : (
        <Ballot post={post} hubId={hubId} question={sliderText} labels={slider} />
      )}
      {voteSummary?.resultsVisible === true && <Columns counts={countsOf(post, voteSummary, slider)} />}
      <p className="row hint" aria-hidden="true">
        <span>{slider.leftLabel}</span>
        <span>{slider.rightLabel}</span>
      </p>
      {voteSummary !== null && <p className="hint">{resultOf(voteSummary, slider)}</p>}
    </div>
  );
}

function Ballot(props: { post: Post; hubId: string | undefined; question: string; labels: Labels }) {
  const { post, hubId, question, labels } = props;
  const [chosen, choose] = useState<Position | null>(null);
  const vote = useVote(post, hubId, labels);
  // One chooses first and votes then: a vote is final, and arrow keys pass every position on their way.
  return (
    <Form label={question} onSubmit={() => chosen !== null && vote.mutate(chosen)}>
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
      {chosen !== null && <Submit run={vote}>Vote: {new Map(stopsOf(labels)).get(chosen)}</Submit>}
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
    // The five counts come with the post, and who has voted elsewhere learns it.
    onSettled: () => refresh(['post', post.id]),
  });
}

/** Returns the five counts for who has voted, else the three buckets, by name. */
function countsOf(
  { voteDistribution }: Post,
  summary: VoteSummary,
  labels: Labels,
): readonly [string, number][] {
  const names = new Map(stopsOf(labels));
  if (voteDistribution !== undefined) {
    return voteDistribution.map(({ position, count }) => [names.get(position) ?? position, count]);
  }
  const { leftCount, neutralCount, rightCount } = summary;
  return [
    [labels.leftLabel, leftCount ?? 0],
    ['In between', neutralCount ?? 0],
    [labels.rightLabel, rightCount ?? 0],
  ];
}

function Columns({ counts }: { counts: readonly [string, number][] }) {
  const most = Math.max(1, ...counts.map(([, count]) => count));
  return (
    <ol className="columns" aria-label="Votes by position">
      {counts.map(([name, count]) => (
        <li key={name}>
          <span className="unseen">{name}: </span>
          {count}
          <span className="column" aria-hidden="true" style={{ height: `${(48 * count) / most}px` }} />
        </li>
      ))}
    </ol>
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
