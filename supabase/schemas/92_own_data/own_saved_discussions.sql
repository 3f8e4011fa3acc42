create function app.own_saved_discussions()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('discussionId', s.discussion_id, 'savedAt', app.iso(s.saved_at))
  from app.saved_discussions as s
  where s.user_id = app.user_id()
  order by s.saved_at desc, s.discussion_id desc
  limit 100000;
end;
comment on function app.own_saved_discussions() is 'Of the export: the discussions that the caller saved.';

revoke all on function app.own_saved_discussions() from public;
grant execute on function app.own_saved_discussions() to authenticated;
