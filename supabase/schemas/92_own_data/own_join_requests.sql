create function app.own_join_requests()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', j.id, 'hubId', j.hub_id, 'source', j.source, 'state', j.state, 'createdAt', app.iso(j.created_at)
  )
  from app.join_requests as j
  where j.user_id = app.user_id()
  order by j.created_at desc, j.id desc
  limit 100000;
end;
comment on function app.own_join_requests() is 'Of the export: into which Hubs the caller asked to be let.';

revoke all on function app.own_join_requests() from public;
grant execute on function app.own_join_requests() to authenticated;
