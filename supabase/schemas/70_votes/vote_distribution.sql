create function app.vote_distribution(p_counts app.position_counts)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if app.total_of(p_counts) = 0 then
    return '[]'::jsonb;
  end if;
  return jsonb_build_array(
    jsonb_build_object('position', 'strong_left', 'count', p_counts.strong_left_count),
    jsonb_build_object('position', 'left', 'count', p_counts.left_count),
    jsonb_build_object('position', 'neutral', 'count', p_counts.neutral_count),
    jsonb_build_object('position', 'right', 'count', p_counts.right_count),
    jsonb_build_object('position', 'strong_right', 'count', p_counts.strong_right_count)
  );
end
$$;
comment on function app.vote_distribution(app.position_counts) is 'The five positions of a pool in order with their counts; empty at zero votes (spec.md "Vote summary").';

revoke all on function app.vote_distribution(app.position_counts) from public;
grant execute on function app.vote_distribution(app.position_counts) to anon, authenticated;
