select plan(6);

insert into app.hubs (id, name, custom_link)
values
  (tests.id('allotment'), 'The allotment gardeners', null), (tests.id('link'), 'Oak', 'allotments-2'), (tests.id('other'), 'Alligators', null),
  (tests.id('first'), 'Alotment', null), (tests.id('last'), 'Old alotment', null), (tests.id('linked'), 'Elm', 'alotment');
select set_config('pg_trgm.word_similarity_threshold', '0.5', true);

select set_eq(
  $$ select id from app.find_hubs_alike('alotment') $$, tests.ids('allotment', 'link'), 'in name or link, but for what the other tiers have found'
);
select set_eq('select tier from app.find_hubs_alike(''alotment'')', '{4}'::integer[], 'as the last tier');
select results_eq(
  $$ select key from app.find_hubs_alike('alotment') where id = tests.id('allotment') $$,
  $$ select to_char(1000000 * (1 - extensions.word_similarity('alotment', ' the allotment gardeners')), 'FM0000000') $$,
  'the likest first'
);
select is_empty($$ select app.find_hubs_alike('al') $$, 'two characters are like nothing');
select isnt_empty($$ select app.find_hubs_alike('all') $$, 'three are');
select is_empty($$ select tests.who_may($q$ select app.find_hubs_alike('elm') $q$) $$, 'no role asks by itself');

select * from finish();
