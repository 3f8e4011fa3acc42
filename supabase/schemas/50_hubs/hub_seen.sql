create function app.hub_seen(p_hub_id uuid)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_card jsonb := (select app.hub_card(h, app.standing_in(h.id)) from app.hubs as h where h.id = p_hub_id);
begin
  if v_card is null then
    raise exception using errcode = 'PT404', message = 'HUB_NOT_FOUND';
  end if;
  return v_card;
end
$$;
comment on function app.hub_seen(uuid) is 'A Hub as the caller sees it (see app.hub_card). Raises HUB_NOT_FOUND.';

revoke all on function app.hub_seen(uuid) from public;
grant execute on function app.hub_seen(uuid) to authenticated;
