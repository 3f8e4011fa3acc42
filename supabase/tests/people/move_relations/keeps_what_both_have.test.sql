select plan(4);

select tests.person(name) from unnest(array['maya', 'lena', 'ann', 'ben']) as name;
select tests.follow('maya', 'ann', app.now() - interval '1 day');
update app.follows set is_muted = true;
select tests.follow('lena', 'ann');
select tests.follow('ben', 'maya');
select tests.follow('ben', 'lena');
select tests.follow('maya', 'lena');
select tests.follow('lena', 'maya');

select app.move_relations(tests.id('lena'), tests.id('maya'));
select set_eq('select tests.follows()', array['maya > ann', 'ben > maya'], 'one of each is left, and none of oneself');
select results_eq(
  $$ select is_muted, app.now() - created_at from app.follows where follower_id = tests.id('maya') $$, $$ values (true, interval '1 day') $$,
  'the own one'
);
select tests.block('maya', 'ben');
select tests.block('lena', 'ben');
select tests.block('lena', 'maya');
select tests.block('maya', 'lena');
delete from app.follows;
select app.move_relations(tests.id('lena'), tests.id('maya'));
select set_eq('select blocker_id, blocked_id from app.blocks', $$ values (tests.id('maya'), tests.id('ben')) $$, 'so it is with blocks');
select is_empty($$ select tests.who_may('select app.move_relations(null, null)') $$, 'no role moves them');

select * from finish();
