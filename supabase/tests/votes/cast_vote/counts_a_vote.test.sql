set transaction isolation level serializable;
select plan(5);

select tests.person('maya', 3);
select tests.person('jonas', 2);
select tests.slider('trams', 'maya');
select tests.act_as('jonas');
select is(api.cast_vote(tests.arguments('trams') || '{"position": "strong_right"}'), '{"pendingHubIds": []}', 'a registered person votes');
reset role;
select results_eq(
  'select post_id, user_id from app.vote_receipts', $$ values (tests.id('trams'), tests.id('jonas')) $$, 'a receipt says who'
);
select is(tests.counts('trams'), '(0,0,0,0,1)', 'the pool says what');

select ok(
  bool_and(occurred_at between app.now() + interval '5 minutes' and app.now() + interval '30 minutes'), 'feeds show it five minutes to half an hour later, unless the service says otherwise'
)
from app.feed_events where kind = 'voted';
select tests.act_as('maya');
select api.cast_vote(tests.arguments('trams') || '{"position": "left", "activityDelay": {"from": 20, "to": 20}}');
reset role;
select is(occurred_at, app.now() + interval '20 seconds', 'as it may') from app.feed_events where kind = 'voted' and actor_id = tests.id('maya');

select * from finish();
