select plan(2);

-- Operations run as their caller, and so do the rules they call. Schema app is not exposed to clients.
select bag_eq(
  $$ select tests.executable_by('authenticated', 'app') $$,
  array[
    'app.are_e164(text[])',
    'app.card_vote(boolean,timestamp with time zone,app.position_counts)',
    'app.count_vote(uuid,app.vote_position)',
    'app.decode_cursor(text)',
    'app.encode_cursor(timestamp with time zone,uuid)',
    'app.end_own_account()',
    'app.global_scope()',
    'app.handle_refusal(text)',
    'app.handles_like(text)',
    'app.home_feed_sources()',
    'app.is_reserved_handle(text)',
    'app.is_handle(text)',
    'app.iso(timestamp with time zone)',
    'app.keep_device_token(bytea,app.device_platform,bytea)',
    'app.level_of(uuid)',
    'app.limit_handle_checks()',
    'app.log_out(bytea,uuid,boolean,bytea)',
    'app.now()',
    'app.onboarding_status()',
    'app.otp_policy()',
    'app.own_profile()',
    'app.page_size(jsonb,integer,integer)',
    'app.pool_totals(uuid)',
    'app.post_cards(uuid[])',
    'app.post_detail(uuid)',
    'app.require_level(integer)',
    'app.require_slider(uuid)',
    'app.session_is_live(jsonb)',
    'app.session_id()',
    'app.total_of(app.position_counts)',
    'app.user_id()',
    'app.user_lite(app.profiles)',
    'app.uuid_v7()',
    'app.vote_distribution(app.position_counts)',
    'app.vote_summary(app.position_counts)'
  ],
  'rules that a signed-in person''s operations call'
);
select set_eq(
  $$
    select tests.executable_by('authenticated', 'app')
    except
    select tests.executable_by('anon', 'app')
  $$,
  array[
    'app.are_e164(text[])',
    'app.is_handle(text)',
    'app.session_id()',
    'app.count_vote(uuid,app.vote_position)',
    'app.end_own_account()',
    'app.handle_refusal(text)',
    'app.handles_like(text)',
    'app.is_reserved_handle(text)',
    'app.keep_device_token(bytea,app.device_platform,bytea)',
    'app.limit_handle_checks()',
    'app.log_out(bytea,uuid,boolean,bytea)',
    'app.onboarding_status()',
    'app.own_profile()',
    'app.require_level(integer)',
    'app.session_is_live(jsonb)'
  ],
  'a guest''s operations call all but these of them'
);

select * from finish();
