create function app.require_hub(p_hub_id uuid)
returns uuid
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if not exists (select from app.hubs as h where h.id = p_hub_id and h.is_open) then
    raise exception using errcode = 'PT404', message = 'HUB_NOT_FOUND';
  end if;
  return p_hub_id;
end
$$;
comment on function app.require_hub(uuid) is 'Lets a Hub pass, and answers it, that is there. Raises HUB_NOT_FOUND.';

revoke all on function app.require_hub(uuid) from public;
grant execute on function app.require_hub(uuid) to authenticated;
