create function app.require_no_member(p_hub_id uuid)
returns void
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  if exists (select from app.my_hubs as mine where mine.hub_id = p_hub_id) then
    raise exception using errcode = 'PT409', message = 'ALREADY_MEMBER';
  end if;
end
$$;
comment on function app.require_no_member(uuid) is 'Lets pass who is not yet a member of a Hub. Raises ALREADY_MEMBER.';

revoke all on function app.require_no_member(uuid) from public;
