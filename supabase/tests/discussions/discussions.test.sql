begin;
select plan(59);
savepoint empty;

-- discussed_posts: reads past blocks
select tests.elm();
select tests.article('About trams', 'jonas');
insert into app.posts (id, author_id, article_id, thought_text, slider_text, left_label, right_label, visibility)
values (tests.id('trams'), tests.id('jonas'), tests.id('About trams'), 'I like them.', 'More?', 'No', 'Yes', 'private_locked_hub');
select tests.placed('trams', 'elm');
select tests.discussion('thought', 'maya', 'elm');
select tests.block('jonas', 'maya');


insert into app.saved_discussions (user_id, discussion_id) values (tests.id('maya'), tests.id('thought in elm')), (tests.id('jonas'), tests.id('trams in elm'));

create function pg_temp.read()
returns setof app.discussed_post
language sql
as $$ select post.* from app.discussed_posts(tests.ids('trams in elm', 'thought in elm')) as post $$;

select tests.authenticate_as('maya');
select set_eq(
  'select discussion_id, author_id, thought_text, slider_text, article_title, is_saved from pg_temp.read()',
  $$
    values
      (tests.id('trams in elm'), tests.id('jonas'), 'I like them.', 'More?', 'About trams', false),
      (tests.id('thought in elm'), tests.id('maya'), 'thought', null, null, true)
  $$,
  'a member reads what it is about, and whether they have saved it'
);
select is(count(*)::integer, 1, 'of what they ask for') from app.discussed_posts(tests.ids('trams in elm', 'unknown'));
select tests.authenticate_as('lena');
select is_empty('select * from pg_temp.read()', 'an outsider reads nothing');
reset role;
select tests.hub('ash', 'lena');
select tests.authenticate_as('lena');
select is_empty('select * from pg_temp.read()', 'a Hub of their own does not help');

rollback to empty;

