create function app.saved_discussion(p_discussion app.discussions)
returns jsonb
language plpgsql
stable
security invoker
set search_path = ''
as $$
begin
  return app.listed_discussions(p_discussion.hub_id, array[(null, p_discussion.id)::app.list_entry]) -> 0 || jsonb_build_object(
    'hub', (select jsonb_build_object('id', h.id, 'name', h.name) from app.hubs as h where h.id = p_discussion.hub_id),
    'previewMessages', app.listed_messages(p_discussion.hub_id, array(
      select m
      from app.messages as m
      where m.discussion_id = p_discussion.id
      order by m.created_at, m.id
      limit 3
    ))
  );
end
$$;
comment on function app.saved_discussion(app.discussions) is 'A saved discussion: with its Hub and its three earliest messages (spec.md D).';

revoke all on function app.saved_discussion(app.discussions) from public;
grant execute on function app.saved_discussion(app.discussions) to authenticated;
