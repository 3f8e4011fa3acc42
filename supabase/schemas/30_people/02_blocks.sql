-- Blocks a user. Idempotent.
--
-- Args: userId. Returns blocked.
create function api.block_user(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
  v_blocked_id uuid := (p_args ->> 'userId')::uuid;
begin
  perform app.require_level(1);
  perform app.lock_pair(app.user_id(), v_blocked_id);
  perform app.require_person(v_blocked_id);
  perform app.put_block(v_blocked_id);
  return '{"blocked": true}'::jsonb;
end
$$;
comment on function api.block_user is 'POST /users/{userId}/block (docs/product.md P17-P20).';
grant execute on function api.block_user to authenticated;

create function app.put_block(p_blocked_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into app.blocks (blocker_id, blocked_id) values (app.user_id(), p_blocked_id) on conflict do nothing;
  delete from app.follows
  where (follower_id, followee_id) in ((app.user_id(), p_blocked_id), (p_blocked_id, app.user_id()));
end
$$;
comment on function app.put_block is
  'Inserts the caller''s block of a user and deletes the follows between both, in both directions.';
grant execute on function app.put_block to authenticated;

-- Unblocks a user.
--
-- Args: userId. Returns blocked, also if there was no block.
create function api.unblock_user(jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  p_args alias for $1;
begin
  perform app.require_level(1);
  perform app.lock_pair(app.user_id(), (p_args ->> 'userId')::uuid);
  delete from app.blocks as b where b.blocker_id = app.user_id() and b.blocked_id = (p_args ->> 'userId')::uuid;
  -- No check after a delete: after a mutual block the caller does not see the other user.
  if not found then
    perform app.require_person((p_args ->> 'userId')::uuid);
  end if;
  return '{"blocked": false}'::jsonb;
end
$$;
comment on function api.unblock_user is 'DELETE /users/{userId}/block (docs/product.md P15).';
grant execute on function api.unblock_user to authenticated;

-- Lists the users that the caller blocks.
--
-- Args: cursor, limit. Returns items (UserLite and blockedAt), newest first, and nextCursor.
create function api.list_blocks(jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  p_args alias for $1;
  v_limit integer := app.page_size(p_args, 30, 100);
  v_list text := app.list_of('list_blocks', p_args);
  v_from app.list_entry := app.decode_cursor(v_list, p_args ->> 'cursor');
  v_page app.list_entry[];
begin
  perform app.require_level(1);
  v_page := array(
    select (b.created_at, b.blocked_id)::app.list_entry
    from app.blocks as b
    join app.profiles as p on p.user_id = b.blocked_id
    where b.blocker_id = app.user_id() and (b.created_at, b.blocked_id) < (v_from.at, v_from.id)
    order by b.created_at desc, b.blocked_id desc
    limit v_limit + 1
  );
  return jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(
        app.user_lite(p) || jsonb_build_object('blockedAt', app.iso(entry.at)) order by entry.place
      ), '[]')
      from unnest(v_page[:v_limit]) with ordinality as entry (at, id, place)
      join app.profiles as p on p.user_id = entry.id
    ),
    'nextCursor', app.next_cursor(v_list, v_page, v_limit)
  );
end
$$;
comment on function api.list_blocks is 'GET /users/me/blocks (docs/product.md P21, docs/decisions/015-own-data.md).';
grant execute on function api.list_blocks to authenticated;

-- Holds everybody's blocks with its owner's rights; views of one person's stand on it.
create view app.blocked_pairs as
select b.blocked_id as user_id, b.blocker_id as other_id, 'blockers' as reason
from app.blocks as b
union all
select b.blocker_id, b.blocked_id, 'blocks'
from app.blocks as b;
comment on view app.blocked_pairs is
  'Two rows per block, one from each side: user_id and other_id see nothing of each other (reason: blocks for the '
  'blocker, blockers for the blocked user).';

-- Like app.my_hubs, it reads with its owner's rights.
create view app.blocked_users with (security_barrier = true) as
select b.other_id as user_id, b.reason
from app.blocked_pairs as b
where b.user_id = (select app.user_id());
comment on view app.blocked_users is 'The users whom the caller blocks, and those who block the caller (reason).';
grant select on app.blocked_users to anon, authenticated;

-- A view, because the planner inlines it into the policies that read it; each of them would call a function.
-- Like app.my_hubs, it reads with its owner's rights.
create view app.blockers with (security_barrier = true) as
select b.blocker_id as user_id
from app.blocks as b
where b.blocked_id = (select app.user_id());
comment on view app.blockers is 'The users who block the caller; the caller cannot see them (docs/product.md P18).';
grant select on app.blockers to anon, authenticated;

-- Policies and lists read this view.
create view app.hidden_users with (security_invoker = true) as
select b.user_id, b.reason
from app.blocked_users as b
union all
select h.user_id, h.reason
from app.users_hidden_from_all as h;
comment on view app.hidden_users is
  'The users whose content and activity the caller must not see, and why (reason): blocked pairs, and users hidden '
  'from everybody.';
grant select on app.hidden_users to anon, authenticated;

-- Serialises changes to the follows and blocks between two users until the end of the transaction.
--
-- A concurrent follow and block could otherwise both persist. It waits for a merge of either account. Shared,
-- it keeps these changes away from others that do not exclude each other.
create function app.lock_pair(p_one uuid, p_other uuid, p_is_shared boolean default false) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_key bigint := hashtextextended(least(p_one, p_other)::text || greatest(p_one, p_other)::text, 0);
begin
  -- A merge locks both accounts until the follows and blocks that it moves are visible.
  perform from app.users as u where u.id in (p_one, p_other) order by u.id for key share;
  if p_is_shared then
    perform pg_advisory_xact_lock_shared(v_key);
  else
    perform pg_advisory_xact_lock(v_key);
  end if;
end
$$;
comment on function app.lock_pair is 'Locks the follows and blocks between two users.';
grant execute on function app.lock_pair to authenticated;
