select plan(4);

select tests.person('maya');
-- All of maya10 to maya99 are taken.
insert into app.users (id) select tests.id('maya' || n) from generate_series(10, 99) as n;
insert into app.profiles (user_id, username, full_name) select tests.id('maya' || n), 'maya' || n, 'Maya' from generate_series(10, 99) as n;
select tests.person('jonas');
select tests.act_as('jonas');
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

select * from finish();
