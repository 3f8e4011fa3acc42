select plan(8);

select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');

select is(
  tests.violation_of($$ insert into app.discussions (hub_id, post_id) values (tests.id('elm'), tests.id('trams')) $$), 'discussions_one_a_placement',
  'a post in a Hub has one'
);
select is(
  tests.violation_of($$ insert into app.discussions (hub_id, post_id) values (tests.id('ash'), tests.id('trams')) $$), 'discussions_are_of_placements',
  'a post elsewhere none'
);
select is(
  tests.violation_of('update app.discussions set message_count = -1'), 'discussions_message_count_is_not_negative', 'as many messages as there may be'
);
select is_empty($$ select tests.who_may('insert into app.discussions default values') $$, 'no role makes one');
select is_empty($$ select tests.who_may('update app.discussions set message_count = 9') $$, 'or changes one');
select is_empty($$ select tests.who_may('delete from app.discussions') $$, 'or removes one');
select results_eq(
  'select message_count, last_activity_at from app.discussions', 'values (0, app.now())', 'it begins empty'
);
delete from app.placements;
select is_empty('select from app.discussions', 'it goes with its place');

select * from finish();
