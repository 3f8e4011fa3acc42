create function app.require_discussion(p_args jsonb)
returns app.discussions
language plpgsql
volatile
security invoker
set search_path = ''
as $$
declare
  v_discussion app.discussions;
begin
  perform app.require_member((p_args ->> 'hubId')::uuid, p_hidden => 'DISCUSSION_NOT_FOUND');
  select * into v_discussion
  from app.discussions as d
  where d.id = (p_args ->> 'discussionId')::uuid and d.hub_id = (p_args ->> 'hubId')::uuid;
  if v_discussion.id is null then
    raise exception using errcode = 'PT404', message = 'DISCUSSION_NOT_FOUND';
  end if;
  return v_discussion;
end
$$;
comment on function app.require_discussion(jsonb) is 'The discussion that hubId and discussionId name, in a Hub of the caller''s. Raises what app.require_member does; DISCUSSION_NOT_FOUND, to outsiders too.';

revoke all on function app.require_discussion(jsonb) from public;
grant execute on function app.require_discussion(jsonb) to authenticated;
