-- What functions lock until the end of their transaction, so that others wait for them ("Lock order" in
-- docs/architecture.md).
begin;
select plan(68);

-- Calls p_call as a user and returns the lock that it leaves on a row, whose table and name p_row has:
-- "app.posts trams". Undoes the call.
create function pg_temp.lock_after(p_caller text, p_call text, p_row text, p_key name default 'id')
returns text
language plpgsql
as $$
declare
  v_lock text;
begin
  begin
    perform set_config('request.jwt.claims', coalesce(tests.claims(p_caller)::text, ''), true);
    execute 'select ' || p_call;
    v_lock := tests.lock_of(split_part(p_row, ' ', 1), tests.id(substr(p_row, position(' ' in p_row) + 1)), p_key);
    raise exception 'undo the call';
  exception when raise_exception then
    return v_lock;
  end;
end
$$;

-- Calls p_call as a user and returns how it leaves the advisory lock of p_key: "ExclusiveLock", or null.
-- Undoes the call.
create function pg_temp.advisory_lock_after(p_caller text, p_call text, p_key bigint)
returns text
language plpgsql
as $$
declare
  v_mode text;
begin
  begin
    perform set_config('request.jwt.claims', coalesce(tests.claims(p_caller)::text, ''), true);
    execute 'select ' || p_call;
    select l.mode into v_mode
    from pg_locks as l
    where l.locktype = 'advisory' and l.pid = pg_backend_pid() and (l.classid::bigint << 32) | l.objid::bigint = p_key;
    raise exception 'undo the call';
  exception when raise_exception then
    return v_mode;
  end;
end
$$;

create function pg_temp.pair_key(p_one text, p_other text)
returns bigint
language sql
return hashtextextended(
  least(tests.id(p_one), tests.id(p_other))::text || greatest(tests.id(p_one), tests.id(p_other))::text, 0
);

-- Triggers and foreign keys would lock rows too, here and in the calls.
set local session_replication_role = replica;
select tests.elm();
select tests.person('gwen', 2), tests.person('ann', 2);
insert into app.sessions (id, user_id) select tests.id('session of ' || name), tests.id(name)
from unnest(array['amara', 'maya', 'jonas', 'lena']) as name;
update app.memberships set seen_at = app.now();
select tests.post('original', 'lena'), tests.repost('repost', 'jonas', 'original'), tests.post('trams', 'maya'),
  tests.post('buses', 'amara');
select tests.placement('trams', 'elm', p_by => 'maya');
select tests.comment('root', 'jonas', 'trams'), tests.comment('reply', 'lena', 'trams', 'root'),
  tests.comment('of gwen', 'gwen', 'repost');
update app.posts set comment_count = 3, repost_count = 1;
update app.comments set reply_count = 1 where id = tests.id('root');
insert into app.saved_posts (user_id, post_id) values (tests.id('jonas'), tests.id('buses'));
insert into app.held_votes (post_id, user_id, due_at) values (tests.id('trams'), tests.id('jonas'), app.now());
select tests.follow('gwen', 'jonas'), tests.follow('lena', 'gwen'), tests.block('gwen', 'maya'),
  tests.block('amara', 'gwen');
select tests.asset('picture', 'maya'), tests.open_upload('upload', 'maya');
update app.comments set asset_id = tests.id('picture') where id = tests.id('root');
update app.uploads set asset_id = tests.id('picture') where id = tests.id('upload');
select app.put_code(jsonb_build_object('phoneHash', tests.hash_hex('maya'), 'codeHash', tests.hash_hex('1234')));
insert into app.notifications (id, event_id, recipient_id, audience, audience_id) values
  (tests.id('notice'), tests.id('event'), tests.id('lena'), 'everybody', tests.id('lena'));
insert into app.events (id, type, actor_id) values (tests.id('many'), 'followed_user_posted', tests.id('maya'));
insert into app.fan_outs (event_id) values (tests.id('many'));
insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 1, 1);
insert into app.fresh_votes (post_id, user_id) values (tests.id('buses'), tests.id('lena'));
insert into app.discussions (id, hub_id, post_id) values (tests.id('talk'), tests.id('elm'), tests.id('trams'));
insert into app.messages (id, discussion_id, hub_id, author_id, body, reply_count)
values (tests.id('message'), tests.id('talk'), tests.id('elm'), tests.id('jonas'), 'Hello', 1);

