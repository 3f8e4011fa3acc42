create function app.own_messages()
returns setof jsonb
language sql
stable
security definer
set search_path = ''
begin atomic
  select jsonb_build_object(
    'id', m.id, 'hubId', m.hub_id, 'text', m.body, 'assetId', m.asset_id, 'createdAt', app.iso(m.created_at)
  )
  from app.messages as m
  where m.author_id = app.user_id()
  order by m.created_at desc, m.id desc
  limit 100000;
end;
comment on function app.own_messages() is 'Of the export: what the caller said in Hubs, those that they have left as well, which no policy shows. Their own words alone: not in which discussion, nor to whom.';

revoke all on function app.own_messages() from public;
grant execute on function app.own_messages() to authenticated;
