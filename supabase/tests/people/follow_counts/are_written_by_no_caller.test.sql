select plan(5);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.follow('maya', 'jonas');
select tests.act_as_guest();
select results_eq(
  $$ select follower_count, following_count from app.follow_counts where user_id = tests.id('jonas') $$, 'values (1, 0)',
  'how many follow somebody everybody may know'
);
reset role;
select is_empty($$ select tests.who_may('update app.follow_counts set follower_count = 7') $$, 'nobody sets it');
select is_empty($$ select tests.who_may('insert into app.follow_counts values (tests.id(''maya''), 7, 7)') $$, 'nobody makes it up');
select is_empty($$ select tests.who_may('delete from app.follow_counts') $$, 'nobody forgets it');
select throws_ok('update app.follow_counts set follower_count = -1', '23514', null, 'and it is never less than none');

select * from finish();
