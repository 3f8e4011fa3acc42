begin;
select plan(43);
savepoint empty;

-- check_handle: answers in canonical form
select tests.person('maya');
select tests.person('jonas');
select tests.authenticate_as('maya');

create function pg_temp.check(p_handle text)
returns jsonb
language sql
return api.check_handle(jsonb_build_object('username', p_handle));

select is(
  pg_temp.check('  @Ann_1 '), '{"username": "ann_1", "available": true, "reason": null, "alternatives": []}',
  'a handle is trimmed, without its @ and in lower case'
);
select is(
  pg_temp.check('@Jonas') - 'alternatives', '{"username": "jonas", "available": false, "reason": "taken"}', 'as whoever has it wrote it'
);
select is(pg_temp.check('Ad_Min') ->> 'reason', 'reserved', 'however it is written');
select is(pg_temp.check('@@maya') ->> 'reason', 'invalid', 'one @ is dropped, and not two');
select is(pg_temp.check('MAYA') -> 'available', 'true', 'one''s own handle is available');

rollback to empty;

-- check_handle: is for who has a session
select tests.person('lena', 1);
select set_eq($$ select tests.who_may($s$ select api.check_handle('{}') $s$) $$, array['authenticated'], 'guests look nothing up');
select tests.authenticate_as('lena');
select lives_ok($$ select api.check_handle('{"username": "lena"}') $$, 'an anonymous user may');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select api.check_handle('{"username": "lena"}') $$, 'PT401', 'UNAUTHORIZED', 'with a live session');

rollback to empty;

-- check_handle: is limited to sixty a minute
select tests.person('maya', 1);
select tests.person('jonas', 1);

create function pg_temp.check(p_times integer default 1)
returns jsonb
language sql
return tests.error_of(format($$ select api.check_handle('{"username": "é"}') from generate_series(1, %s) $$, p_times));

select tests.authenticate_as('maya');
select is(pg_temp.check(60), null, 'sixty look-ups pass at once');
select is(
  pg_temp.check(), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1}}', 'the next waits a second'
);
select tests.authenticate_as('jonas');
select is(pg_temp.check(), null, 'others do not');
reset role;
select app.set_clock_offset('1 second');
select tests.authenticate_as('maya');
select is(pg_temp.check(), null, 'then one more passes');
select is(pg_temp.check() ->> 'code', 'RATE_LIMITED', 'and no second');

rollback to empty;

-- check_handle: offers alternatives
select tests.person('maya');
select tests.person('jonas');
select tests.authenticate_as('maya');

create temporary table checks as
select handle, api.check_handle(jsonb_build_object('username', handle)) as answer from unnest(array['jonas', 'admin', 'admin!', 'Ádmín', 'é']) as handle;
select is_empty(
  $$ select from checks where jsonb_array_length(answer -> 'alternatives') <> 3 $$, 'three, where a handle is taken, reserved or none'
);
select is_empty(
  $$
    select alternative from checks, jsonb_array_elements_text(answer -> 'alternatives') as alternative
    where app.handle_refusal(alternative) is not null
  $$,
  'each of which is available'
);
select is_empty(
  $$
    select alternative from checks, jsonb_array_elements_text(answer -> 'alternatives') as alternative
    where handle = 'jonas' and alternative !~ '^jonas[0-9]{2,5}$'
  $$,
  'like the one that was asked for'
);
select is_empty(
  $$
    select alternative from checks, jsonb_array_elements_text(answer -> 'alternatives') as alternative
    where handle in ('admin', 'admin!', 'Ádmín') and alternative ~ 'admin'
  $$,
  'but for one that would pass for what a reserved name stands for'
);

rollback to empty;

-- check_handle: reserves nothing
select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.authenticate_as('maya');
select api.check_handle('{"username": "free"}');
select tests.authenticate_as('jonas');
select is(api.check_handle('{"username": "free"}') -> 'available', 'true', 'what one asked about is free for others');
select lives_ok(
  $$ select api.save_profile_basics('{"termsAccepted": true, "username": "free", "fullName": "Jonas", "termsVersion": "1"}') $$, 'until somebody takes it'
);

rollback to empty;

