create function app.refuse_outsider(p_hub_id uuid, p_hidden text)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  perform app.require_hub(p_hub_id);
  if p_hidden is not null then
    raise exception using errcode = 'PT404', message = p_hidden;
  end if;
  raise exception using errcode = 'PT403', message = 'FORBIDDEN';
end
$$;
comment on function app.refuse_outsider(uuid, text) is 'Refuses somebody who is no member of a Hub. Raises HUB_NOT_FOUND; p_hidden, where it is given; else FORBIDDEN.';

revoke all on function app.refuse_outsider(uuid, text) from public;
grant execute on function app.refuse_outsider(uuid, text) to authenticated;
