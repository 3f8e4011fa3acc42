select plan(8);

select tests.named('maya', 'Maya  van der Brücke');
select bag_eq(
  $$ select app.names_of(tests.id('maya')) $$,
  array['maya', 'maya van der brucke', 'van der brucke', 'der brucke', 'brucke'], 'the username, and the name from each word on'
);
insert into app.hub_profiles (user_id) values (tests.id('maya'));
select bag_eq(
  $$ select app.names_of(tests.id('maya')) $$,
  array['maya', 'maya van der brucke', 'van der brucke', 'der brucke', 'brucke'], 'as long as that serves in Hubs'
);
update app.hub_profiles set display_name = ' Élan Roy ';
select bag_eq($$ select app.names_of(tests.id('maya')) $$, array['maya', 'elan roy', 'roy'], 'else that by which they appear there, and not the public one');
select tests.named('jonas', 'Jonas');
select bag_eq($$ select app.names_of(tests.id('jonas')) $$, array['jonas'], 'each name once');
select tests.person('nameless', 1);
select is_empty($$ select app.names_of(tests.id('nameless')) $$, 'who has no profile has none');
select tests.named('lena', 'A b a b');
select bag_eq(
  $$ select app.names_of(tests.id('lena')) $$, array['lena', 'a b a b', 'b a b', 'a b', 'b'], 'words keep their order'
);
select tests.named('many', 'a b c d e f g h i j k l');
select results_eq(
  $$ select count(*), min(length(names)) from app.names_of(tests.id('many')) as names where names <> 'many' $$, 'values (10::bigint, 5)', 'from no more than the first ten'
);
select is_empty($$ select tests.who_may('select app.names_of(null)') $$, 'the triggers alone ask');

select * from finish();
