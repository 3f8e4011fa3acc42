select plan(4);

select results_eq(
  $$ select app.subject_of(tests.event('user_followed', 'maya', 'lena'), '00000000-0000-0000-0000-000000000000', 10) $$, tests.ids('lena'), 'who is followed, and the like'
);
select is_empty($$ select app.subject_of(tests.event('user_followed', 'maya', 'lena'), tests.id('lena'), 10) $$, 'once');
select is_empty($$ select app.subject_of(tests.event('user_followed', 'maya'), '00000000-0000-0000-0000-000000000000', 10) $$, 'or nobody');
select is_empty($$ select tests.who_may('select app.subject_of(null, null, null)') $$, 'no role asks');

select * from finish();
