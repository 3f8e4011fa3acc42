create function app.standing_in(p_hub_id uuid)
returns app.hub_standing
language plpgsql
stable
security invoker
set search_path = ''
as $$
declare
  v_standing app.hub_standing;
begin
  if app.user_id() is not null then
    -- Members, who ask most, are found at once.
    select 'member', mine.role into v_standing.status, v_standing.role from app.my_hubs as mine where mine.hub_id = p_hub_id;
    if not found then
      select (e.standing).* into v_standing from app.my_hub_entries as e where e.hub_id = p_hub_id;
    end if;
  end if;
  v_standing.status := coalesce(v_standing.status, 'none');
  return v_standing;
end
$$;
comment on function app.standing_in(uuid) is 'What the caller is to a Hub (contract.md 8, "viewerStatus"); nothing at all is none.';

revoke all on function app.standing_in(uuid) from public;
grant execute on function app.standing_in(uuid) to anon, authenticated;
