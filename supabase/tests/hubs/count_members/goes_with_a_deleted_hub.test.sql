select plan(2);

select tests.elm();
update app.memberships set seen_at = app.now();
select lives_ok('delete from app.hubs', 'a Hub whose row is deleted takes its members along');
select is_empty('select from app.hub_presence', 'and when they were seen');

select * from finish();
