select plan(10);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');

select tests.act_as('maya');
select results_eq('select hub_id from app.placements', tests.ids('elm'), 'those in one''s Hubs');
select tests.act_as('jonas');
select results_eq('select hub_id from app.placements', tests.ids('elm'), 'the author sees no other');
select tests.act_as_guest();
select is_empty('select from app.placements', 'guests see none');
reset role;
select is(tests.violation_of($$ select tests.placed('trams', 'elm') $$), 'placements_pkey', 'a post is in a Hub once');
select is_empty($$ select tests.who_may('insert into app.placements default values') $$, 'no role places one past the operations');
select is_empty($$ select tests.who_may('update app.placements set placed_at = placed_at') $$, 'or moves one');
select is_empty($$ select tests.who_may('delete from app.placements') $$, 'or takes one away');
delete from app.hubs where id = tests.id('ash');
select results_eq('select hub_id from app.placements', tests.ids('elm'), 'it goes with its Hub');
delete from app.posts;
select is_empty('select from app.placements', 'and with its post');
select is_empty('select from app.discussions', 'and what is said about it does');

select * from finish();
