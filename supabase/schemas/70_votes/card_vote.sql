create function app.card_vote(p_has_slider boolean, p_voted_at timestamptz, p_hub_id uuid, p_counts app.position_counts)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_vote jsonb;
begin
  if not p_has_slider then
    return '{"viewerVote": null, "voteScope": null, "voteSummary": null}'::jsonb;
  end if;
  v_vote := jsonb_build_object(
    'viewerVote', jsonb_build_object('hasVoted', p_voted_at is not null, 'votedAt', app.iso(p_voted_at)),
    'voteScope', app.vote_scope(p_hub_id),
    'voteSummary', app.vote_summary(p_counts)
  );
  if p_voted_at is not null then
    v_vote := v_vote || jsonb_build_object('voteDistribution', app.vote_distribution(p_counts));
  end if;
  return v_vote;
end
$$;
comment on function app.card_vote(boolean, timestamptz, uuid, app.position_counts) is 'The vote fields of a card: null without a slider; the distribution only for a viewer who voted; all of one scope, that of a Hub or for null the global one (spec.md "Post frame").';

revoke all on function app.card_vote(boolean, timestamptz, uuid, app.position_counts) from public;
grant execute on function app.card_vote(boolean, timestamptz, uuid, app.position_counts) to anon, authenticated;
