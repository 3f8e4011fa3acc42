select plan(1);

-- Each of these writes across users, or reads what no policy may show. Whoever adds one says why in its review.
select bag_eq(
  $$ select signature from tests.our_functions where is_definer $$,
  array[
    'api.refresh_session(jsonb)',
    'api.request_otp(jsonb)',
    'api.start_anonymous_session(jsonb)',
    'api.verify_otp(jsonb)',
    'app.consume_otp(bytea,bytea)',
    'app.count_vote(uuid,app.vote_position)',
    'app.end_user(uuid)',
    'app.fold_votes()',
    'app.log_out(bytea,uuid,boolean)',
    'app.merge_user(uuid,uuid)',
    'app.open_session(uuid,bytea)',
    'app.prune_identity()',
    'app.session_grant(uuid,uuid)',
    'app.session_is_live(jsonb)',
    'app.sign_in_with_phone(text,uuid)',
    'gateway.prune_idempotent_answers()',
    'gateway.recall(jsonb,text,text)',
    'gateway.remember(jsonb,text,jsonb)',
    'gateway.session_is_live(jsonb)'
  ],
  'these functions, and no others, run as their owner'
);

select * from finish();
