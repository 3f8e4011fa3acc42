select plan(5);

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
delete from app.memberships where user_id = tests.id('maya');
select tests.act_as('maya');
select is_empty('select from app.placements', 'nor does who has left');
reset role;
delete from app.posts;
select is_empty('select from app.discussions', 'what is said about one goes with it');

select * from finish();