select is(pg_temp.lock_after(caller, call, locked), expected, format('%s locks %s', split_part(call, '(', 1), title))
from (
  values
    -- Accounts
    (
      'gwen', $$app.sign_in_with_phone(tests.phone_of('maya'), null)$$, 'app.users maya', 'update',
      'the user of the phone against a merge'
    ),
    (
      'jonas',
      $$
        api.verify_phone_change(
          jsonb_build_object(
            'phoneNumber', tests.phone_of('lena'), 'phoneHash', tests.hash_hex('maya'), 'codeHash',
            tests.hash_hex('1234')
          )
        )
      $$,
      'app.users jonas', 'update', 'the caller against a merge'
    ),
    (
      'jonas', $$app.erase_person(tests.id('jonas'))$$, 'app.posts buses', 'key share',
      'a saved post against its deletion'
    ),
    (
      'jonas', $$app.erase_person(tests.id('jonas'))$$, 'app.posts trams', 'key share',
      'the post of a held vote against its deletion'
    ),
    (
      null, $$app.move_belongings(tests.id('gwen'), tests.id('lena'))$$, 'app.users jonas', 'key share',
      'whom the account follows'
    ),
    (
      null, $$app.move_belongings(tests.id('gwen'), tests.id('jonas'))$$, 'app.users lena', 'key share',
      'who follows the account'
    ),
    (
      null, $$app.move_belongings(tests.id('gwen'), tests.id('lena'))$$, 'app.users maya', 'key share',
      'whom the account blocks'
    ),
    (
      null, $$app.move_belongings(tests.id('gwen'), tests.id('lena'))$$, 'app.users amara', 'key share',
      'who blocks the account'
    ),
    (
      null, $$app.move_belongings(tests.id('gwen'), tests.id('lena'))$$, 'app.posts repost', 'no key update',
      'a post with a comment of the account'
    ),
    (null, $$app.lock_actor(tests.id('maya'))$$, 'app.users maya', 'share', 'the person against joins and leaves'),
    -- Media
    (
      'maya', $$app.owns_asset(tests.id('picture'))$$, 'app.assets picture', 'key share',
      'the asset against its deletion'
    ),
    (
      null, $$app.delete_unused_assets(tests.ids('picture'))$$, 'app.assets picture', 'update',
      'an asset against new references'
    ),
    (
      'maya',
      $$
        app.finish_upload(
          tests.completion_args('upload', jsonb_build_object('checksum', tests.hash_hex('file of picture')))
        )
      $$,
      'app.uploads upload', 'update', 'the upload against other tries to complete it'
    ),
    -- Posts
    (
      null, $$app.lock_post_for_deletion(tests.id('repost'))$$, 'app.users jonas', 'share',
      'the author against joins and leaves'
    ),
    (null, $$app.lock_post_for_deletion(tests.id('repost'))$$, 'app.posts repost', 'no key update', 'the post'),
    (null, $$app.lock_post_for_deletion(tests.id('repost'))$$, 'app.posts original', 'no key update', 'the original'),
    (null, $$app.delete_post(tests.id('trams'))$$, 'app.users maya', 'share', 'the author of the post'),
    (null, $$app.hide_post(tests.id('trams'))$$, 'app.users maya', 'share', 'the author of the post'),
    (null, $$app.restore_post(tests.id('trams'))$$, 'app.users maya', 'share', 'the author of the post'),
    (
      'amara', $$app.delete_placement(tests.id('elm'), tests.id('trams'))$$, 'app.posts trams', 'no key update',
      'the post against shares'
    ),
    (
      null, $$app.delete_placements_of(tests.id('maya'), tests.id('elm'))$$, 'app.users maya', 'no key update',
      'the member against their activity'
    ),
    (
      null, $$app.delete_placements_of(tests.id('maya'), tests.id('elm'))$$, 'app.posts trams', 'no key update',
      'the posts that the member placed'
    ),
    -- Comments
    (null, $$app.delete_comment(tests.id('reply'))$$, 'app.users lena', 'share', 'the writer against joins and leaves'),
    -- Feeds, votes, discussions, notifications
    (
      null, $$app.record_activity('commented', tests.id('lena'), tests.id('trams'), app.now())$$, 'app.users lena',
      'share', 'the actor'
    ),
    (
      null, $$app.record_activity('commented', tests.id('lena'), tests.id('trams'), app.now())$$, 'app.posts trams',
      'key share', 'the post against its deletion'
    ),
    (
      null, $$app.end_activity('commented', tests.id('lena'), tests.id('trams'), null)$$, 'app.users lena', 'share',
      'the actor'
    ),
    (null, $$app.rank_votes(1, 1)$$, 'app.users lena', 'share', 'the voter'),
    (
      null, $$app.settle_pending(tests.id('trams'), array[tests.vote_key()])$$, 'app.posts trams', 'no key update',
      'the post against shares'
    ),
    (
      null, $$app.settle_pending(tests.id('trams'), array[tests.vote_key()])$$, 'app.hubs elm', 'key share',
      'a Hub with the post against its removal'
    ),
    (
      null, $$app.lock_discussion_of(tests.id('message'))$$, 'app.discussions talk', 'no key update',
      'the discussion against replies'
    ),
    (null, $$app.fan_out_milestones()$$, 'app.posts trams', 'share', 'the post against its removal'),
    (
      'jonas', $$tests.register_device_token('device')$$, 'app.users jonas', 'no key update',
      'the caller against another registration'
    ),
    (
      null, $$staff.suspend_user(tests.id('jonas'), 'spam', 'Sells pills.')$$, 'app.users jonas', 'update',
      'the person against a sign-in'
    ),
    (null, $$app.fan_out()$$, 'app.events many', 'key share', 'the event against its deletion')
) as c (caller, call, locked, expected, title);
select is(
  pg_temp.lock_after(caller, call, 'app.memberships ' || member, 'user_id'), expected,
  format('%s locks the membership of %s', split_part(call, '(', 1), title)
)
from (
  values
    ('jonas', $$app.lock_own_memberships(tests.ids('elm'))$$, 'jonas', 'no key update', 'the caller'),
    (
      'jonas', $$app.insert_placements(tests.id('buses'), tests.ids('elm'), 'targeted')$$, 'jonas', 'no key update',
      'the caller'
    ),
    ('amara', $$app.delete_placement(tests.id('elm'), tests.id('trams'))$$, 'amara', 'no key update', 'the admin'),
    (null, $$app.delete_placements_of(tests.id('maya'), tests.id('elm'))$$, 'maya', 'update', 'the member'),
    (
      'jonas',
      $$api.mark_discussion_read(jsonb_build_object('hubId', tests.id('elm'), 'discussionId', tests.id('talk')))$$,
      'jonas',
      'no key update', 'the caller'
    )
) as c (caller, call, member, expected, title);
select is(
  pg_temp.advisory_lock_after(caller, call, key), expected,
  format('%s takes the lock of %s', split_part(call, '(', 1), title)
)
from (
  values
    (
      'gwen', $$app.sign_in_with_phone(tests.phone_of('nobody'), null)$$, hashtextextended(tests.phone_of('nobody'), 0),
      'ExclusiveLock', 'the phone'
    ),
    (
      'jonas',
      $$
        api.verify_phone_change(
          jsonb_build_object(
            'phoneNumber', tests.phone_of('lena'), 'phoneHash', tests.hash_hex('maya'), 'codeHash',
            tests.hash_hex('1234')
          )
        )
      $$,
      hashtextextended(tests.phone_of('lena'), 0), 'ExclusiveLock', 'the phone'
    ),
    (
      null, $$app.move_belongings(tests.id('gwen'), tests.id('lena'))$$, hashtext('app.inbox_counts'), 'ExclusiveLock',
      'inbox counts'
    ),
    (
      'jonas', $$app.insert_placements(tests.id('buses'), tests.ids('elm'), 'targeted')$$,
      app.placements_key(tests.id('buses')), 'ExclusiveLock', 'placements'
    ),
    (
      'amara', $$app.delete_placement(tests.id('elm'), tests.id('trams'))$$, app.placements_key(tests.id('trams')),
      'ExclusiveLock', 'placements'
    ),
    (
      'jonas', $$app.count_in_new_hubs(tests.id('trams'), '{}', '{}')$$, app.placements_key(tests.id('trams')),
      'ShareLock', 'placements, shared with other votes,'
    ),
    (
      'jonas', $$api.follow_user(tests.user_args('lena'))$$, pg_temp.pair_key('jonas', 'lena'), 'ExclusiveLock',
      'the pair'
    ),
    (
      'jonas', $$api.block_user(tests.user_args('lena'))$$, pg_temp.pair_key('jonas', 'lena'), 'ExclusiveLock',
      'the pair'
    ),
    (
      'jonas', $$api.unblock_user(tests.user_args('lena'))$$, pg_temp.pair_key('jonas', 'lena'), 'ExclusiveLock',
      'the pair'
    ),
    (
      'jonas', $$api.create_comment(tests.post_args('trams') || '{"text": "Hello"}')$$,
      pg_temp.pair_key('jonas', 'maya'), 'ShareLock',
      'the pair, shared with other comments,'
    ),
    (
      'amara', $$api.close_hub(tests.hub_args('elm'))$$, hashtextextended('hub ' || tests.id('elm'), 0),
      'ExclusiveLock', 'the Hub'
    ),
    (null, $$app.fold_inbox_counts()$$, hashtext('app.inbox_counts'), 'ExclusiveLock', 'inbox counts'),
    (
      null, $$staff.suspend_user(tests.id('jonas'), 'spam', 'Sells pills.')$$,
      hashtextextended('hub ' || tests.id('elm'), 0), 'ExclusiveLock', 'each Hub of the person'
    ),
    (
      null, $$staff.lift_suspension(tests.id('jonas'))$$, hashtextextended('hub ' || tests.id('elm'), 0),
      'ExclusiveLock', 'each Hub of the person'
    ),
    (
      null, $$staff.suspend_hub(tests.id('elm'), 'spam', 'Sells pills.')$$,
      hashtextextended('hub ' || tests.id('elm'), 0), 'ExclusiveLock', 'the Hub'
    ),
    (
      null, $$staff.lift_hub_suspension(tests.id('elm'))$$, hashtextextended('hub ' || tests.id('elm'), 0),
      'ExclusiveLock', 'the Hub'
    ),
    (null, $$app.prune_closed_hubs()$$, hashtext('app.prune_closed_hubs'), 'ExclusiveLock', 'its runs'),
    (null, $$app.release_votes(1)$$, hashtext('app.release_votes'), 'ExclusiveLock', 'its runs')
) as c (caller, call, key, expected, title);

