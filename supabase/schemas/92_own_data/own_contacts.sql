create function app.own_contacts()
returns setof jsonb
language sql
stable
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('name', c.name, 'phoneNumbers', to_jsonb(c.phone_numbers), 'hasThumbnail', c.thumbnail is not null)
  from app.contacts as c
  where c.user_id = app.user_id()
  order by c.place
  limit 100000;
end;
comment on function app.own_contacts() is 'Of the export: the contacts that the caller uploaded, in their order.';

revoke all on function app.own_contacts() from public;
grant execute on function app.own_contacts() to authenticated;
