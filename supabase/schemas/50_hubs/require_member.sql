create function app.require_member(p_hub_id uuid, p_role app.hub_role default 'member', p_hidden text default null)
returns app.hub_role
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_mine record;
begin
  perform app.require_level(4);
  select m.role, m.seen_at into v_mine from app.memberships as m where m.hub_id = p_hub_id and m.user_id = app.user_id();
  if v_mine.role is null then
    perform app.refuse_outsider(p_hub_id, p_hidden);
  end if;
  if v_mine.role < p_role then
    raise exception using errcode = 'PT403', message = 'FORBIDDEN';
  end if;
  if coalesce(v_mine.seen_at <= app.now() - interval '5 minutes', true) then
    perform app.note_use(p_hub_id);
  end if;
  return v_mine.role;
end
$$;
comment on function app.require_member(uuid, app.hub_role, text) is 'Lets an active member of a Hub pass whose role is at least p_role, answers the role, and notes that they have used the Hub, at most every five minutes. Raises UNAUTHORIZED; FORBIDDEN below level 4, for a lower role and for outsiders; to outsiders p_hidden instead where it is given, the error of an item that is not there; HUB_NOT_FOUND.';

revoke all on function app.require_member(uuid, app.hub_role, text) from public;
grant execute on function app.require_member(uuid, app.hub_role, text) to authenticated;
