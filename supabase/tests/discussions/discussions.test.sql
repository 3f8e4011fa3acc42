begin;
select plan(53);
savepoint empty;

-- discussed_posts shows posts to members of the discussion's Hub, past blocks, which the policy of discussions applies.
select tests.elm();
select tests.article('About trams', 'jonas');
insert into app.posts (id, author_id, article_id, thought_text, slider_text, left_label, right_label, visibility)
values (
  tests.id('trams'), tests.id('jonas'), tests.id('About trams'), 'I like them.', 'More?', 'No', 'Yes',
  'private_locked_hub'
);
select tests.placement('trams', 'elm');
select tests.discussion('thought', 'maya', 'elm');
select tests.block('jonas', 'maya');
insert into app.saved_discussions (user_id, discussion_id)
values (tests.id('maya'), tests.id('thought in elm')), (tests.id('jonas'), tests.id('trams in elm'));

create function pg_temp.read()
returns setof app.discussed_post
language sql
as $$ select post.* from app.discussed_posts(tests.id('elm'), tests.ids('trams in elm', 'thought in elm')) as post $$;

select tests.authenticate_as('maya');
select set_eq(
  'select discussion_id, author_id, thought_text, slider_text, article_title, is_saved from pg_temp.read()',
  $$
    values
      (tests.id('trams in elm'), tests.id('jonas'), 'I like them.', 'More?', 'About trams', false),
      (tests.id('thought in elm'), tests.id('maya'), 'thought', null, null, true)
  $$,
  'a member reads discussed posts of a blocked author, and what they saved'
);
select is(count(*)::integer, 1, 'discussed_posts answers only the requested discussions')
from app.discussed_posts(tests.id('elm'), tests.ids('trams in elm', 'unknown'));
select tests.authenticate_as('lena');
select is_empty('select * from pg_temp.read()', 'a user without a Hub reads no discussed posts');
reset role;
select tests.hub('ash', 'lena');
select tests.authenticate_as('lena');
select is_empty('select * from pg_temp.read()', 'a member of another Hub reads no discussed posts');
reset role;
insert into app.suspensions (user_id) values (tests.id('jonas'));
select tests.authenticate_as('maya');
select set_eq(
  'select discussion_id, author_id, thought_text, slider_text, article_title from pg_temp.read()',
  $$
    values
      (tests.id('trams in elm'), null::uuid, null, null, null),
      (tests.id('thought in elm'), tests.id('maya'), 'thought', null, null)
  $$,
  'a member reads no author and no text of a suspended user''s discussed post'
);

rollback to empty;

