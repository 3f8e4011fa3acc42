begin;
select plan(44);
savepoint empty;

-- remove_hub_post is for admins, and for posts in the Hub, whether they see them or not.
-- docs/product.md H28
select tests.elm();
select tests.person('ben', 4), tests.hub('ash', 'ben');
select tests.discussion('trams', 'jonas', 'elm'), tests.placement('trams', 'ash');
select tests.post('bikes', 'jonas'), tests.post('in ash', 'ben', 'private_locked_hub'),
  tests.placement('in ash', 'ash');
select tests.discussion('of lena', 'lena', 'elm');

create function pg_temp.args(p_post text, p_hub text default 'elm')
returns jsonb
language sql
return tests.hub_args(p_hub, tests.post_args(p_post));

select is(
  tests.refusals('remove_hub_post', pg_temp.args('trams')), tests.refusals_below_admin('POST_NOT_FOUND', 'FORBIDDEN'),
  'admins at level 4 alone can take a post out of a Hub, no matter who wrote it'
);
select is(
  tests.refusals('remove_hub_post', pg_temp.args('trams', 'oak')), tests.refusals_of_all('HUB_NOT_FOUND'),
  'nobody can take a post out of an unknown Hub'
);
select is(tests.refusals('remove_hub_post', pg_temp.args(post, hub)) ->> 'amara', 'POST_NOT_FOUND', title)
from (values
  ('trams', 'ash', 'an admin cannot take a post out of the Hub of others'),
  ('bikes', 'elm', 'an admin cannot take a post out of a Hub in which it is not'),
  ('in ash', 'elm', 'an admin cannot take a post of another Hub out of theirs'),
  ('unknown', 'elm', 'an admin cannot take an unknown post out of a Hub')
) as c (post, hub, title);
insert into app.suspensions (user_id) values (tests.id('lena'));
select is(
  tests.refusals('remove_hub_post', pg_temp.args('of lena')) ->> 'amara', null,
  'an admin can take out the post of a suspended user'
);
select tests.block(blocker, blocked) from (values ('amara', 'jonas'), ('jonas', 'amara')) as c (blocker, blocked);
select is(
  tests.refusals('remove_hub_post', pg_temp.args('trams')) ->> 'amara', null,
  'an admin can take out a post across a block'
);
delete from app.memberships where user_id = tests.id('maya');
select is(
  tests.refusals('remove_hub_post', pg_temp.args('trams')) ->> 'maya', 'POST_NOT_FOUND',
  'a removed member cannot take a post out of the Hub'
);

rollback to empty;

-- remove_hub_post deletes what spoke of the post in this Hub (docs/product.md H28).
select tests.elm();
select tests.person('ben', 4), tests.hub('ash', 'amara'), tests.membership('ash', 'ben');
select tests.post(name, 'jonas', 'private_locked_hub') from unnest(array['trams', 'bikes']) as name;
select tests.placement(post, hub) from unnest(array['trams', 'bikes']) as post, unnest(array['elm', 'ash']) as hub;
select tests.person('tom', 4), tests.hub('yew', 'tom'), tests.placement('trams', 'yew');
select tests.message('hello', 'maya', 'trams in elm'), tests.message('in ash', 'ben', 'trams in ash');
insert into app.saved_discussions (user_id, discussion_id) select tests.id('maya'), d.id from app.discussions as d;
insert into app.saved_posts (user_id, post_id) values (tests.id('maya'), tests.id('trams'));
select tests.post('public', 'lena'), tests.placement('public', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.comment('nice', 'jonas', 'public');
insert into app.fan_outs (event_id) select e.id from app.events as e where e.hub_id is not null;
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, ended_at, ended_by)
values (
  tests.id('elm'), tests.id('maya'), tests.id('trams'), 'shared_to_hub', app.now() - interval '2 hours',
  app.now() - interval '1 hour',
  pg_current_xact_id()
);
create temporary table before as
select (
  select array_agg(e.id) from app.events as e where e.post_id = tests.id('trams') and e.hub_id = tests.id('elm')
) as events;

create function pg_temp.sees(p_caller text, p_post text default 'trams')
returns boolean
language sql
return tests.refusal_as(p_caller, format('select api.get_post(%L)', tests.post_args(p_post))) is null;

