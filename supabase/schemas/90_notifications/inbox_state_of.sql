create function app.inbox_state_of(p_user_id uuid)
returns app.inbox_state
language plpgsql
stable
security invoker
set search_path = ''
-- By indexes, whoever has however much: a plan for the one with a hundred thousand would read everybody's.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_state app.inbox_state;
begin
  select coalesce(sum(c.unread_count) filter (where s.user_id is not null), 0)::bigint, coalesce(sum(c.change_count), 0)::bigint
  into v_state
  from app.inbox_counts as c
  left join app.inbox_scopes as s on s.user_id = c.user_id and s.audience = c.audience and s.scope_id = c.scope_id
  where c.user_id = p_user_id;
  v_state.unread_count := v_state.unread_count - (
    select count(*)
    from app.withheld_notifications as w
    join app.inbox_scopes as s on s.user_id = w.recipient_id and s.audience = w.audience and s.scope_id = w.scope_id
    where w.recipient_id = p_user_id
  );
  return v_state;
end
$$;
comment on function app.inbox_state_of(uuid) is 'How many notifications somebody may see and has not read, exactly, without counting them; and the version of their inbox, which grows with every change of it.';

revoke all on function app.inbox_state_of(uuid) from public;
