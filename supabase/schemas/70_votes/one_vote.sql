create function app.one_vote(p_position app.vote_position)
returns app.position_counts
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return row(
    (p_position = 'strong_left')::integer,
    (p_position = 'left')::integer,
    (p_position = 'neutral')::integer,
    (p_position = 'right')::integer,
    (p_position = 'strong_right')::integer
  )::app.position_counts;
end
$$;
comment on function app.one_vote(app.vote_position) is 'The counts of a single vote.';

revoke all on function app.one_vote(app.vote_position) from public;
