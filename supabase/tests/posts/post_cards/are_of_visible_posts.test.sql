select plan(3);

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

reset role;
delete from app.profiles;
select tests.act_as_guest();
select is(c.card -> 'author', app.user_lite(null), 'one whose author has no profile has one') from app.post_cards(tests.ids('public')) as c;

select * from finish();
