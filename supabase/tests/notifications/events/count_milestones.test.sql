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
select is(pg_temp.violation('post_vote_milestone', 100, 100), null, 'each total');
select is(pg_temp.violation('post_vote_milestone', 100, 50), 'events_milestone_key', 'is one milestone to one person');
select is(pg_temp.violation('post_vote_milestone', 200, 200), null, 'the next is another');

select * from finish();