-- check_handle: takes any text
select tests.person('maya');
select tests.authenticate_as('maya');
select throws_ok($$ select api.check_handle('{}') $$, 'PT422', 'VALIDATION_FAILED', 'a missing username is refused');
select is(api.check_handle('{"username": ""}') ->> 'reason', 'invalid', 'an empty text is no username');
select throws_ok(
  $$ select api.check_handle(jsonb_build_object('username', repeat('é', 201))) $$, 'PT422', 'VALIDATION_FAILED',
  'a username of more than 200 characters is refused'
);

rollback to empty;

-- handle_refusal: says why
select tests.person('maya');
select tests.person('jonas');
select tests.authenticate_as('maya');
select is(app.handle_refusal('free'), null, 'a free handle is not refused');
select is(app.handle_refusal('jonas'), 'taken', 'that of somebody else is');
select is(app.handle_refusal('maya'), null, 'one''s own is not');
select is(app.handle_refusal('ad_min'), 'reserved', 'one that is reserved is');
select is(app.handle_refusal('me'), 'invalid', 'and one that is no handle, before all else');
select is(app.handle_refusal(repeat('a', 31)), 'invalid', 'as it is too long');
select is(app.handle_refusal('ma ya'), 'invalid', 'or holds what none may hold');

rollback to empty;

-- handles_like: are free
select tests.person('maya');
-- All of maya10 to maya99 are taken.
insert into app.users (id) select tests.id('maya' || n) from generate_series(10, 99) as n;
insert into app.profiles (user_id, username, full_name) select tests.id('maya' || n), 'maya' || n, 'Maya' from generate_series(10, 99) as n;
select tests.person('jonas');
select tests.authenticate_as('jonas');
select is(cardinality(app.handles_like('maya')), 3, 'three are offered where short ones are taken');
select is_empty(
  $$
    select from generate_series(1, 20), unnest(app.handles_like('maya')) as handle
    where exists (select from app.profiles where username = handle)
  $$,
  'and none of them is'
);
select is_empty(
  $$ select from generate_series(1, 20), unnest(app.handles_like('jonas')) as handle where handle !~ '^jonas[1-9][0-9]$' $$,
  'a suffix is as short as one is free'
);
select set_eq($$ select tests.who_may($s$ select app.handles_like('maya') $s$) $$, array['authenticated'], 'for whoever looks for one');

rollback to empty;

-- handles_like: are handles
select tests.person('maya');
select tests.authenticate_as('maya');
select is_empty(
  $$
    select handle
    from unnest(array['', 'a', 'Maya Lindqvist!', 'mäya', '___', repeat('a', 200), 'admin', '💬']) as text,
      generate_series(1, 20),
      unnest(app.handles_like(text)) as handle
    where app.handle_refusal(handle) is not null
  $$,
  'whatever the text, what is offered can be had'
);
select is_empty(
  $$ select from unnest(array['', '💬', repeat('a', 200)]) as text where cardinality(app.handles_like(text)) <> 3 $$, 'there are three'
);
select is_empty(
  $$ select from unnest(app.handles_like('M a!y_a')) as handle where handle !~ '^ay_a[0-9]+$' $$, 'of what a handle may hold of it'
);
select is_empty(
  $$ select from unnest(app.handles_like('mäyé')) as handle where handle !~ '^maye[0-9]+$' $$, 'and of letters without their accents'
);
select is(count(distinct handle)::integer, 3, 'no two alike')
from unnest(app.handles_like('maya')) as handle;

rollback to empty;

-- is_handle_taken: by anybody else
select tests.person('maya');
select tests.person('jonas');
select tests.block('jonas', 'maya');
select tests.authenticate_as('maya');
select ok(app.is_handle_taken('jonas'), 'also by somebody whom the caller does not see');
select ok(not app.is_handle_taken('maya'), 'but not by the caller');
select ok(not app.is_handle_taken('free'), 'nor by nobody');
select is(app.handle_refusal('jonas'), 'taken', 'so that it is refused before the profile is');
reset role;
select set_eq($$ select tests.who_may('select app.is_handle_taken(null)') $$, array['authenticated'], 'members look handles up');

select * from finish();
rollback;
