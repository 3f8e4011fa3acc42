begin;
select plan(31);
savepoint empty;

-- reports: are of who makes them
select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');

create function pg_temp.report(p_caller text, p_reporter text, p_column text, p_target text)
returns text
language sql
return tests.refusal_of(p_caller, format(
  'insert into app.reports (reporter_id, %I, reason) values (%L, %L, %L)', p_column, tests.id(p_reporter), tests.id(p_target), 'spam'
));

select is(pg_temp.report('maya', 'maya', 'user_id', 'lena'), null, 'one reports people');
select is(pg_temp.report('maya', 'maya', 'post_id', 'trams'), null, 'posts');
select is(pg_temp.report('maya', 'maya', 'hub_id', 'ash'), null, 'and Hubs');
select is(pg_temp.report('maya', 'jonas', 'hub_id', 'elm'), '42501', 'as oneself');
select is(pg_temp.report('maya', null, 'hub_id', 'elm'), '42501', 'and not as nobody');
select is(pg_temp.report(null, 'maya', 'hub_id', 'elm'), '42501', 'guests report nothing');
select tests.authenticate_as('maya');
select bag_eq(
  'select coalesce(user_id, post_id, hub_id), reporter_id, reason::text, state::text, created_at from app.reports',
  $$ select target, tests.id('maya') as reporter, 'spam' as reason, 'open' as state, app.now() as at from unnest(tests.ids('lena', 'trams', 'ash')) as target $$, 'one reads one''s own'
);
select tests.authenticate_as('lena');
select is_empty('select from app.reports', 'and nobody else''s, of whomever they are');
reset role;
select is_empty(
  $$ select verb from unnest(array['state', 'created_at', 'id']) as kept, format('insert into app.reports (%s) values (default)', kept) as verb where exists (select from tests.who_may(verb)) $$,
  'nobody chooses its state'
);
select is_empty($$ select tests.who_may('update app.reports set details = details') $$, 'changes one');
select is_empty($$ select tests.who_may('delete from app.reports') $$, 'or takes one back');

rollback to empty;

-- reports: hold to their rules
select tests.elm();
select tests.person(name) from unnest(array['ben', 'tom']) as name;
select tests.post('trams', 'jonas');

create function pg_temp.violation(p_user text, p_post text, p_hub text, p_details text default null)
returns text
language sql
return tests.violation_of(format(
  'insert into app.reports (reporter_id, user_id, post_id, hub_id, reason, details) values (%L, %L, %L, %L, %L, %L)',
  tests.id('maya'), tests.id(p_user), tests.id(p_post), tests.id(p_hub), 'other', p_details
));

select is(pg_temp.violation(null, null, null), 'reports_have_one_target', 'something is reported');
select is(pg_temp.violation('jonas', 'trams', null), 'reports_have_one_target', 'one thing');
select is(pg_temp.violation(null, 'trams', 'elm'), 'reports_have_one_target', 'whichever');
select is(pg_temp.violation('jonas', null, 'elm'), 'reports_have_one_target', 'they are');
select is(pg_temp.violation('jonas', null, null, ''), 'reports_details_length', 'details say something');
select is(pg_temp.violation('jonas', null, null, repeat('é', 1001)), 'reports_details_length', 'in 1000 characters at most');
select is(pg_temp.violation('jonas', null, null, repeat('é', 1000)), null, 'which is enough');
select is(pg_temp.violation('jonas', null, null), 'reports_open_key', 'one of each is open');
select is(pg_temp.violation(null, 'trams', null, '!'), null, 'of a post too');
select is(pg_temp.violation(null, 'trams', null), 'reports_open_key', 'once');
select is(pg_temp.violation(null, null, 'elm'), null, 'or a Hub');
select is(pg_temp.violation(null, null, 'elm'), 'reports_open_key', 'likewise');
update app.reports set state = 'closed' where post_id = tests.id('trams');
select is(pg_temp.violation(null, 'trams', null), null, 'what was decided is reported anew');
insert into app.reports (reporter_id, user_id, reason) values (tests.id('ben'), tests.id('jonas'), 'spam'), (tests.id('jonas'), tests.id('tom'), 'spam');
delete from app.users where id in (tests.id('ben'), tests.id('tom'));
select bag_eq(
  'select reporter_id, user_id from app.reports where user_id is not null', $$ values (tests.id('maya'), tests.id('jonas')), (null, tests.id('jonas')) $$,
  'one stays without who made it, and goes with whom it is about'
);
delete from app.posts;
select is(count(*), 2::bigint, 'that a post is gone settles nothing') from app.reports where post_id is not null;
insert into app.reports (reporter_id, comment_id, reason) values (tests.id('maya'), tests.id('a comment'), 'spam');
insert into app.reports (reporter_id, message_id, reason) values (tests.id('maya'), tests.id('a message'), 'spam');
select is(
  tests.violation_of(format('insert into app.reports (reporter_id, %s, reason) values (%L, %L, %L)', kind, tests.id('maya'), tests.id(target), 'hate')),
  'reports_open_key', 'nor is it asked whether a ' || kind || ' is there: one of it is open'
)
from (values ('comment_id', 'a comment'), ('message_id', 'a message')) as reported (kind, target);
select is(
  tests.violation_of(format('insert into app.reports (comment_id, %s, reason) values (%L, %L, %L)', kind, tests.id('a comment'), tests.id('jonas'), 'hate')),
  'reports_have_one_target', 'and nothing beside: no ' || kind
)
from unnest(array['message_id', 'user_id']) as kind;
select tests.close_hub('elm');
delete from app.hubs;
select is_empty('select from app.reports where hub_id is not null', 'with a Hub one goes');

select * from finish();
rollback;
