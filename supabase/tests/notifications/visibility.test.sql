begin;
select plan(33);
savepoint empty;

-- Milestones and mentions are in the inbox while their recipient sees the post (docs/product.md N9, N10).
select tests.elm();
select tests.person('ben', 4), tests.person('ann', 4);
select tests.membership('elm', 'ben'), tests.hub('oak', 'ben'), tests.membership('oak', 'jonas');
select tests.slider('trams', 'ben'), tests.post('locked', 'ben', 'private_locked_hub');
select tests.placement('locked', 'elm'), tests.placement('locked', 'oak');
insert into app.hub_mutes (hub_id, user_id) values (tests.id('oak'), tests.id('jonas'));
delete from app.events;
delete from app.inbox_counts;
select
  tests.notification('milestone', 'jonas', 'post_vote_milestone', p_post => 'trams', p_author => 'ben'),
  tests.notification('mention', 'jonas', 'user_mentioned', 'ben', p_post => 'trams'),
  tests.notification('in a comment', 'jonas', 'user_mentioned', 'ann', p_post => 'trams', p_author => 'ben'),
  tests.notification('private', 'jonas', 'user_mentioned', 'ben', p_post => 'locked'),
  tests.notification('follow', 'jonas', p_actor => 'ben'),
  tests.notification('own', 'ben', 'post_vote_milestone', p_post => 'trams'),
  tests.notification('invited', 'lena', 'hub_invite_received', 'amara', 'elm'),
  tests.notification('rejected', 'lena', 'hub_join_request_rejected', 'amara', 'elm'),
  tests.notification('removed', 'lena', 'hub_member_removed', 'amara', 'elm'),
  tests.notification('decided', 'lena', 'moderation_decided'),
  tests.notification('role', 'jonas', 'hub_role_changed', 'amara', 'elm');
-- What the list, the count, the stream and marking say of a person: they agree.
create function pg_temp.inbox(p_name text)
returns text
language plpgsql
as $$
declare
  v_page jsonb := tests.inbox(p_name);
  v_names text := (
    select string_agg(name, ', ' order by name)
    from unnest(array[
      'milestone', 'mention', 'in a comment', 'private', 'follow', 'own', 'invited', 'rejected', 'removed', 'decided',
      'role'
    ]) as name
    where tests.id(name) = any (tests.item_ids(v_page))
  );
begin
  if (v_page ->> 'unreadCount')::integer <> jsonb_array_length(v_page -> 'items')
    or tests.item_ids(v_page) <> tests.item_ids(tests.inbox(p_name, '{"unreadOnly": true}'))
    or not array(select tests.due_notifications_of(p_name)) <@ tests.item_ids(v_page)
    or not tests.item_ids(v_page) <@ array(select tests.due_notifications_of(p_name)) then
    return 'list, count and stream differ: ' || v_names;
  end if;
  return coalesce(v_names, 'nothing');
end
$$;
create temporary table versions (name text primary key, version integer not null);
insert into versions select name, tests.inbox_version(name) from unnest(array['jonas', 'lena']) as name;
-- Makes a change. Returns the inbox, and whether its version has grown.
create function pg_temp.after(p_change text, p_name text)
returns text
language plpgsql
as $$
declare
  v_former integer := (select v.version from versions as v where v.name = p_name);
  v_text text;
begin
  execute p_change;
  update versions set version = tests.inbox_version(name);
  v_text := pg_temp.inbox(p_name);
  return v_text || case
    when tests.inbox_version(p_name) > v_former then '; newer'
    when tests.inbox_version(p_name) < v_former then '; older'
    else ''
  end;
end
$$;

select is(pg_temp.after(change, 'jonas'), expected, title)
from (
  values
    (
      'select', 'follow, in a comment, mention, milestone, private, role',
      'a member sees milestones and mentions of posts that they see'
    ),
    (
      $$ insert into app.suspensions (user_id) values (tests.id('ben')) $$, 'follow, role; newer',
      'the suspension of an author hides milestones and mentions of their posts'
    ),
    (
      $$ delete from app.suspensions $$, 'follow, in a comment, mention, milestone, private, role; newer',
      'the end of the suspension shows milestones and mentions again'
    ),
    (
      $$ select tests.account_deletion('ben') $$, 'follow, role; newer',
      'the deletion of an author hides milestones and mentions of their posts'
    ),
    (
      $$ delete from app.account_deletions; select tests.block('ben', 'jonas') $$, 'role; newer',
      'a block with the author hides milestones and mentions'
    ),
    (
      $$ delete from app.blocks $$, 'follow, in a comment, mention, milestone, private, role; newer',
      'an unblock shows milestones and mentions again'
    ),
    (
      $$ delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('elm') $$,
      'follow, in a comment, mention, milestone, private; newer',
      'a member of one of two Hubs sees the mention in a private post'
    ),
    (
      $$ delete from app.placements where post_id = tests.id('locked') and hub_id = tests.id('oak') $$,
      'follow, in a comment, mention, milestone; newer', 'the loss of the last Hub of a private post hides its mentions'
    ),
    (
      $$ select tests.placement('locked', 'oak', p_kind => 'shared') $$,
      'follow, in a comment, mention, milestone, private; newer',
      'a share into a Hub of the recipient shows its mentions'
    ),
    (
      $$ update app.profiles set full_name = 'Ben Other' where user_id = tests.id('ben') $$,
      'follow, in a comment, mention, milestone, private', 'a changed name of an author keeps the inbox version'
    ),
    (
      $$ insert into app.suspensions (user_id) values (tests.id('lena')) $$,
      'follow, in a comment, mention, milestone, private', 'the suspension of somebody else keeps the inbox version'
    ),
    (
      $$ delete from app.suspensions; insert into app.suspensions (user_id) values (tests.id('ben')) $$,
      'follow; newer',
      'a second suspension of the author hides milestones and mentions'
    )
) as c (change, expected, title);
select is(tests.mark_all_read('jonas'), 1::bigint, 'marking all notifications read leaves those of a hidden post');
delete from app.suspensions;
select is(
  tests.unread_count('jonas'), 4,
  'notifications that were hidden while all were marked are unread afterwards'
);
select is(tests.mark_all_read('jonas'), 4::bigint, 'marking all notifications read marks milestones and mentions');
insert into app.suspensions (user_id) values (tests.id('ben'));
select is(pg_temp.inbox('ben'), 'own', 'a suspended author sees the milestones of their own post');
delete from app.suspensions;

