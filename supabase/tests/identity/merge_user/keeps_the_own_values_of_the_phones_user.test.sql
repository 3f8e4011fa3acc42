select plan(3);

select tests.person('maya', 3);
select tests.person('lena');
select app.merge_user(tests.id('lena'), tests.id('maya'));
select results_eq('select user_id, username collate "default" from app.profiles', $$ values (tests.id('maya'), 'maya') $$, 'the phone''s user keeps their profile');
select is(phone::text, tests.phone_of('maya'), 'and their phone') from app.users where id = tests.id('maya');
select is(tests.violation_of($$ update app.profiles set username = 'lena' $$), null, 'the anonymous user''s handle is free');

select * from finish();
