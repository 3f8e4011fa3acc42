create function app.remove_closed_hubs()
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  delete from app.messages as m
  where m.id in (
    select old.id
    from app.hubs as h
    join app.placements as p on p.hub_id = h.id
    join app.discussions as d on d.post_id = p.post_id and d.hub_id = p.hub_id
    join app.messages as old on old.discussion_id = d.id
    where h.closed_at is not null
    limit 5000
  );
  if not found then
    delete from app.hubs as h where h.id in (select closed.id from app.hubs as closed where closed.closed_at is not null limit 100);
  end if;
end
$$;
comment on function app.remove_closed_hubs() is 'Upkeep: removes closed Hubs, after all that was said in them, a part at a time.';

revoke all on function app.remove_closed_hubs() from public;
grant execute on function app.remove_closed_hubs() to opine_worker;
