begin;
select plan(57);
savepoint empty;

-- check_handle answers whether the caller can have a handle (docs/product.md P4).
select tests.person('maya');
select tests.person('jonas');
select tests.person('ann', 1);
select tests.person('lena', 1);

create function pg_temp.check(p_handle text)
returns jsonb
language sql
return api.check_handle(jsonb_build_object('username', p_handle));

select tests.authenticate_as('maya');
select is(
  pg_temp.check('  @Ann_1 '), '{"username": "ann_1", "available": true, "reason": null, "alternatives": []}',
  'check_handle trims a handle, drops its @ and folds its case'
);
select is(
  pg_temp.check('@Jonas') - 'alternatives', '{"username": "jonas", "available": false, "reason": "taken"}',
  'check_handle finds a handle taken, however the caller writes it'
);
select is(pg_temp.check(handle) ->> 'reason', reason, title)
from (
  values
    ('MAYA', null, 'check_handle finds the caller''s own handle available'),
    ('Ad_Min', 'reserved', 'check_handle finds a handle reserved, however the caller writes it'),
    ('@@@maya', null, 'check_handle drops every leading @ of a handle'),
    ('maya@', 'invalid', 'check_handle finds a handle with an @ behind its beginning invalid'),
    ('', 'invalid', 'check_handle finds an empty handle invalid')
) as c (handle, reason, title);
select throws_ok(
  $$ select api.check_handle('{}') $$, 'PT422', 'VALIDATION_FAILED', 'check_handle refuses a missing username'
);
select throws_ok(
  $$ select pg_temp.check(repeat('é', 201)) $$, 'PT422', 'VALIDATION_FAILED',
  'check_handle refuses a username of 201 characters'
);
select is(
  jsonb_array_length(pg_temp.check(handle) -> 'alternatives'), 3, 'check_handle offers three alternatives to ' || handle
)
from unnest(array['jonas', 'admin', 'admin!', 'Ádmín', 'é']) as handle;
select is_empty(
  $$
    select alternative
    from unnest(array['admin', 'admin!', 'Ádmín']) as handle,
    jsonb_array_elements_text(pg_temp.check(handle) -> 'alternatives')
      as alternative
    where alternative ~ 'admin' or app.handle_refusal(alternative) is not null
  $$,
  'check_handle offers only alternatives that are available and contain no reserved handle'
);
-- Letters that case folding or normalisation changes, and characters that pages and terminals interpret.
select is(
  pg_temp.check(handle) - 'alternatives', jsonb_build_object('username', rest, 'available', false, 'reason', 'invalid'),
  format('check_handle finds %s invalid and echoes what remains of it', to_json(handle))
)
from (
  values
    (U&'\212Aelly', 'elly'), ('İstanbul', 'stanbul'), ('ﬀoo', 'oo'), ('ſam', 'am'), ('Ⅷ_kings', '_kings'),
    (U&'a\0300bc', 'abc'), (U&'\202Emaya', 'maya'), ('@ apart', 'apart'), ('@@Maya!<script>', 'mayascript'),
    ('Ádmín', 'dmn'), ('мая', ''), ('@@@', ''), (E'free\nhandle\u0007', 'freehandle'), (repeat('é', 200), ''),
    ('a' || repeat(U&'\0301', 30), 'a')
) as c (handle, rest);
select tests.authenticate_as('lena');
select is(pg_temp.check('free') -> 'available', 'true', 'a user without a profile can check a handle');
select tests.authenticate_as('ann');
select lives_ok(
  $$
    select api.save_profile_basics(
      '{"termsAccepted": true, "username": "free", "fullName": "Ann", "termsVersion": "1"}'
    )
  $$,
  'a check of a handle does not reserve it'
);
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok($$ select pg_temp.check('lena') $$, 'PT401', 'UNAUTHORIZED', 'an ended session cannot check a handle');

rollback to empty;

-- check_handle has a rate limit of 60 a minute for each user (docs/product.md W26).
select tests.person('maya', 1);
select tests.person('jonas', 1);