select is(
  array[pg_temp.sees('maya'), pg_temp.sees('jonas'), pg_temp.sees('amara'), pg_temp.sees('ben')],
  array[true, true, true, true],
  'before its removal, every member of its Hubs sees the post'
);
select isnt_empty('select unnest(events) from before', 'before its removal, members are notified of the post');
select tests.authenticate_as('amara');
select is(
  api.remove_hub_post(tests.hub_args('elm', tests.post_args('trams'))), '{}', 'an admin can take a post out of a Hub'
);
reset role;
select is(
  (select max(e.ended_at) from app.feed_events as e where e.occurred_at = app.now() - interval '2 hours'),
  app.now() - interval '1 hour',
  'the removal of a post keeps the end of a share that ended before'
);
select tests.authenticate_as('amara');
select is(
  tests.refusal('remove_hub_post', tests.hub_args('elm', tests.post_args('trams'))), 'POST_NOT_FOUND',
  'a post cannot be taken out of a Hub twice'
);
reset role;
select set_eq(
  $$ select t.post_id, t.hub_id from app.placements as t where t.post_id <> tests.id('public') $$,
  $$
    values
      (tests.id('trams'), tests.id('ash')), (tests.id('trams'), tests.id('yew')), (tests.id('bikes'), tests.id('elm')),
      (tests.id('bikes'), tests.id('ash'))
  $$,
  'a removal ends no other placement'
);
select is_empty(
  $$
    select from app.discussions
    where id = tests.id('trams in elm')
    union all select from app.messages
    where id = tests.id('hello')
  $$,
  'the discussion of a removed post goes with its messages'
);
select isnt_empty(
  $$ select from app.messages where id = tests.id('in ash') $$, 'a discussion of the post in another Hub stays'
);
select is_empty(
  $$ select from app.events where post_id = tests.id('trams') and hub_id = tests.id('elm') $$,
  'the events of a removed post in the Hub go'
);
select is_empty(
  $$ select from app.notifications as n join before on n.event_id = any (before.events) $$,
  'nobody keeps a notification of a removed post in the Hub'
);
select isnt_empty(
  $$ select from app.events where post_id = tests.id('trams') and hub_id = tests.id('ash') $$,
  'events of the post in another Hub stay'
);
select is_empty(
  $$
    select from app.events
    where type::text not in ('hub_post_created', 'post_shared_to_hub', 'post_commented', 'followed_user_posted')
  $$,
  'a removal notifies nobody'
);
select is(
  array[pg_temp.sees('maya'), pg_temp.sees('jonas'), pg_temp.sees('amara'), pg_temp.sees('ben')],
  array[false, true, true, true],
  'a removed private post is hidden from members of this Hub alone; its author and other Hubs see it'
);
select tests.authenticate_as('maya');
select is(api.list_saved_posts('{}')::jsonb -> 'items', '[]', 'a removed private post is missing from saved posts');
select is(
  tests.item_ids(api.list_saved_discussions('{}')), tests.ids('bikes in elm'),
  'the discussion of a removed post is missing from saved discussions'
);
select is(
  tests.thoughts(tests.item_ids(api.get_hub_feed(tests.hub_args('elm')))), array['public', 'bikes'],
  'a removed post is missing from the feed of the Hub'
);
select ok(
  not tests.item_ids(api.get_home_feed('{}')) @> tests.ids('trams'), 'a removed private post is missing from home feeds'
);
select is(
  tests.item_ids(api.search_posts('{"q": "trams"}')), '{}', 'a search does not find a removed private post'
);
select tests.authenticate_as('ben');
select is(
  tests.item_ids(api.search_posts('{"q": "trams"}')), tests.ids('trams'), 'members of another Hub find a removed post'
);
select tests.authenticate_as('amara');
select api.remove_hub_post(tests.hub_args('elm', tests.post_args('public')));
reset role;
select is(pg_temp.sees('maya', 'public'), true, 'everybody sees a public post that was taken out of a Hub');
select set_eq(
  $$ select tests.activity_on('public') $$,
  array['published by lena', 'commented by jonas', 'commented by jonas in elm'],
  'the activity of members keeps a public post in feeds after its removal'
);
select tests.authenticate_as('jonas');
select is(
  api.share_to_hubs(
    tests.post_args('trams') || jsonb_build_object('hubIds', array[tests.id('elm')])
  ) #> '{hubs,0,created}', 'true',
  'a member of another Hub, or the author, can share a removed post into the Hub again'
);
reset role;
select is(pg_temp.sees('maya'), true, 'a removed post that is shared again is visible again');
select results_eq(
  $$ select message_count from app.discussions where post_id = tests.id('trams') and hub_id = tests.id('elm') $$,
  'values (0)',
  'a post that is shared again has a new discussion'
);
select is(
  (
    select count(*)::integer
    from app.feed_events
    where post_id = tests.id('trams') and hub_id = tests.id('elm') and ended_at is null
  ), 1,
  'a post that is shared again is once in the source of the Hub'
);

