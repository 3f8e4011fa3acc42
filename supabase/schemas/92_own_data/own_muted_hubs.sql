create function app.own_muted_hubs()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('hubId', m.hub_id)
  from app.hub_mutes as m
  where m.user_id = app.user_id()
  order by m.hub_id desc
  limit 100000;
end;
comment on function app.own_muted_hubs() is 'Section of the export. Returns the Hubs that the caller muted, those that the caller left as well.';

revoke all on function app.own_muted_hubs() from public;
grant execute on function app.own_muted_hubs() to authenticated;
