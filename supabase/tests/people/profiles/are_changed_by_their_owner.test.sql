select plan(4);

select tests.person('maya');
select tests.person('jonas');
select tests.act_as('maya');
select lives_ok($$ update app.profiles set full_name = 'Changed', bio = 'New' $$, 'one changes one''s own profile');
select results_eq($$ select username collate "default" from app.profiles where full_name = 'Changed' $$, array['maya'], 'and no other''s');
select throws_ok(
  $$ update app.profiles set user_id = tests.id('jonas') $$, '42501', null, 'a profile stays with its person'
);
select tests.act_as_guest();
select throws_ok($$ update app.profiles set bio = 'Guest' $$, '42501', null, 'a guest changes none');

select * from finish();
