select plan(5);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.slider('trams', 'maya');
select tests.vote('jonas', 'trams', 'strong_left');
select tests.slider('bikes', 'maya');
select tests.vote('maya', 'bikes', 'neutral');

create function pg_temp.card()
returns jsonb
language sql
return (select card from app.post_cards(array[tests.id('trams')]));

select tests.act_as('jonas');
select is(
  pg_temp.card() -> 'viewerVote', jsonb_build_object('hasVoted', true, 'votedAt', app.iso(date_trunc('minute', app.now()))),
  'who voted sees that they did, to the minute'
);
select is(jsonb_array_length(pg_temp.card() -> 'voteDistribution'), 5, 'and the five positions');
select is(pg_temp.card() #> '{voteSummary,totalVotes}', '1', 'and how many there are of it');
select tests.act_as('maya');
select is(pg_temp.card() -> 'viewerVote', '{"hasVoted": false, "votedAt": null}', 'who did not sees nobody''s vote');
select ok(not pg_temp.card() ? 'voteDistribution', 'and the three buckets alone');

select * from finish();
