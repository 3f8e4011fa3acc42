create function app.inbox_items(p_entries app.list_entry[])
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', n.id,
      'type', e.type,
      'actor', app.user_lite(e.actor) - 'name',
      'postId', e.post_id,
      'sourcePostId', e.source_post_id,
      'commentId', e.comment_id,
      'hub', case when h.id is not null then jsonb_build_object('id', h.id, 'name', h.name) end,
      'invitationId', e.invitation_id,
      'joinRequestId', e.join_request_id,
      'milestoneTotal', e.milestone_total,
      'milestoneCount', e.milestone_count,
      'createdAt', app.iso(n.created_at),
      'read', n.read_at is not null
    ) order by entry.place), '[]')
    from unnest(p_entries) with ordinality as entry (at, id, place)
    join app.notifications as n on n.id = entry.id and n.recipient_id = app.user_id()
    join app.event_details as e on e.id = n.event_id
    left join app.hubs as h on h.id = e.hub_id
  );
end
$$;
comment on function app.inbox_items(app.list_entry[]) is 'Notifications of the caller''s, which they may see, in this order (spec.md "Notification", contract.md 9).';

revoke all on function app.inbox_items(app.list_entry[]) from public;
grant execute on function app.inbox_items(app.list_entry[]) to authenticated;
