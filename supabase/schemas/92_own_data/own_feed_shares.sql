create function app.own_feed_shares()
returns setof jsonb
language sql
stable
security definer
set search_path = ''
begin atomic
  select jsonb_build_object('shareId', s.id, 'postId', s.post_id, 'sharedAt', app.iso(s.shared_at))
  from app.feed_shares as s
  where s.user_id = app.user_id()
  order by s.shared_at desc, s.post_id desc
  limit 100000;
end;
comment on function app.own_feed_shares() is 'Of the export: what the caller shared to their feed, posts that are hidden from them by now as well, which no policy shows.';

revoke all on function app.own_feed_shares() from public;
grant execute on function app.own_feed_shares() to authenticated;
