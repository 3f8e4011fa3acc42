-- Those of milestones are notified by app.fan_out_milestones.
create function app.deliver_new_event() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform app.deliver_event(new);
  return null;
end
$$;
comment on function app.deliver_new_event is 'Trigger: notifies the recipients of an event.';

create trigger events_deliver_after_insert after insert on app.events
for each row when (new.type <> 'post_vote_milestone')
execute function app.deliver_new_event();

create function app.deliver_event(p_event app.events) returns void
language plpgsql set search_path = '' as $$
declare
  -- At most 1,000 recipients per transaction, whatever it does, so that no request waits for thousands of inserts.
  v_left integer := 1000 - coalesce(nullif(current_setting('app.recipient_count', true), ''), '0')::integer;
  v_user_ids uuid[] := app.candidates_for(p_event, '00000000-0000-0000-0000-000000000000', v_left + 1);
begin
  if cardinality(v_user_ids) > v_left then
    insert into app.fan_outs (event_id) values (p_event.id);
  else
    perform set_config('app.recipient_count', (1000 - v_left + cardinality(v_user_ids))::text, true);
    perform app.notify(p_event, v_user_ids);
  end if;
end
$$;
comment on function app.deliver_event is
  'Notifies the recipients of an event, or queues a fan-out for the worker if there are too many.';

