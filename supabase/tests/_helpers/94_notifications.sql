create function tests.event(
  p_type app.event_type, p_actor text default null, p_subject text default null, p_hub text default null, p_post text default null,
  p_invitation text default null, p_occurred_at timestamptz default app.now()
)
returns app.events
language sql
stable
return jsonb_populate_record(null::app.events, jsonb_build_object(
  'id', tests.id(concat_ws(' ', p_type::text, p_actor, p_subject, p_hub, p_post)), 'type', p_type, 'actor_id', tests.id(p_actor),
  'subject_id', tests.id(p_subject), 'hub_id', tests.id(p_hub), 'post_id', tests.id(p_post), 'invitation_id', tests.id(p_invitation),
  'occurred_at', p_occurred_at
));
comment on function tests.event(app.event_type, text, text, text, text, text, timestamptz) is 'Something that happened, as nobody has written it yet.';

create function tests.notification(
  p_name text, p_recipient text, p_type app.event_type default 'user_followed', p_actor text default null, p_hub text default null,
  p_post text default null, p_created_at timestamptz default app.now(), p_author text default null
)
returns uuid
language plpgsql
as $$
declare
  v_event app.events := tests.event(p_type, p_actor, p_recipient, p_hub, p_post, p_occurred_at => p_created_at);
begin
  v_event.id := tests.id('event of ' || p_name);
  if p_type = 'post_vote_milestone' then
    v_event.milestone_total := 100 + (select count(*) from app.events);
    v_event.milestone_count := v_event.milestone_total;
  end if;
  insert into app.events select v_event.*;
  insert into app.notifications (id, event_id, recipient_id, audience, scope_id, actor_id, author_id, created_at)
  select
    tests.id(p_name), v_event.id, tests.id(p_recipient), audience, case audience when 'hub_member' then v_event.hub_id else tests.id(p_recipient) end,
    v_event.actor_id, tests.id(p_author), p_created_at
  from app.audience_of(v_event) as audience;
  return tests.id(p_name);
end
$$;
comment on function tests.notification(text, text, app.event_type, text, text, text, timestamptz, text) is 'Somebody was told of something, that nobody else was.';

create function tests.told(p_recipient text)
returns setof text
language sql
stable
begin atomic
  select concat_ws(
    ' ', e.type, 'by ' || actor.username, 'in ' || h.name, 'of ' || coalesce(p.thought_text, p.slider_text), e.milestone_count || ' of ' || e.milestone_total
  )
  from app.notifications as n
  join app.events as e on e.id = n.event_id
  left join app.profiles as actor on actor.user_id = n.actor_id
  left join app.hubs as h on h.id = e.hub_id
  left join app.posts as p on p.id = e.post_id
  where n.recipient_id = tests.id(p_recipient);
end;
comment on function tests.told(text) is 'What somebody was told, whether they may see it or not: "post_shared_to_hub by maya in elm of trams".';

create function tests.recipients(p_type app.event_type default null)
returns setof text
language sql
stable
begin atomic
  select p.username::text
  from app.notifications as n
  join app.events as e on e.id = n.event_id
  left join app.profiles as p on p.user_id = n.recipient_id
  where e.type = p_type or p_type is null;
end;
comment on function tests.recipients(app.event_type) is 'Who was told of anything, or of this, as often as they were.';

create function tests.named_by(p_candidates uuid[])
returns setof text
language sql
stable
begin atomic
  select p.username::text from unnest(p_candidates) as candidate (id) join app.profiles as p on p.user_id = candidate.id;
end;
comment on function tests.named_by(uuid[]) is 'The usernames of people.';

create function tests.inbox(p_reader text, p_args jsonb default '{}')
returns jsonb
language plpgsql
as $$
declare
  v_inbox jsonb;
begin
  perform tests.act_as(p_reader);
  v_inbox := api.list_notifications(p_args);
  perform set_config('role', 'none', true);
  return v_inbox;
end
$$;
comment on function tests.inbox(text, jsonb) is 'What somebody''s GET /notifications answers.';

create function tests.items(p_inbox jsonb)
returns setof uuid
language sql
immutable
begin atomic
  select (item.value ->> 'id')::uuid from jsonb_array_elements(p_inbox -> 'items') with ordinality as item (value, place) order by item.place;
end;
comment on function tests.items(jsonb) is 'The notifications on a page, in its order.';

create function tests.unread(p_name text)
returns integer
language sql
stable
return (app.inbox_state_of(tests.id(p_name))).unread_count::integer;
comment on function tests.unread(text) is 'Somebody''s badge.';

create function tests.inbox_version(p_name text)
returns integer
language sql
stable
return (app.inbox_state_of(tests.id(p_name))).version::integer;
comment on function tests.inbox_version(text) is 'How often somebody''s inbox has changed.';

create function tests.reads(p_name text)
returns bigint
language plpgsql
as $$
declare
  v_count bigint;
begin
  perform tests.act_as(p_name);
  v_count := app.mark_read(null);
  perform set_config('role', 'none', true);
  return v_count;
end
$$;
comment on function tests.reads(text) is 'Somebody marks as read all that they may see; how many that were.';

create function tests.hears(p_name text)
returns setof uuid
language sql
stable
begin atomic
  select d.id from app.due_notifications as d where d.recipient_id = tests.id(p_name);
end;
comment on function tests.hears(text) is 'The notifications of which streams and devices of somebody may be told now.';

create function tests.claims(p_limit integer)
returns table (notification_id uuid, token_hash bytea)
language sql
begin atomic
  select (message.value -> 'envelope' ->> 'notificationId')::uuid, decode(message.value ->> 'token_hash', 'hex')
  from app.claim_pushes(p_limit) as claim
  cross join jsonb_array_elements(claim.messages::jsonb) as message;
end;
comment on function tests.claims(integer) is 'What a worker takes to send to which devices.';
