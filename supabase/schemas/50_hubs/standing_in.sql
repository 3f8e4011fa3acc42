create function app.standing_in(p_hub_id uuid)
returns app.hub_standing
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_user_id uuid := app.user_id();
  v_standing app.hub_standing := ('none', null, null, null);
begin
  if v_user_id is null then
    return v_standing;
  end if;
  select 'member', mine.role into v_standing.status, v_standing.role from app.my_hubs as mine where mine.hub_id = p_hub_id;
  if found then
    return v_standing;
  end if;
  select 'pending_admin_approval', r.id into v_standing.status, v_standing.join_request_id
  from app.join_requests as r
  where r.hub_id = p_hub_id and r.user_id = v_user_id and r.state = 'pending_admin_approval';
  if found then
    return v_standing;
  end if;
  select 'invited', i.invitation_id into v_standing.status, v_standing.invitation_id
  from app.my_invitations as i
  where i.hub_id = p_hub_id
  order by i.invited_at desc
  limit 1;
  v_standing.status := coalesce(v_standing.status, 'none');
  return v_standing;
end
$$;
comment on function app.standing_in(uuid) is 'What the caller is to a Hub; the first that applies of member, pending_admin_approval, invited and none (contract.md 8, "viewerStatus").';

revoke all on function app.standing_in(uuid) from public;
grant execute on function app.standing_in(uuid) to anon, authenticated;