-- lock_post locks the writer and the post before a row about the post is written.
alter table app.comments enable always trigger comments_lock_post_before_insert;
select is(pg_temp.lock_after('lena', $$tests.comment('late', 'lena', 'trams')$$, locked), expected, title)
from (
  values
    ('app.users lena', 'share', 'a comment locks its writer against joins and leaves'),
    ('app.posts trams', 'no key update', 'a comment locks its post against its deletion'),
    ('app.posts original', null, 'a comment locks no other post')
) as c (locked, expected, title);

-- A report locks the files that it keeps.
alter table app.reports enable always trigger reports_keep_evidence_after_insert;
select is(
  pg_temp.lock_after(null, $$tests.report('lena', p_comment => 'root')$$, 'app.assets picture'), 'key share',
  'a report locks the files of its target against their deletion'
);

-- What is locked when the first row is written: a trigger raises it.
create function pg_temp.report_locks()
returns trigger
language plpgsql
as $$
begin
  -- Three arguments for each lock: a table, the column of the written row that names a row of it, and the column there.
  raise exception using message = (
    select string_agg(
      coalesce(tests.lock_of(tg_argv[n]::regclass, (to_jsonb(old) ->> tg_argv[n + 1])::uuid, tg_argv[n + 2]), 'none'),
      ', ' order by n
    )
    from generate_series(0, tg_nargs - 1, 3) as n
  );
