select plan(1);

-- Each of these writes across users, or reads what no policy may show. Whoever adds one says why in its review.
select bag_eq(
  $$ select signature from tests.our_functions where is_definer $$,
  array[
    'api.end_staff_session(jsonb)',
    'api.exchange_id_token(jsonb)',
    'api.get_staff_session(jsonb)',
    'api.refresh_session(jsonb)',
    'api.request_otp(jsonb)',
    'api.start_anonymous_session(jsonb)',
    'api.start_staff_session(jsonb)',
    'api.verify_otp(jsonb)',
    'app.claim_departure()',
    'app.count_vote(uuid,app.vote_position)',
    'app.end_own_account()',
    'app.finish_departure(uuid,uuid[])',
    'app.fold_votes()',
    'app.keep_device_token(bytea,app.device_platform,bytea)',
    'app.limit_handle_checks()',
    'app.log_out(bytea,uuid,boolean,bytea)',
    'app.prune_device_tokens()',
    'app.prune_identity()',
    'app.prune_rate_meters()',
    'app.session_is_live(jsonb)',
    'gateway.prune_idempotent_answers()',
    'gateway.recall(jsonb,text,text)',
    'gateway.remember(jsonb,text,jsonb)',
    'gateway.session_is_live(jsonb)',
    'gateway.staff_email(text,jsonb)',
    'staff.prune_sessions()'
  ],
  'these functions, and no others, run as their owner'
);

select * from finish();
