select plan(5);

select tests.elm();
select tests.person('ben', 4);
select tests.post('trams', 'jonas');
select tests.post('bikes', 'jonas');
select tests.placed('trams', 'elm', p_by => 'ben');
insert into app.placements (post_id, hub_id) values (tests.id('bikes'), tests.id('elm'));
select is(
  tests.violation_of($$ insert into app.placements (post_id, hub_id, kind) values (tests.id('trams'), tests.id('elm'), 'shared') $$),
  'placements_pkey', 'a post is in a Hub once'
);
select results_eq(
  $$ select kind::text, placed_at from app.placements where post_id = tests.id('bikes') $$, $$ values ('targeted', app.now()) $$, 'it is meant for it unless it is shared'
);
delete from app.users where id = tests.id('ben');
select results_eq(
  $$ select placed_by from app.placements where post_id = tests.id('trams') $$, 'values (null::uuid)', 'it stays when whoever did it is gone'
);
delete from app.posts where id = tests.id('trams');
select results_eq('select post_id from app.placements', tests.ids('bikes'), 'and goes with the post');
select tests.close_hub('elm');
delete from app.hubs where id = tests.id('elm');
select is_empty('select from app.placements', 'or the Hub');

select * from finish();