create function pg_temp.check(p_times integer default 1)
returns jsonb
language sql
return tests.error_of(format($$ select api.check_handle('{"username": "é"}') from generate_series(1, %s) $$, p_times));

select tests.authenticate_as('maya');
select is(pg_temp.check(60), null, 'a user can check 60 handles at once');
select is(
  pg_temp.check(), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 1}}',
  'the rate limit refuses the 61st check and names a wait of a second'
);
select tests.authenticate_as('jonas');
select is(pg_temp.check(), null, 'the rate limit of a user does not limit other users');
reset role;
select app.set_clock_offset('1 second');
select tests.authenticate_as('maya');
select is(pg_temp.check(), null, 'the rate limit accepts another check after a second');
select is(pg_temp.check() ->> 'code', 'RATE_LIMITED', 'the rate limit accepts no two more checks after a second');

rollback to empty;

-- handle_refusal returns why the caller cannot have a handle (docs/product.md P2, P3, A7).
select tests.person('maya');
select tests.person('jonas');
select tests.block('jonas', 'maya');
select tests.authenticate_as('maya');
select is(app.handle_refusal(handle), expected, title)
from (
  values
    ('free', null, 'handle_refusal accepts a free handle'),
    ('maya', null, 'handle_refusal accepts the caller''s own handle'),
    ('jonas', 'taken', 'handle_refusal reports the handle of a hidden user as taken'),
    ('ad_min', 'reserved', 'handle_refusal reports a reserved handle as reserved'),
    ('supp0rt', 'reserved', 'handle_refusal reports what looks like a reserved handle as reserved'),
    ('the_rn0derator', null, 'handle_refusal accepts a handle that holds a reserved one'),
    ('rn0d', 'reserved', 'handle_refusal sees that rn looks like m'),
    ('j0nas', 'taken', 'handle_refusal reports what looks like the handle of another user as taken'),
    ('rnaya', null, 'handle_refusal accepts what looks like the caller''s own handle'),
    ('me', 'invalid', 'handle_refusal reports a reserved handle of two characters as invalid'),
    (repeat('a', 31), 'invalid', 'handle_refusal reports a handle of 31 characters as invalid'),
    ('ma ya', 'invalid', 'handle_refusal reports a handle with a space as invalid')
) as c (handle, expected, title);

rollback to empty;

-- handles_like offers handles that are free.
select tests.person('maya');
-- All of maya10 to maya99 are taken.
insert into app.users (id) select tests.id('maya' || n) from generate_series(10, 99) as n;
insert into app.profiles (user_id, username, full_name)
select tests.id('maya' || n), 'maya' || n, 'Maya' from generate_series(10, 99) as n;
select tests.person('jonas');
select tests.authenticate_as('jonas');
select is(cardinality(app.handles_like('maya')), 3, 'handles_like offers three handles where all short ones are taken');
select is_empty(
  $$
    select from generate_series(1, 20), unnest(app.handles_like('maya')) as handle
    where exists (select from app.profiles where username = handle)
  $$,
  'handles_like offers no handle that is taken'
);
select is_empty(
  $$
    select from generate_series(1, 20), unnest(app.handles_like('jonas')) as handle where handle !~ '^jonas[1-9][0-9]$'
  $$,
  'handles_like adds the shortest number that is free'
);

rollback to empty;

-- handles_like offers valid handles for any text (docs/product.md P4).
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
  'handles_like offers only handles that the caller can have'
);
select is_empty(
  $$ select from unnest(array['', '💬', repeat('a', 200)]) as text where cardinality(app.handles_like(text)) <> 3 $$,
  'handles_like offers three handles for any text'
);
select is_empty(
  $$ select from unnest(app.handles_like('M a!y_a')) as handle where handle !~ '^ay_a[0-9]+$' $$,
  'handles_like drops characters that a handle cannot have'
);
select is_empty(
  $$ select from unnest(app.handles_like('mäyé')) as handle where handle !~ '^maye[0-9]+$' $$,
  'handles_like drops accents of letters'
);

select * from finish();
rollback;
