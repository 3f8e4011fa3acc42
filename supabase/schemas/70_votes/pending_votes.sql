create type app.pending_votes as (hub_id uuid, cast_hour timestamptz, counts app.position_counts);
comment on type app.pending_votes is 'Votes of an hour on a post that are pending for a Hub, opened. It lives only in the call that settles them.';
