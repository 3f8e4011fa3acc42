select plan(2);

select tests.person('maya', 4);
select tests.post('public', 'maya', 'public');
select tests.post('locked', 'maya', 'private_locked_hub');
select tests.act_as_guest();
select results_eq(
  $$ select post_id from app.post_cards(array[tests.id('locked'), tests.id('public'), tests.id('unknown')]) $$,
  array[tests.id('public')],
  'a hidden post has no card, just as an unknown one'
);
select is_empty('select from app.post_cards(null)', 'no posts have no cards');

select * from finish();