rollback to empty;

-- The votes in the Hub of a removed post stay unseen until it is shared again.
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.slider('trams', 'jonas');
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.vote('amara', 'trams', 'left'), tests.vote('maya', 'trams', 'strong_right');
select tests.fold();

create function pg_temp.total(p_hub text default 'elm')
returns integer
language sql
return (
  tests.value_as(
    'maya', format('api.get_vote_summary(%L)', tests.post_args('trams') || jsonb_build_object('hubId', tests.id(p_hub)))
  )
    #>> '{summary,totalVotes}'
)::integer;

select is(pg_temp.total(), 2, 'two votes count in the Hub of the post');
select tests.value_as('amara', format('api.remove_hub_post(%L)', tests.hub_args('elm', tests.post_args('trams'))));
select is(pg_temp.total(), 0, 'the votes in a Hub are unseen after the removal of the post');
select is(
  tests.value_as(
    'maya',
    format('api.get_vote_distribution(%L)', tests.post_args('trams') || jsonb_build_object('hubId', tests.id('elm')))
  ) -> 'distribution',
  '[]', 'the distribution in a Hub is unseen after the removal of the post'
);
select is(
  tests.value_as('maya', format('api.get_hub_votes(%L)', tests.post_args('trams'))) -> 'items', '[]',
  'the votes by Hub leave out a Hub from which the post was removed'
);
select tests.vote('lena', 'trams', 'neutral');
select is(
  tests.error_of($$ select tests.vote('maya', 'trams', 'left') $$) ->> 'code', 'VOTE_ALREADY_CAST',
  'a member cannot vote again after the removal of the post'
);
select tests.value_as('jonas', format(
  'api.share_to_hubs(%L)', tests.post_args('trams') || jsonb_build_object('hubIds', array[tests.id('elm')])
));
select is(pg_temp.total(), 2, 'a post that is shared again shows its earlier votes in the Hub');
select is(
  tests.error_of($$ select tests.vote('maya', 'trams', 'left') $$) ->> 'code', 'VOTE_ALREADY_CAST',
  'a member cannot vote again after the post is shared again'
);

rollback to empty;

-- remove_member takes out what the member placed in the Hub, if the admin says so (docs/product.md H31).
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.post('own', 'jonas'), tests.post('shared', 'lena'), tests.post('by maya', 'jonas');
select tests.placement('own', 'elm', p_by => 'jonas'), tests.placement('own', 'ash', p_by => 'jonas');
select tests.placement('shared', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.placement('by maya', 'elm', p_kind => 'shared', p_by => 'maya');

-- Removes Jonas, returns what is in the Hubs then, and undoes the removal.
create function pg_temp.placed_after(p_args jsonb)
returns text
language plpgsql
as $$
declare
  v_placed text;
begin
  perform tests.authenticate_as('amara');
  perform api.remove_member(tests.hub_args('elm', tests.user_args('jonas') || p_args));
  perform set_config('role', 'none', true);
  select string_agg(p.thought_text || ' in ' || h.name, ', ' order by h.name, p.thought_text)
  into v_placed
  from app.placements as placed
  join app.posts as p on p.id = placed.post_id
  join app.hubs as h on h.id = placed.hub_id;
  raise exception 'undo the removal';
exception when raise_exception then
  return v_placed;
end
$$;

select is(pg_temp.placed_after(args), placed, title)
from (
  values
    (
      '{"removePosts": true}'::jsonb, 'own in ash, by maya in elm',
      'a removal with posts takes out own posts and shares of the member alone'
    ),
    (
      '{"removePosts": false}', 'own in ash, by maya in elm, own in elm, shared in elm',
      'a removal without posts takes nothing out'
    ),
    ('{}', 'own in ash, by maya in elm, own in elm, shared in elm', 'a removal takes nothing out by default')
) as removals (args, placed, title);

select * from finish();
rollback;
