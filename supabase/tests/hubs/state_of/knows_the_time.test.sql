select plan(3);

select results_eq(
  $$ select app.state_of('pending', app.now() + shift) from unnest(array['0', '1 microsecond']::interval[]) as shift $$,
  array['expired', 'pending']::app.invitation_state[], 'an open invitation has expired when its time is over'
);
select results_eq(
  $$ select app.state_of(state, app.now() - interval '1 day') from unnest(array['accepted', 'declined', 'expired']::app.invitation_state[]) as state $$,
  array['accepted', 'declined', 'expired']::app.invitation_state[], 'any other stays what it is'
);
select set_eq($$ select tests.who_may('select app.state_of(null, null)') $$, array['anon', 'authenticated'], 'guests look as well');

select * from finish();
