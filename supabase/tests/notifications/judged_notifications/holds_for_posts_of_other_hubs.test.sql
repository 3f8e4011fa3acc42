select plan(5);

select tests.elm();
select tests.hub('oak', 'amara');
select tests.membership('oak', 'jonas');
select tests.post('trams', 'amara', 'private_locked_hub'), tests.post('bikes', 'amara', 'private_locked_hub');
select tests.placed('trams', 'elm'), tests.placed('trams', 'oak'), tests.placed('bikes', 'oak');
delete from app.events;
select tests.notification('of elm and oak', 'jonas', 'post_reposted', 'amara', p_post => 'trams'), tests.notification('of oak', 'jonas', 'post_reposted', 'amara', p_post => 'bikes');
select tests.notification('to maya', 'maya', 'post_reposted', 'amara', p_post => 'trams');
select tests.notification('open', 'jonas', p_actor => 'amara');
create function pg_temp.withheld()
returns setof uuid
language sql
as $$ select n.id from app.judged_notifications as n where n.is_withheld $$;

select is_empty('select pg_temp.withheld()', 'a member of a Hub of the post sees it');
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('oak');
select bag_eq('select pg_temp.withheld()', tests.ids('of oak'), 'who is in none does not');
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq('select pg_temp.withheld()', tests.ids('of oak', 'of elm and oak'), 'though others are');
select tests.membership('oak', 'jonas');
select is_empty('select pg_temp.withheld()', 'who comes back does');
delete from app.placements;
select bag_eq('select pg_temp.withheld()', tests.ids('of oak', 'of elm and oak', 'to maya'), 'and nobody of a post that is nowhere');

select * from finish();
