select plan(3);

select tests.person('maya', 3);
delete from app.profiles;
select tests.person('lena', 2);
select tests.person('jonas', 2);
select app.move_belongings(tests.id('lena'), tests.id('maya'));
select results_eq(
  'select user_id, username collate "default" from app.profiles where username <> ''jonas''', $$ values (tests.id('maya'), 'lena') $$, 'who has no profile takes over the other''s'
);

select tests.person('ann', 2);
select app.move_belongings(tests.id('ann'), tests.id('maya'));
select set_eq(
  'select user_id, username collate "default" from app.profiles', $$ values (tests.id('maya'), 'lena'), (tests.id('ann'), 'ann'), (tests.id('jonas'), 'jonas') $$, 'who has one keeps it'
);
select is(user_id, tests.id('jonas'), 'as does everybody else') from app.profiles where username = 'jonas';

select * from finish();