end
$$;
create trigger report_locks before update of author_id or delete on app.comments
for each row execute function pg_temp.report_locks(
  'app.users', 'author_id', 'id', 'app.posts', 'post_id', 'id', 'app.comments', 'parent_id', 'id', 'app.comments', 'id',
  'id',
  'app.removed_contents', 'id', 'content_id'
);
create trigger report_locks before update of author_id or delete on app.messages
for each row execute function pg_temp.report_locks(
  'app.discussions', 'discussion_id', 'id', 'app.messages', 'id', 'id', 'app.removed_contents', 'id', 'content_id'
);
create trigger report_post_lock before update of is_hidden on app.comments
for each row when (new.is_hidden) execute function pg_temp.report_locks('app.posts', 'post_id', 'id');
alter table app.comments enable always trigger report_locks, enable always trigger report_post_lock;
alter table app.messages enable always trigger report_locks;
select is(
  tests.error_of($$ select staff.hide_message(tests.id('of message'), tests.id('message')) $$) ->> 'code',
  'no key update, no key update, none',
  'staff.hide_message locks the discussion before it empties the message'
);
insert into app.removed_contents (decision_id, author_id, content_id, post_id, created_at)
values
  (tests.id('of root'), tests.id('jonas'), tests.id('root'), tests.id('trams'), app.now()),
  (tests.id('of message'), tests.id('jonas'), tests.id('message'), null, app.now());
insert into app.blocks (blocker_id, blocked_id) values (tests.id('jonas'), tests.id('maya'));
select is(tests.error_of('select ' || call) ->> 'code', expected, title)
from (
  values
    (
      $$app.delete_comment(tests.id('reply'))$$, 'share, no key update, update, update, none',
      'delete_comment locks the writer, the post, the root and the reply before it deletes the reply'
    ),
    (
      $$app.delete_comment(tests.id('root'))$$, 'share, no key update, none, update, none',
      'delete_comment locks the root of a thread before it empties it'
    ),
    (
      $$app.restore_comment(tests.id('of root'))$$, 'key share, no key update, none, no key update, update',
      'restore_comment locks the pair, the post and the kept content before it restores the comment'
    ),
    (
      $$app.delete_message(tests.id('message'))$$, 'no key update, update, none',
      'delete_message locks the discussion and the message before it empties the message'
    ),
    (
      $$app.restore_message(tests.id('of message'))$$, 'no key update, no key update, update',
      'restore_message locks the discussion and the kept content before it restores the message'
    ),
    (
      $$app.update_hidden_comments(tests.id('jonas'), tests.id('maya'))$$, 'no key update',
      'update_hidden_comments locks the posts before it hides comments'
    )
) as c (call, expected, title);

select * from finish();
rollback;
