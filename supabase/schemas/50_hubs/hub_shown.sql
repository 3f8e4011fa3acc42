create function app.hub_shown(p_hub_id uuid)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return (
    select app.hub_preview(h, app.standing_in(h.id))
    from app.hubs as h
    where h.id = p_hub_id
  );
end
$$;
comment on function app.hub_shown(uuid) is 'The preview of a Hub for whoever was sent to it, guests too.';

revoke all on function app.hub_shown(uuid) from public;
grant execute on function app.hub_shown(uuid) to anon, authenticated;
