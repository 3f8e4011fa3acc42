select plan(6);

select is_empty($$ select tests.table_privileges_of('opine_gateway') $$, 'the gateway''s login reads no table');
select is_empty($$ select tests.table_privileges_of('opine_serializable') $$, 'nor does the serializable one');
select bag_eq(
  $$ select tests.table_privileges_of('opine_worker') $$,
  array[
    'maintain app.fresh_votes',
    'maintain app.pending_ballots',
    'maintain app.pending_totals',
    'maintain app.promotions',
    'maintain app.vote_pools',
    'maintain app.vote_receipts',
    'maintain app.vote_slots',
    'maintain app.vote_slots_even',
    'maintain app.vote_slots_odd'
  ],
  'nor does the worker''s, which vacuums what votes write'
);
select is_empty($$ select tests.table_privileges_of('opine_service') $$, 'nor does the role that exchanges proofs');
select is_empty($$ select tests.table_privileges_of('opine_staff') $$, 'nor does a member of staff');
select is_empty($$ select tests.table_privileges_of('service_role') $$, 'nor does the holder of the platform''s secret key');

select * from finish();