-- discussion_author: is shown as what they are
select tests.elm();
select tests.asset('face', 'jonas', 'profile_photo');
select tests.asset('hub face', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('face') where user_id = tests.id('jonas');
insert into app.hub_profiles (user_id, display_name, photo_asset_id) values (tests.id('jonas'), 'Jon of the trees', tests.id('hub face'));

create function pg_temp.jonas(p_expected jsonb, p_that text)
returns text
language plpgsql
as $$
declare
  v_author jsonb;
begin
  perform tests.authenticate_as('maya');
  v_author := tests.author('elm', 'jonas');
  perform set_config('role', 'none', true);
  return is(v_author, p_expected, p_that);
end
$$;

select pg_temp.jonas(
  jsonb_build_object(
    'userId', tests.id('jonas'), 'displayName', 'Jon of the trees', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('hub face'),
    'phoneNumber', tests.phone_of('jonas'), 'publicUsername', null, 'isAnonymous', false, 'isFormerMember', false
  ),
  'an active member by the private profile'
);
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select pg_temp.jonas(
  jsonb_build_object(
    'userId', tests.id('jonas'), 'displayName', 'Jonas', 'profilePhotoUrl', '/storage/v1/object/public/photos/' || tests.id('face'),
    'phoneNumber', null, 'publicUsername', 'jonas', 'isAnonymous', false, 'isFormerMember', true
  ),
  'a former one by the public one'
);
delete from app.profiles where user_id = tests.id('jonas');
select pg_temp.jonas(
  '{"userId": "", "displayName": "", "profilePhotoUrl": null, "phoneNumber": null, "publicUsername": null, "isAnonymous": true, "isFormerMember": true}',
  'nobody any more as nobody'
);
select tests.authenticate_as('maya');
select is(app.discussion_author(null) -> 'isAnonymous', 'true', 'as is who is forgotten');

rollback to empty;

-- discussion_json: shows a discussion
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm', app.now() - interval '1 day');
update app.discussions set message_count = 7;
select tests.discussion('bikes', 'jonas', 'elm');
insert into app.saved_discussions (user_id, discussion_id)
values (tests.id('jonas'), tests.id('trams in elm')), (tests.id('maya'), tests.id('bikes in elm'));

create function pg_temp.card()
returns jsonb
language sql
as $$ select app.discussions_json(tests.id('elm'), array[(null, tests.id('trams in elm'))::app.list_entry]) -> 0 $$;

select tests.authenticate_as('maya');
select is(
  pg_temp.card(),
  jsonb_build_object(
    'id', tests.id('trams in elm'), 'hubId', tests.id('elm'), 'postId', tests.id('trams'),
    'preview', jsonb_build_object(
      'thoughtText', 'trams', 'sliderText', null, 'articleTitle', null, 'author', tests.author('elm', 'jonas')
    ),
    'messageCount', 7, 'lastActivityAt', app.iso(app.now() - interval '1 day'), 'viewerSaved', false
  ),
  'with what it is about and by whom'
);
select tests.authenticate_as('jonas');
select is(pg_temp.card() -> 'viewerSaved', 'true', 'and whether the viewer has saved it');

rollback to empty;

-- list_discussions: is for members
select tests.elm();
select tests.discussion('post ' || n, 'jonas', 'elm') from generate_series(1, 31) as n;
select is(tests.refusals('list_discussions', tests.in_hub('elm')), tests.below_level_4() || '{"lena": "FORBIDDEN"}', 'an outsider sees none');
select is(tests.refusals('list_discussions', tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub are any');
select tests.authenticate_as('jonas');
select is(cardinality(tests.listed(api.list_discussions(tests.in_hub('elm')))), 30, 'a page has 30');
select is(cardinality(tests.listed(api.list_discussions(tests.in_hub('elm', '{"limit": 100}')))), 31, 'or up to 100');
select is(tests.refusal('list_discussions', tests.in_hub('elm', '{"limit": 101}')), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('list_discussions', tests.in_hub('elm', '{"cursor": "?"}')), 'VALIDATION_FAILED', 'it follows no foreign cursor');

rollback to empty;

-- list_discussions: is last active first
select tests.elm();
select tests.hub('ash', 'maya');
select tests.discussion('trams', 'jonas', 'elm', app.now() - interval '2 days');
select tests.discussion('bikes', 'jonas', 'elm', app.now() - interval '1 day');
select tests.discussion('cars', 'jonas', 'elm', app.now() - interval '3 days');
select tests.placed('cars', 'ash');

select tests.authenticate_as('maya');
create temporary table answers as select api.list_discussions(tests.in_hub('elm')) as page;
select is(tests.listed(page), tests.ids('bikes in elm', 'trams in elm', 'cars in elm'), 'of the Hub') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(
  page #> '{items,1}', app.discussions_json(tests.id('elm'), array[(null, tests.id('trams in elm'))::app.list_entry]) -> 0, 'each by its card'
)
from answers;
select is(tests.listed_in_parts('list_discussions', tests.in_hub('elm')), tests.listed(page), 'or one after the other') from answers;
select is(app.discussions_json(tests.id('elm'), '{}'), '[]', 'none are none');

rollback to empty;

-- list_discussions: pages through one moment
select tests.elm();
select tests.discussion(n::text, 'jonas', 'elm') from generate_series(1, 6) as n;
select tests.without_indexes();
select tests.authenticate_as('maya');
select is(
  tests.listed(api.list_discussions(tests.in_hub('elm'))), array(select d.id from app.discussions as d order by d.id desc), 'in the order of their ids'
);
select is(
  tests.listed_in_parts('list_discussions', tests.in_hub('elm')), array(select d.id from app.discussions as d order by d.id desc), 'on pages as on one'
);

rollback to empty;

-- list_saved_discussions: is for the hub ready
select tests.elm();
select tests.discussion('post ' || n, 'jonas', 'elm') from generate_series(1, 31) as n;
insert into app.saved_discussions (user_id, discussion_id) select tests.id('maya'), d.id from app.discussions as d;
select is(tests.refusals('list_saved_discussions', '{}'), tests.below_level_4(), 'who may be in no Hub has none');
select tests.authenticate_as('maya');
select is(cardinality(tests.listed(api.list_saved_discussions('{}'))), 30, 'a page has 30');
select is(cardinality(tests.listed(api.list_saved_discussions('{"limit": 100}'))), 31, 'or up to 100');
select is(tests.refusal('list_saved_discussions', '{"limit": 101}'), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('list_saved_discussions', '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');

rollback to empty;

-- list_saved_discussions: is last saved first
select tests.elm();
select tests.hub('ash', 'maya');
select tests.hub('oak', 'jonas');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');
select tests.placed('trams', 'oak');
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
  tests.listed(page), tests.ids('trams in ash', 'trams in elm', 'bikes in elm'), 'in whatever Hub, but for those that one has left'
)
from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(
  page #> '{items,1}', (select app.saved_discussion(d) from app.discussions as d where d.id = tests.id('trams in elm')), 'each with its messages'
)
from answers;
select is(tests.listed_in_parts('list_saved_discussions', '{}'), tests.listed(page), 'or one after the other') from answers;
select tests.authenticate_as('amara');
select is(api.list_saved_discussions('{}'), '{"items": [], "nextCursor": null}', 'there may be none');

rollback to empty;

-- list_saved_discussions: pages through one moment
select tests.elm();
select tests.discussion(n::text, 'jonas', 'elm') from generate_series(1, 6) as n;
insert into app.saved_discussions (user_id, discussion_id) select tests.id('maya'), d.id from app.discussions as d;
select tests.without_indexes();
select tests.authenticate_as('maya');
select is(tests.listed(api.list_saved_discussions('{}')), array(select d.id from app.discussions as d order by d.id desc), 'in the order of their ids');
select is(
  tests.listed_in_parts('list_saved_discussions', '{}'), array(select d.id from app.discussions as d order by d.id desc), 'on pages as on one'
);

rollback to empty;

-- require_discussion: lets members pass
select tests.elm();
select tests.hub('ash', 'maya');
select tests.discussion('trams', 'jonas', 'elm');

create function pg_temp.refusal(p_caller text, p_hub text, p_discussion text)
returns text
language sql
return tests.refusal_of(p_caller, format(
  'select app.require_discussion(%L)', jsonb_build_object('hubId', tests.id(p_hub), 'discussionId', tests.id(p_discussion))
));

select is(pg_temp.refusal('jonas', 'elm', 'trams in elm'), null, 'to a discussion of the Hub');
select is(pg_temp.refusal('lena', 'elm', 'trams in elm'), 'PT404 DISCUSSION_NOT_FOUND', 'of which an outsider knows nothing');
select is(pg_temp.refusal('jonas', 'elm', 'unknown'), 'PT404 DISCUSSION_NOT_FOUND', 'and nobody of one that never was');
select is(pg_temp.refusal('maya', 'ash', 'trams in elm'), 'PT404 DISCUSSION_NOT_FOUND', 'it is of no other Hub');
select is(pg_temp.refusal('maya', 'oak', 'trams in elm'), 'PT404 HUB_NOT_FOUND', 'or of none');
select tests.authenticate_as('jonas');
select is(
  (app.require_discussion(tests.in_discussion('trams in elm'))).post_id, tests.id('trams'), 'it answers the discussion'
);
select is(seen_at, app.now(), 'and the member has used the Hub') from app.memberships where user_id = tests.id('jonas');

rollback to empty;

-- save_discussion: holds the membership
-- Without names in the Hub, whose references would hold their memberships as well.
set local session_replication_role = replica;
select tests.elm();
set local session_replication_role = origin;
select tests.discussion('trams', 'jonas', 'elm');
update app.memberships set seen_at = app.now();

select tests.authenticate_as('maya');
select api.save_discussion(tests.in_discussion('trams in elm'));
reset role;
-- A row that is locked has the transaction in its xmax.
select results_eq(
  $$ select user_id from app.memberships where xmax::text <> '0' $$, tests.ids('maya'), 'who leaves at the same time waits, and has nothing saved then'
);

rollback to empty;

-- save_discussion: is done and undone
select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
select tests.discussion('bikes', 'jonas', 'elm');
create temporary table args as select tests.in_discussion('trams in elm') as args, tests.in_discussion('bikes in elm') as other;
grant select on args to public;

select is(tests.refusals('save_discussion', args), tests.below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}', 'members save') from args;
select is(tests.refusals('unsave_discussion', args), tests.below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}', 'and forget') from args;
select is(tests.refusals('save_discussion', args || tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in a Hub that is there') from args;
select is(tests.refusals('unsave_discussion', args || tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'alone') from args;
select tests.authenticate_as('jonas');
select is(api.save_discussion(args), '{"saved": true}', 'somebody else saves it') from args;
select tests.authenticate_as('maya');
select is(api.save_discussion(args), '{"saved": true}', 'once') from args;
select is(api.save_discussion(args), '{"saved": true}', 'is as twice') from args;
select is(api.save_discussion(other), '{"saved": true}', 'and another') from args;
select set_eq('select discussion_id from app.saved_discussions', tests.ids('trams in elm', 'bikes in elm'), 'both are saved');
select is(api.unsave_discussion(args), '{"saved": false}', 'then forgotten') from args;
select is(api.unsave_discussion(args), '{"saved": false}', 'once is as twice') from args;
reset role;
select set_eq(
  'select user_id, discussion_id from app.saved_discussions',
  $$ values (tests.id('jonas'), tests.id('trams in elm')), (tests.id('maya'), tests.id('bikes in elm')) $$, 'that alone, by whoever does alone'
);

rollback to empty;

-- saved_discussion: shows how it began
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

select tests.authenticate_as('maya');
select is(
  pg_temp.saved('trams in elm') - 'previewMessages', app.discussions_json(d.hub_id, array[(null, d.id)::app.list_entry]) -> 0 || jsonb_build_object('hub', jsonb_build_object('id', tests.id('elm'), 'name', 'elm')), 'in which Hub'
)
from app.discussions as d where d.id = tests.id('trams in elm');
select is(
  tests.listed(jsonb_build_object('items', pg_temp.saved('trams in elm') -> 'previewMessages')), tests.ids('first', 'second', 'reply'),
  'with the three earliest messages, replies too'
);
reset role;
delete from app.messages;
select tests.message(name, 'jonas', 'trams in elm') from unnest(array['one', 'two', 'three', 'four']) as name;
select tests.without_indexes();
select tests.authenticate_as('maya');
select is(
  tests.listed(jsonb_build_object('items', pg_temp.saved('trams in elm') -> 'previewMessages')), array(select m.id from app.messages as m order by m.id limit 3),
  'those of one moment in the order of their ids'
);
select is(pg_temp.saved('bikes in elm') -> 'previewMessages', '[]', 'there may be none');

select * from finish();
rollback;
