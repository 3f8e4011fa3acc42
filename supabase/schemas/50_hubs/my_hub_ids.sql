create function app.my_hub_ids()
returns setof uuid
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return query select m.hub_id from app.memberships as m where m.user_id = app.user_id();
end
$$;
comment on function app.my_hub_ids() is 'The Hubs of which the caller is an active member: for the policy of memberships alone, which cannot ask app.my_hubs, as that asks it.';

revoke all on function app.my_hub_ids() from public;
grant execute on function app.my_hub_ids() to authenticated;
