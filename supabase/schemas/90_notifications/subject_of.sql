create function app.subject_of(p_event app.events, p_after uuid, p_limit integer)
returns setof uuid
language plpgsql
immutable
security invoker
set search_path = ''
as $$
begin
  return query
  select p_event.subject_id where p_event.subject_id > p_after;
end
$$;
comment on function app.subject_of(app.events, uuid, integer) is 'Whom an event happened to: who is told of being followed, approved, rejected, removed or given a role, and of their milestone.';

revoke all on function app.subject_of(app.events, uuid, integer) from public;
