select plan(3);

create temporary table sign_ins as select * from app.sign_in_with_phone(tests.phone_of('maya'), null);
select results_eq('select is_new, is_merged from sign_ins', 'values (true, false)', 'the user is new');
select is(phone::text, tests.phone_of('maya'), 'and has the phone') from app.users join sign_ins on user_id = id;
select is(phone_verified_at, app.now(), 'as of now') from app.users join sign_ins on user_id = id;

select * from finish();
