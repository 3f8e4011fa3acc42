select plan(4);

select bag_eq(
  $$ select tests.executable_by('opine_worker', 'app') $$,
  array[
    'app.backlog()',
    'app.claim_departure()',
    'app.claim_expired_objects(integer)',
    'app.claim_pushes(integer)',
    'app.dead_upload_keys(text[])',
    'app.fan_out()',
    'app.fan_out_milestones()',
    'app.finish_departure(uuid)',
    'app.fold_ballots(text[])',
    'app.fold_inbox_counts()',
    'app.fold_pools(smallint)',
    'app.fold_presence()',
    'app.fold_receipts()',
    'app.forget_objects(uuid[])',
    'app.prune_device_tokens()',
    'app.prune_feeds()',
    'app.prune_hubs()',
    'app.prune_identity()',
    'app.prune_pending_totals()',
    'app.prune_rate_meters()',
    'app.prune_uploads()',
    'app.publish_hints(uuid,integer,integer)',
    'app.remove_closed_hubs()',
    'app.settle_published(jsonb)',
    'app.settle_pushes(jsonb)',
    'app.start_task(text,interval)'
  ],
  'the worker''s duties'
);
select bag_eq(
  $$ select tests.executable_by('opine_worker', 'gateway') $$,
  array['gateway.beat()', 'gateway.prune_idempotent_answers()'],
  'and the gateway''s upkeep'
);
select bag_eq(
  $$ select tests.executable_by('opine_worker', 'staff') $$, array['staff.prune_sessions()'], 'and that of staff sessions'
);
select is_empty($$ select tests.executable_by('opine_worker', 'api') $$, 'it runs no operation');

select * from finish();
