create function app.require_scope(p_hub_id uuid)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if p_hub_id is null then
    return;
  end if;
  if app.user_id() is null then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  if app.level_of(app.user_id()) < 4 or not exists (select from app.my_hubs as mine where mine.hub_id = p_hub_id) then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
end
$$;
comment on function app.require_scope(uuid) is 'Lets whoever asks for the votes of a Hub (?hubId=) pass if they are an active member, at level 4; null, for no Hub in particular, passes for everybody. Raises FORBIDDEN, alike for Hubs that there are not (contract.md 7, "Displayed scope").';

revoke all on function app.require_scope(uuid) from public;
grant execute on function app.require_scope(uuid) to anon, authenticated;