-- Nothing of a suspended or closed Hub is in an inbox but decisions (docs/product.md N8).
update versions set version = tests.inbox_version(name);
select is(pg_temp.after(change, 'lena'), expected, title)
from (
  values
    (
      'select', 'decided, invited, rejected, removed',
      'a Hub-ready person sees invitations, rejections and removals of an open Hub'
    ),
    (
      $$
        delete from app.memberships where hub_id = tests.id('elm');
        update app.hubs set suspended_at = app.now() where id = tests.id('elm')
      $$,
      'decided; newer',
      'a suspended Hub is in no inbox but by a decision'
    ),
    (
      $$ update app.hubs set suspended_at = null where id = tests.id('elm') $$,
      'decided, invited, rejected, removed; newer',
      'a restored Hub is in inboxes again'
    ),
    (
      $$ update app.hubs set name = 'Elms' where id = tests.id('elm') $$, 'decided, invited, rejected, removed',
      'a changed name of a Hub keeps the inbox version'
    ),
    ($$ select tests.close_hub('elm') $$, 'decided; newer', 'a closed Hub is in no inbox but by a decision')
) as c (change, expected, title);

rollback to empty;

-- Milestones and mentions are created for those alone who see the post.
select tests.person(name, 4) from unnest(array['lena', 'maya', 'jonas', 'ann']) as name;
select tests.slider('trams', 'lena');
select tests.vote_receipt(name, 'trams', 1) from unnest(array['maya', 'jonas', 'ann']) as name;
select tests.block('jonas', 'lena');
insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 500, 501);
select tests.fan_out_milestones();
select bag_eq(
  $$ select tests.milestones('trams') $$, array['lena: 500 of 500', 'maya: 500 of 501', 'ann: 500 of 501'],
  'a voter who is in a blocked pair with the author gets no milestone'
);
insert into app.suspensions (user_id) values (tests.id('lena'));
insert into app.milestones (post_id, next_total, last_total) values (tests.id('trams'), 1001, 1001);
select tests.fan_out_milestones();
select is(
  count(*), 3::bigint, 'a post of a suspended author creates no milestones of voters'
) from app.events where type = 'post_vote_milestone';
delete from app.suspensions;
select tests.repost('yes @maya @jonas', 'ann', 'trams');
select bag_eq(
  $$ select tests.recipients('user_mentioned') $$, array['maya', 'jonas'],
  'a mention notifies everybody who sees the post'
);
delete from app.events;
select tests.block('maya', 'ann');
select tests.repost('again @maya @jonas', 'ann', 'trams');
select bag_eq(
  $$ select tests.recipients('user_mentioned') $$, array['jonas'],
  'a mention does not notify who is in a blocked pair with the author'
);

rollback to empty;

-- A suspension costs one row, however many people it concerns.
select tests.person('lena', 4), tests.person('maya', 4);
select tests.post('trams', 'lena');
select tests.notification(
  'mention ' || n, 'maya', 'user_mentioned', 'lena', p_post => 'trams'
) from generate_series(1, 3) as n;
create temporary table before as select tests.inbox_version('maya') as version, count(*) as rows from app.inbox_counts;
insert into app.suspensions (user_id) values (tests.id('lena'));
select is(
  (select array[count(*), sum(change_count)] from app.audience_changes), array[1, 1]::numeric[],
  'a suspension writes one row for all inboxes'
);
select is(count(*), (select rows from before), 'a suspension writes no row for an inbox') from app.inbox_counts;
select is(
  tests.inbox_version('maya'), (select version + 1 from before),
  'the version of an inbox contains the suspension of an author'
);
select is(tests.unread_count('maya'), 0, 'three mentions of a suspended author do not count');
select app.fold_inbox_counts();
select is(
  tests.inbox_version('maya'), (select version + 1 from before),
  'a fold keeps the version of an inbox after a suspension'
);
select is(
  tests.inbox_version('lena'), 0, 'the version of a person without a notification from an author does not contain them'
);


-- An account that is erased leaves the counts of others, and their versions stay.
select app.end_user(tests.id('lena'));
update before set version = tests.inbox_version('maya');
delete from app.posts;
select app.lock_inbox_counts(), app.delete_audience_changes(tests.id('lena'));
select is_empty(
  $$
    select audience_id from app.inbox_counts where audience_id = tests.id('lena') and user_id = tests.id('maya')
    union all select audience_id from app.audience_changes where audience_id = tests.id('lena')
  $$,
  'an erased account is in no count of an inbox'
);
select ok(
  tests.inbox_version('maya') > (select version from before), 'the version of an inbox does not fall after an erasure'
);

select * from finish();
rollback;
