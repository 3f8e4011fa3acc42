select plan(2);

-- contract.md 3: the Data API accepts the access token too, and logging out ends it at once.
select tests.person('maya', 3);
select tests.session('maya');
select tests.act_as('maya');
select lives_ok('select app.require_level(1)', 'a live session passes');
reset role;
delete from app.sessions;
set local role authenticated;
select throws_ok('select app.require_level(1)', 'PT401', 'UNAUTHORIZED', 'an ended one does not, by whatever way it comes');

select * from finish();