-- discussion_author depends on the author's membership status (docs/product.md D5).
select tests.elm();
select tests.asset('face', 'jonas', 'profile_photo');
select tests.asset('hub face', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('face') where user_id = tests.id('jonas');
insert into app.hub_profiles (user_id, display_name, photo_asset_id)
values (tests.id('jonas'), 'Jon of the trees', tests.id('hub face'));

select tests.authenticate_as('maya');
select is(
  tests.discussion_author('elm', 'jonas'),
  jsonb_build_object(
    'userId', tests.id('jonas'), 'displayName', 'Jon of the trees',
    'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('hub face'),
    'phoneNumber', tests.phone_of('jonas'), 'publicUsername', null, 'isAnonymous', false, 'isFormerMember', false
  ),
  'an active member appears with Hub profile and phone number'
);
reset role;
select app.delete_memberships(tests.id('elm'), tests.id('jonas'));
select tests.authenticate_as('maya');
select is(
  tests.discussion_author('elm', 'jonas'),
  jsonb_build_object(
    'userId', tests.id('jonas'), 'displayName', 'Jonas',
    'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('face'),
    'phoneNumber', null, 'publicUsername', 'jonas', 'isAnonymous', false, 'isFormerMember', true
  ),
  'a former member appears with public profile and username'
);
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.authenticate_as('maya');
select is(
  tests.discussion_author('elm', 'jonas'),
  jsonb_build_object(
    'userId', '', 'displayName', '', 'profilePhotoUrl', null, 'phoneNumber', null, 'publicUsername', null,
    'isAnonymous', true, 'isFormerMember', true
  ),
  'an author without a profile appears as an anonymous former member'
);
select is(app.discussion_author(null) -> 'isAnonymous', 'true', 'a missing author appears as anonymous');

rollback to empty;

-- list_discussions and list_saved_discussions check the caller and the page size, and order items of one moment by id.
select tests.elm();
select tests.discussion('post ' || n, 'jonas', 'elm') from generate_series(1, 31) as n;
insert into app.saved_discussions (user_id, discussion_id) select tests.id('maya'), d.id from app.discussions as d;
select tests.disable_index_scans();

create function pg_temp.page(p_operation text, p_args jsonb default '{}')
returns uuid[]
language plpgsql
as $$
declare
  v_page jsonb;
begin
  execute format('select api.%I($1)', p_operation) into v_page using tests.hub_args('elm', p_args);
  return tests.item_ids(v_page);
end
$$;

create function pg_temp.by_id()
returns uuid[]
language sql
return array(select d.id from app.discussions as d order by d.id desc);

select is(tests.refusals(operation, tests.hub_args(hub)), expected, title)
from (
  values
    (
      'list_discussions', 'elm', tests.refusals_below_level_4() || '{"lena": "FORBIDDEN"}',
      'only members at level 4 list discussions'
    ),
    ('list_discussions', 'ash', tests.refusals_of_all('HUB_NOT_FOUND'), 'nobody lists discussions of an unknown Hub'),
    ('list_saved_discussions', 'elm', tests.refusals_below_level_4() - 'nina', 'every user lists saved discussions')
) as c (operation, hub, expected, title);
select tests.authenticate_as('maya');
select is(
  pg_temp.page(operation), (pg_temp.by_id())[:30],
  operation || ' returns 30 items by default, those of one moment by id'
)
from unnest(array['list_discussions', 'list_saved_discussions']) as operation;
select is(
  pg_temp.page(operation, '{"limit": 100}'), pg_temp.by_id(), operation || ' returns up to 100 items on request'
)
from unnest(array['list_discussions', 'list_saved_discussions']) as operation;
select is(
  tests.refusal(operation, tests.hub_args('elm', '{"cursor": "?"}')), 'VALIDATION_FAILED',
  operation || ' refuses a malformed cursor'
)
from unnest(array['list_discussions', 'list_saved_discussions']) as operation;
reset role;
delete from app.discussions where post_id not in (select tests.id('post ' || n) from generate_series(1, 6) as n);
select tests.authenticate_as('maya');
select is(
  tests.item_ids_across_pages(operation, tests.hub_args('elm')), pg_temp.by_id(),
  operation || ' pages through items of one moment by id'
)
from unnest(array['list_discussions', 'list_saved_discussions']) as operation;

rollback to empty;

-- list_discussions lists discussions of a Hub by last activity, as their viewer sees them.
-- docs/product.md D2
select tests.elm();
select tests.hub('ash', 'maya');
select tests.discussion(name, 'jonas', 'elm', app.now() - days * interval '1 day')
from (values ('trams', 2), ('bikes', 1), ('cars', 3)) as c (name, days);
select tests.placement('cars', 'ash');
update app.discussions set message_count = 7;
insert into app.saved_discussions (user_id, discussion_id)
values (tests.id('jonas'), tests.id('trams in elm')), (tests.id('maya'), tests.id('bikes in elm'));

select tests.authenticate_as('maya');
create temporary table answers as select api.list_discussions(tests.hub_args('elm')) as page;
select is(
  tests.item_ids(page), tests.ids('bikes in elm', 'trams in elm', 'cars in elm'),
  'list_discussions lists discussions of this Hub, last active first'
)
from answers;
select is(page ->> 'nextCursor', null, 'the only page of discussions has no next cursor') from answers;
select is(
  page #> '{items,1}',
  jsonb_build_object(
    'id', tests.id('trams in elm'), 'hubId', tests.id('elm'), 'postId', tests.id('trams'),
    'preview', jsonb_build_object(
      'thoughtText', 'trams', 'sliderText', null, 'articleTitle', null, 'author',
      tests.discussion_author('elm', 'jonas')
    ),
    'messageCount', 7, 'lastActivityAt', app.iso(app.now() - interval '2 days'), 'viewerSaved', false,
    'unreadCount', 0
  ),
  'a discussion shows its post, author, message count and last activity, and not what others saved'
)
from answers;
select is(page #> '{items,0,viewerSaved}', 'true', 'a discussion shows that the viewer saved it') from answers;
select is(
  tests.item_ids_across_pages('list_discussions', tests.hub_args('elm')), tests.item_ids(page),
  'list_discussions keeps its order on pages of one item'
)
from answers;
select is(app.discussions_json(tests.id('elm'), '{}'), '[]', 'discussions_json of no ids is an empty array');

rollback to empty;

-- list_saved_discussions lists saved discussions of the caller's current Hubs, last saved first.
-- docs/product.md D6
select tests.elm();
select tests.hub('ash', 'maya');
select tests.hub('oak', 'jonas');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placement('trams', 'ash');
select tests.placement('trams', 'oak');
select tests.discussion('bikes', 'jonas', 'elm');
insert into app.saved_discussions (user_id, discussion_id, saved_at)
values
  (tests.id('maya'), tests.id('trams in elm'), app.now() - interval '2 days'),
  (tests.id('maya'), tests.id('trams in ash'), app.now() - interval '1 day'),
  (tests.id('maya'), tests.id('bikes in elm'), app.now() - interval '3 days'),
  (tests.id('maya'), tests.id('trams in oak'), app.now()),
  (tests.id('jonas'), tests.id('trams in oak'), app.now());

select tests.authenticate_as('maya');
create temporary table answers as select api.list_saved_discussions('{}') as page;
select is(
  tests.item_ids(page), tests.ids('trams in ash', 'trams in elm', 'bikes in elm'),
  'list_saved_discussions lists all current Hubs of the caller, last saved first'
)
from answers;
select is(page ->> 'nextCursor', null, 'the only page of saved discussions has no next cursor') from answers;
select is(
  page #> '{items,1}', (select app.saved_discussion(d) from app.discussions as d where d.id = tests.id('trams in elm')),
  'list_saved_discussions shows a discussion as saved_discussion does'
)
from answers;
select is(
  tests.item_ids_across_pages('list_saved_discussions', '{}'), tests.item_ids(page),
  'list_saved_discussions keeps its order on pages of one item'
)
from answers;
select tests.authenticate_as('amara');
select is(
  api.list_saved_discussions('{}'), '{"items": [], "nextCursor": null}',
  'list_saved_discussions is empty for a user who saved nothing'
);

rollback to empty;

-- require_discussion requires a member and a discussion of the Hub (docs/product.md D7).
select tests.elm();
select tests.hub('ash', 'maya');
select tests.discussion('trams', 'jonas', 'elm');

create function pg_temp.refusal(p_caller text, p_hub text, p_discussion text)
returns text
language sql
return tests.refusal_as(p_caller, format(
  'select app.require_discussion(%L)',
  jsonb_build_object('hubId', tests.id(p_hub), 'discussionId', tests.id(p_discussion))
));

select is(pg_temp.refusal(caller, hub, discussion), expected, title)
from (values
  ('jonas', 'elm', 'trams in elm', null, 'a member finds a discussion of their Hub'),
  ('lena', 'elm', 'trams in elm', 'PT404 DISCUSSION_NOT_FOUND', 'a non-member cannot find a discussion of the Hub'),
  ('jonas', 'elm', 'unknown', 'PT404 DISCUSSION_NOT_FOUND', 'a member cannot find an unknown discussion'),
  (
    'maya', 'ash', 'trams in elm', 'PT404 DISCUSSION_NOT_FOUND', 'a member cannot find a discussion through another Hub'
  ),
  ('maya', 'oak', 'trams in elm', 'PT404 HUB_NOT_FOUND', 'a user cannot find a discussion through an unknown Hub')
) as c (caller, hub, discussion, expected, title);
select tests.authenticate_as('jonas');
select is(
  (app.require_discussion(tests.discussion_args('trams in elm'))).post_id, tests.id('trams'),
  'require_discussion returns the requested discussion'
);
select is(seen_at, app.now(), 'require_discussion records the member''s presence')
from app.memberships where user_id = tests.id('jonas');

rollback to empty;

-- save_discussion locks the caller's membership, so that leaving the Hub waits.
-- Fixtures skip foreign keys and presence is recent, since both would mark the row.
set local session_replication_role = replica;
select tests.elm();
set local session_replication_role = origin;
select tests.discussion('trams', 'jonas', 'elm');
update app.memberships set seen_at = app.now();

select tests.authenticate_as('maya');
select api.save_discussion(tests.discussion_args('trams in elm'));
reset role;
-- A locked row has the transaction in its xmax.
select results_eq(
  $$ select user_id from app.memberships where xmax::text <> '0' $$, tests.ids('maya'),
  'save_discussion locks the caller''s membership and no other'
);

rollback to empty;

-- save_discussion and unsave_discussion are for members, and idempotent (docs/product.md D6).
select tests.elm();
select tests.discussion(name, 'jonas', 'elm') from unnest(array['trams', 'bikes']) as name;
create temporary table args as
select tests.discussion_args('trams in elm') as trams, tests.discussion_args('bikes in elm') as bikes;
grant select on args to public;

select is(tests.refusals(operation, trams || hub), expected, operation || title)
from args, unnest(array['save_discussion', 'unsave_discussion']) as operation, (
  values
    (
      '{}'::jsonb, tests.refusals_below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}',
      ' refuses non-members and users below level 4'
    ),
    (tests.hub_args('ash'), tests.refusals_of_all('HUB_NOT_FOUND'), ' refuses an unknown Hub')
) as c (hub, expected, title);
select tests.authenticate_as('jonas');
select api.save_discussion(trams) from args;
select tests.authenticate_as('maya');
select is(
  array[api.save_discussion(trams), api.save_discussion(trams), api.save_discussion(bikes)],
  array_fill('{"saved": true}'::jsonb, array[3]),
  'a member can save discussions, one twice and one that another member saved'
)
from args;
select set_eq(
  'select discussion_id from app.saved_discussions', tests.ids('trams in elm', 'bikes in elm'),
  'saving a discussion keeps those saved before'
);
select is(
  array[api.unsave_discussion(trams), api.unsave_discussion(trams)], array_fill('{"saved": false}'::jsonb, array[2]),
  'a member can unsave one discussion twice'
)
from args;
reset role;
select set_eq(
  'select user_id, discussion_id from app.saved_discussions',
  $$ values (tests.id('jonas'), tests.id('trams in elm')), (tests.id('maya'), tests.id('bikes in elm')) $$,
  'unsaving a discussion changes no other discussion or user'
);
update app.discussions set is_hidden = true where id = tests.id('bikes in elm');
select is(
  tests.refusals(operation, bikes) ->> 'maya', 'DISCUSSION_NOT_FOUND',
  operation || ' refuses the discussion of a post that staff removed'
)
from args, unnest(array['save_discussion', 'unsave_discussion']) as operation;

rollback to empty;

-- saved_discussion adds the Hub and the three earliest messages (docs/product.md D6).
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.discussion('bikes', 'jonas', 'elm');
select tests.message('second', 'jonas', 'trams in elm', null, app.now() - interval '3 hours');
select tests.message('first', 'jonas', 'trams in elm', null, app.now() - interval '4 hours');
select tests.message('reply', 'maya', 'trams in elm', 'first', app.now() - interval '2 hours');
select tests.message('fourth', 'jonas', 'trams in elm', null, app.now() - interval '1 hour');
select tests.message('elsewhere', 'jonas', 'bikes in elm', null, app.now() - interval '1 day');

create function pg_temp.saved(p_name text)
returns jsonb
language sql
as $$ select app.saved_discussion(d) from app.discussions as d where d.id = tests.id(p_name) $$;

create function pg_temp.preview(p_name text)
returns uuid[]
language sql
return tests.item_ids(jsonb_build_object('items', pg_temp.saved(p_name) -> 'previewMessages'));

select tests.authenticate_as('maya');
select is(
  pg_temp.saved('trams in elm') - 'previewMessages',
  app.discussions_json(tests.id('elm'), array[(null, tests.id('trams in elm'))::app.list_entry]) -> 0
    || jsonb_build_object('hub', jsonb_build_object('id', tests.id('elm'), 'name', 'elm')),
  'saved_discussion shows the discussion with its Hub'
);
select is(
  pg_temp.preview('trams in elm'), tests.ids('first', 'second', 'reply'),
  'saved_discussion shows the three earliest messages, replies included'
);
reset role;
delete from app.messages;
select tests.message(name, 'jonas', 'trams in elm') from unnest(array['one', 'two', 'three', 'four']) as name;
select tests.disable_index_scans();
select tests.authenticate_as('maya');
select is(
  pg_temp.preview('trams in elm'), array(select m.id from app.messages as m order by m.id limit 3),
  'saved_discussion orders messages of one moment by id'
);
select is(
  pg_temp.saved('bikes in elm') -> 'previewMessages', '[]', 'a saved discussion without messages has an empty preview'
);

select * from finish();
rollback;
