create function app.own_votes()
returns setof jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return query
  select jsonb_build_object('postId', r.post_id, 'votedAt', app.iso(r.voted_at))
  from app.vote_receipts as r
  where r.user_id = app.user_id()
  -- By what is in it and nothing else: where a row lies is nobody's to know.
  order by r.voted_at desc, r.post_id desc
  limit 100000;
end
$$;
comment on function app.own_votes() is 'Of the export: on what the caller voted, to the minute. There is no position to tell.';

revoke all on function app.own_votes() from public;
grant execute on function app.own_votes() to authenticated;
