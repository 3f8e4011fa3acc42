select plan(4);

select tests.person('maya', 3);
select tests.person('lena', 2);
select tests.person('jonas', 2);
update app.users set media_completed_at = null where id = tests.id('maya');
update app.users
set terms_version = '1', terms_accepted_at = app.now() - interval '1 day', media_completed_at = app.now() - interval '1 hour'
where id = tests.id('lena');

create function pg_temp.steps(out terms text, out accepted interval, out media interval)
language sql
return (
  select row(terms_version, app.now() - terms_accepted_at, app.now() - media_completed_at) from app.users where id = tests.id('maya')
);

select app.move_belongings(tests.id('lena'), tests.id('maya'));
select results_eq(
  'select * from pg_temp.steps()', $$ values ('1', interval '1 day', interval '1 hour') $$, 'steps that the other took are taken'
);
update app.users set terms_version = '2', terms_accepted_at = app.now() where id = tests.id('maya');
update app.users set media_completed_at = app.now() where id = tests.id('maya');
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select results_eq('select * from pg_temp.steps()', $$ values ('2', interval '0', interval '0') $$, 'steps that one took oneself stay');
select is(phone::text, tests.phone_of('maya'), 'the phone is not touched') from app.users where id = tests.id('maya');
select results_eq(
  $$ select terms_version, media_completed_at from app.users where id = tests.id('jonas') $$, 'values (null::text, null::timestamptz)',
  'and nobody else has taken any'
);

select * from finish();
