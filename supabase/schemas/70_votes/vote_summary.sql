create function app.vote_summary(p_counts app.position_counts)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_total bigint := app.total_of(p_counts);
begin
  return jsonb_build_object(
    'totalVotes', v_total,
    'resultsVisible', v_total > 0,
    'leftCount', case when v_total > 0 then p_counts.strong_left_count + p_counts.left_count end,
    'neutralCount', case when v_total > 0 then p_counts.neutral_count end,
    'rightCount', case when v_total > 0 then p_counts.right_count + p_counts.strong_right_count end
  );
end
$$;
comment on function app.vote_summary(app.position_counts) is 'The three-bucket summary of a pool (spec.md "Vote summary"); bucket counts are null at zero votes.';

revoke all on function app.vote_summary(app.position_counts) from public;
grant execute on function app.vote_summary(app.position_counts) to anon, authenticated;
