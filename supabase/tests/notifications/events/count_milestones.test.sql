select plan(5);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
create function pg_temp.violation(p_type app.event_type, p_total integer, p_count integer)
returns text
language sql
return tests.violation_of(format(
  'insert into app.events (type, subject_id, post_id, milestone_total, milestone_count) values (%L, %L, %L, %L, %L)',
  p_type, tests.id('maya'), tests.id('trams'), p_total, p_count
));

select is(pg_temp.violation('post_vote_milestone', 100, null), 'events_milestones_are_counted', 'a milestone says of how many votes');
select is(pg_temp.violation('user_followed', 100, 100), 'events_milestones_are_counted', 'and nothing else does');
select is(pg_temp.violation('post_vote_milestone', 600, 600), null, 'a total is a milestone of the author');
select is(pg_temp.violation('post_vote_milestone', 600, 600), 'events_milestone_key', 'the same milestone is stored once');
select is(pg_temp.violation('post_vote_milestone', 600, 500), null, 'the author who voted has another one as a voter');

select * from finish();