-- It skips ended accounts, the actor, blocked pairs with the actor or the author of the post or of the
-- thread, and, for types that honour mutes, users who muted the Hub.
create function app.notify(p_event app.events, p_user_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
declare
  v_now timestamptz := app.now();
  v_audience app.audience := app.audience_of(p_event);
  v_post_author_id uuid;
  v_author_id uuid;
  v_thread_author_id uuid;
  v_is_comment_hidden boolean;
  v_muting_ids uuid[] := '{}'::uuid[];
begin
  if p_event.post_id is not null then
    select
      p.author_id, nullif(p.author_id, p_event.actor_id), nullif(nullif(root.author_id, p_event.actor_id), p.author_id),
      c.is_hidden
    into v_post_author_id, v_author_id, v_thread_author_id, v_is_comment_hidden
    from app.posts as p
    left join app.comments as c on c.id = p_event.comment_id
    left join app.comments as root on root.id = c.parent_id
    where p.id = p_event.post_id;
  end if;
  if p_event.hub_id is not null then
    v_muting_ids := array(select m.user_id from app.event_mutes as m where m.event_id = p_event.id);
  end if;
  insert into app.notifications (
    event_id, recipient_id, audience, audience_id, actor_id, author_id, thread_author_id, is_comment_hidden, created_at
  )
  select
    p_event.id, u.id, v_audience,
    case
      when v_audience in ('hub_member', 'hub_ready') then p_event.hub_id
      when v_audience in ('post_viewer', 'target_member') then v_post_author_id
      else u.id
    end,
    p_event.actor_id, nullif(v_author_id, u.id), nullif(v_thread_author_id, u.id),
    coalesce(v_is_comment_hidden, false), v_now
  from app.users as u
  where u.id = any (p_user_ids) and u.ended_at is null and u.id is distinct from p_event.actor_id
    and not exists (
      select from app.blocked_pairs as b
      where b.user_id = u.id and b.other_id in (p_event.actor_id, v_author_id, v_thread_author_id)
    )
    and u.id <> all (v_muting_ids)
  order by u.id
  on conflict (event_id, recipient_id) do nothing;
end
$$;
comment on function app.notify is 'Inserts the notifications of an event for p_user_ids, each once.';

-- An event without the Hub or post that its type needs is for nobody.
create function app.audience_of(p_event app.events) returns app.audience
language plpgsql stable set search_path = '' as $$
begin
  if p_event.hub_id is not null then
    return case
      when p_event.type in (
        'hub_invite_received', 'hub_join_request_rejected', 'hub_member_removed'
      ) then 'hub_ready'::app.audience
      else 'hub_member'
    end;
  end if;
  return case
    when p_event.type in ('user_followed', 'moderation_decided') then 'everybody'::app.audience
    when p_event.type in ('post_commented', 'comment_replied', 'post_shared_to_feed', 'post_voted')
      and p_event.post_id is not null then 'everybody'
    when p_event.type in (
      'post_reposted', 'post_vote_milestone', 'followed_user_posted', 'user_mentioned'
    ) then coalesce((
      select case
        when not p.is_public then 'target_member'
        when p_event.type in ('post_vote_milestone', 'user_mentioned') then 'post_viewer'
        else 'everybody'::app.audience
      end
      from app.posts as p
      where p.id = p_event.post_id
    ), 'nobody')
    else 'nobody'
  end;
end
$$;
comment on function app.audience_of is 'Returns the audience of an event''s notifications (docs/product.md N8, N9).';

-- Returns whether there may be more.
create function app.fan_out() returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_size integer := 2000;
  v_next record;
  v_batch app.fan_outs;
  v_event app.events;
  v_user_ids uuid[];
begin
  -- Skip events under deletion: the deletion waits for the lock of their batches.
  select f as batch, e as event into v_next
  from app.fan_outs as f
  join app.events as e on e.id = f.event_id
  order by f.batch_index, f.event_id
  limit 1
  for update of f skip locked for key share of e skip locked;
  if not found then
    return false;
  end if;
  v_batch := v_next.batch;
  v_event := v_next.event;
  if v_batch.until_user_id is null then
    v_user_ids := app.candidates_for(v_event, v_batch.next_user_id, 100 * v_size + 1);
    if cardinality(v_user_ids) > v_size then
      perform app.divide_fan_out(v_batch, v_user_ids, v_size);
      return true;
    end if;
  else
    v_user_ids := array(
      select c.id
      from unnest(app.candidates_for(v_event, v_batch.next_user_id, v_size + 1)) as c (id)
      where c.id < v_batch.until_user_id
    );
  end if;
  perform app.notify(v_event, array(
    select given.id from unnest(v_user_ids[:v_size]) as given (id)
    except all
    -- A mention in the same text has notified them: they had muted the Hub at that time.
    select n.recipient_id
    from app.events as mention
    join app.notifications as n on n.event_id = mention.id
    where mention.post_id = v_event.post_id and mention.type = 'user_mentioned'
      and mention.comment_id is not distinct from v_event.comment_id
  ));
  -- A merge may have added recipients since the division.
  if cardinality(v_user_ids) > v_size then
    update app.fan_outs
    set next_user_id = v_user_ids[v_size + 1]
    where event_id = v_batch.event_id and next_user_id = v_batch.next_user_id;
  else
    delete from app.fan_outs where event_id = v_batch.event_id and next_user_id = v_batch.next_user_id;
  end if;
  return true;
end
$$;
comment on function app.fan_out is
  'Notifies a batch of recipients of a queued event, or divides an event into batches, which several calls notify at '
  'the same time.';
grant execute on function app.fan_out to opine_worker;

-- Args: p_rest; p_user_ids (its first recipients; the last batch has those that follow, too); p_size
-- (recipients of a batch).
create function app.divide_fan_out(p_rest app.fan_outs, p_user_ids uuid[], p_size integer) returns void
language plpgsql set search_path = '' as $$
begin
  delete from app.fan_outs where event_id = p_rest.event_id and next_user_id = p_rest.next_user_id;
  insert into app.fan_outs (event_id, next_user_id, until_user_id, batch_index)
  select p_rest.event_id, p_user_ids[first], p_user_ids[first + p_size], p_rest.batch_index + first / p_size
  from generate_series(1, cardinality(p_user_ids), p_size) as first;
end
$$;
comment on function app.divide_fan_out is 'Divides the rest of an event''s recipients into batches.';
