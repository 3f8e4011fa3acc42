select plan(5);

select tests.elm();
select tests.slider('trams', 'maya');
select is(
  tests.violation_of(format('insert into app.vote_pools (post_id, %I) values (tests.id(''trams''), -1)', count)), 'vote_pools_counts_are_natural', count || ' is not less than none'
)
from unnest(array['strong_left_count', 'left_count', 'neutral_count', 'right_count', 'strong_right_count']) as count;

select * from finish();
