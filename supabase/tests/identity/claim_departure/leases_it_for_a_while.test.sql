select plan(5);

select tests.person('maya', 3);
select app.end_user(tests.id('maya'));
select is(app.claim_departure(), tests.id('maya'), 'a departure that is due is claimed');
select ok(
  due_at - app.now() between interval '45 seconds' and interval '75 seconds', 'nobody else gets it for about a minute'
)
from app.departures;
select app.set_clock_offset(due_at - now() - interval '1 microsecond') from app.departures;
select is(app.claim_departure(), null, 'as long as the lease runs');
select app.set_clock_offset(due_at - now()) from app.departures;
select is(app.claim_departure(), tests.id('maya'), 'then a worker that died is followed by another');
select is(attempt_count, 2, 'and each try is counted') from app.departures;

select * from finish();
