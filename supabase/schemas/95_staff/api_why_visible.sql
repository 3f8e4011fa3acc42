create function api.why_visible(jsonb)
returns jsonb
language sql
volatile
security invoker
set search_path = ''
begin atomic
  select jsonb_build_object('rules', jsonb_agg(jsonb_build_object('rule', w.rule, 'holds', w.holds, 'detail', w.detail) order by w.place))
  from staff.why_visible(($1 ->> 'viewerId')::uuid, ($1 ->> 'postId')::uuid) with ordinality as w (rule, holds, detail, place);
end;
comment on function api.why_visible(jsonb) is 'POST /admin/posts/{postId}/why-visible: staff.why_visible as an operation. Takes postId, viewerId (null: a guest); answers rules. Raises UNAUTHORIZED and FORBIDDEN in the gateway.';

revoke all on function api.why_visible(jsonb) from public;
grant execute on function api.why_visible(jsonb) to staff_moderator;
