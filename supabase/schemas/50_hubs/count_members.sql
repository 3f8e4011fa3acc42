create function app.count_members()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' then
    insert into app.hub_presence (hub_id, seen_in, member_count)
    select f.hub_id, app.presence_of(f.seen_at), -count(*)
    from former as f
    -- With a Hub that goes, all of it does.
    join app.hubs as h on h.id = f.hub_id
    where f.seen_at is not null
    group by 1, 2;
  end if;
  if tg_op <> 'DELETE' then
    insert into app.hub_presence (hub_id, seen_in, member_count)
    select n.hub_id, app.presence_of(n.seen_at), count(*) from present as n where n.seen_at is not null group by 1, 2;
  end if;
  if tg_op = 'INSERT' then
    update app.hubs as h
    set member_count = h.member_count + joined.count
    from (select n.hub_id, count(*) from present as n group by 1) as joined
    where h.id = joined.hub_id;
  elsif tg_op = 'DELETE' then
    update app.hubs as h
    set member_count = h.member_count - gone.count
    from (select f.hub_id, count(*) from former as f group by 1) as gone
    where h.id = gone.hub_id;
  end if;
  return null;
end
$$;
comment on function app.count_members() is 'Keeps app.hub_presence and app.hubs.member_count: after each statement that makes, changes or removes memberships.';

revoke all on function app.count_members() from public;
