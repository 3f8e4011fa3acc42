create function app.finish_departure(p_user_id uuid)
returns void
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_departure app.departures;
  -- Longer than any request that began before the account ended, and may add to it until it is done.
  v_settling interval := interval '1 minute';
  v_is_more boolean;
begin
  select * into v_departure from app.departures as d where d.user_id = p_user_id for update;
  if v_departure.user_id is null then
    return;
  end if;
  v_is_more := app.leave_hubs(p_user_id);
  if not v_is_more then
    if v_departure.merged_into_id is not null then
      perform from app.users as u where u.id in (p_user_id, v_departure.merged_into_id) order by u.id for update;
      perform app.move_belongings(p_user_id, v_departure.merged_into_id);
    end if;
    perform app.erase_person(p_user_id);
    v_is_more := app.remove_belongings(p_user_id);
  end if;
  if v_is_more then
    update app.departures set due_at = app.now(), attempt_count = 0 where user_id = p_user_id;
  elsif v_departure.departed_at + v_settling > app.now() then
    update app.departures set due_at = departed_at + v_settling, attempt_count = 0 where user_id = p_user_id;
  else
    -- Nobody completes an upload any more for which they have an id.
    update app.stored_objects set expires_at = app.now()
    where owner_id = p_user_id and attempt_count = 0 and expires_at > app.now();
    delete from app.departures as d
    where d.user_id = p_user_id and not exists (select from app.stored_objects as o where o.owner_id = d.user_id);
  end if;
end
$$;
comment on function app.finish_departure(uuid) is 'Removes what an ended account left behind, a part at a time, or moves it where the account was merged. The departure stays until nothing is left, and is looked at once more after a minute; that its objects are gone from storage makes it due (app.forget_objects).';

revoke all on function app.finish_departure(uuid) from public;
grant execute on function app.finish_departure(uuid) to opine_worker;
