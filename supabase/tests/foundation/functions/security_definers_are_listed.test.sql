select plan(1);

-- Each of these writes across users, or reads what no policy may show. Whoever adds one says why in its review.
select bag_eq(
  $$ select signature from tests.our_functions where is_definer $$,
  array[
    'api.complete_upload(jsonb)',
    'api.end_staff_session(jsonb)',
    'api.exchange_id_token(jsonb)',
    'api.get_staff_session(jsonb)',
    'api.refresh_session(jsonb)',
    'api.request_otp(jsonb)',
    'api.start_anonymous_session(jsonb)',
    'api.start_staff_session(jsonb)',
    'api.verify_otp(jsonb)',
    'app.claim_departure()',
    'app.claim_expired_objects(integer)',
    'app.count_follows()',
    'app.count_vote(uuid,app.vote_position)',
    'app.dead_upload_keys(text[])',
    'app.end_own_account()',
    'app.find_people(text,app.search_hit,integer)',
    'app.finish_departure(uuid)',
    'app.fold_votes()',
    'app.forget_objects(uuid[])',
    'app.is_handle_taken(text)',
    'app.keep_device_token(bytea,app.device_platform,bytea)',
    'app.limit_handle_checks()',
    'app.limit_uploads()',
    'app.lock_pair(uuid,uuid)',
    'app.log_out(bytea,uuid,boolean,bytea)',
    'app.owns_asset(uuid)',
    'app.prune_device_tokens()',
    'app.prune_identity()',
    'app.prune_rate_meters()',
    'app.prune_uploads()',
    'app.put_block(uuid)',
    'app.release_assets()',
    'app.session_is_live(jsonb)',
    'app.vote_count(uuid)',
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
