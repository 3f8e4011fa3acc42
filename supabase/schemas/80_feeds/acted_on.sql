create function app.acted_on(p_post_id uuid)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return exists (
    select
    from app.counted_events as e
    where e.post_id = p_post_id and e.kind <> 'shared_to_hub' and e.occurred_at <= app.now()
      and e.source_id in (select s.source_id from app.my_sources as s)
  );
end
$$;
comment on function app.acted_on(uuid) is 'Whether anything but a share into a Hub brings a post into the caller''s home feed. It reads streams, which no policy shows.';

revoke all on function app.acted_on(uuid) from public;
grant execute on function app.acted_on(uuid) to authenticated;
