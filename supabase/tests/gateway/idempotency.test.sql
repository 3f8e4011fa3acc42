begin;
select plan(31);
savepoint empty;

-- An idempotency key has 1 to 128 characters (docs/product.md W16).
select tests.person('maya');
select is(
  tests.violation_of(
    format(
      'insert into gateway.idempotent_answers (user_id, key, fingerprint) values (%L, %L, %L)', tests.id('maya'), key,
      'f'
    )
  ),
  expected, title
)
from (
  values
    ('', 'idempotent_answers_key_is_short', 'an idempotency key cannot be empty'),
    (repeat('k', 129), 'idempotent_answers_key_is_short', 'an idempotency key cannot have 129 characters'),
    (repeat('k', 128), null, 'an idempotency key can have 128 characters')
) as c (key, expected, title);

rollback to empty;

-- A request with a key runs once for each user and key (docs/product.md W17).
select tests.person('maya', 3);
select tests.session('maya');
select tests.person('jonas', 3);
select tests.session('jonas');

create function pg_temp.publish(
  p_claims jsonb, p_thought text, out answer text, out is_replayed boolean, out visited_hub uuid
)
language sql
return gateway.call(
  'caller', 'create_post', jsonb_build_object('thoughtText', p_thought, 'visibility', 'public'), p_claims,
  p_key => 'key', p_fingerprint => 'fingerprint of ' || p_thought
);

set local session authorization opine_gateway;
create temporary table answers as select 'first' as request, * from pg_temp.publish(tests.claims('maya'), 'Trams');
insert into answers select 'second', * from pg_temp.publish(tests.claims('maya'), 'Trams');
set local role none;
insert into answers select 'of jonas', * from pg_temp.publish(tests.claims('jonas'), 'Trams');
select ok(not is_replayed, 'the first request with a key runs') from answers where request = 'first';
select ok(is_replayed, 'a second request with the same key is a replay') from answers where request = 'second';
select is(count(distinct answer), 1::bigint, 'a replay returns what the first request created')
from answers where request <> 'of jonas';
select ok(not is_replayed, 'the same key of another user runs') from answers where request = 'of jonas';
select is(answer::jsonb #>> '{author,username}', 'jonas', 'the same key of another user returns an answer of their own')
from answers where request = 'of jonas';
set local role none;
select gateway.call(
  'caller', 'create_post', '{"thoughtText": "Bikes", "visibility": "public"}', tests.claims('maya'),
  p_key => 'another key',
  p_fingerprint => 'f'
);
set local role none;
select is(
  (pg_temp.publish(tests.claims('maya'), 'Trams')).answer, answer,
  'a request with another key changes no answer that is replayed'
)
from answers where request = 'second';
set local role none;
select throws_ok(
  $$ select pg_temp.publish(tests.claims('maya'), 'Bikes') $$, 'PT409', 'IDEMPOTENCY_KEY_CONFLICT',
  'a key of one request conflicts with another request'
);
select throws_ok(
  $$ select pg_temp.publish(null, 'Trams') $$, 'PT401', 'UNAUTHORIZED', 'a guest cannot use an idempotency key'
);
reset session authorization;
select is(count(*), 3::bigint, 'replays and conflicts publish no post') from app.posts;
delete from app.sessions;
set local session authorization opine_gateway;
select throws_ok(
  $$ select pg_temp.publish(tests.claims('maya'), 'Trams') $$, 'PT401', 'UNAUTHORIZED',
  'a dead session cannot replay an answer'
);

rollback to empty;

-- An answer is remembered for a day, and a refusal is not remembered (docs/product.md W17).
select tests.person('maya', 2);
select tests.session('maya');

create function pg_temp.is_replay()
returns boolean
language sql
return (gateway.call(
  'caller', 'create_post', '{"thoughtText": "Trams", "visibility": "public"}',
  tests.claims('maya') || '{"exp": 9999999999}',
  p_key => 'key', p_fingerprint => 'fingerprint'
)).is_replayed;

select throws_ok(
  'select pg_temp.is_replay()', 'PT403', 'FORBIDDEN', 'a request with a key raises the error of its operation'
);
update app.users set phone = tests.phone_of('maya'), phone_verified_at = app.now(), media_completed_at = app.now();
select ok(not pg_temp.is_replay(), 'a request runs again with its key after a refusal');
select app.set_clock_offset('23 hours 59 minutes 59 seconds');
select ok(pg_temp.is_replay(), 'an answer is replayed within 24 hours');
set local role none;
select app.set_clock_offset('24 hours');
select ok(not pg_temp.is_replay(), 'a request runs again with its key after 24 hours');
select ok(pg_temp.is_replay(), 'the answer to a later request with the key is replayed');

rollback to empty;

-- A request with a key can run an operation of the service.
select tests.person('maya', 1);
select tests.session('maya');
select tests.open_upload('picture', 'maya');

create function pg_temp.complete(
  p_args jsonb, p_key text, p_mode text, out answer text, out is_replayed boolean, out visited_hub uuid
)
language sql
return gateway.call(
  p_mode, 'complete_upload', tests.completion_args('picture') || p_args, tests.claims('maya'), p_key => p_key,
  p_fingerprint => 'f'
);

set local session authorization opine_gateway;
create temporary table uploads as
select answer::jsonb #>> '{upload,assetId}' as asset_id
from gateway.call('service', 'complete_upload', tests.completion_args('picture'), tests.claims('maya'));
set local role none;
create temporary table answers as
select 1 as request, done.* from uploads, pg_temp.complete(tests.inspection_args(asset_id), 'key', 'service') as done;
insert into answers select 2, done.*
from uploads, pg_temp.complete(tests.inspection_args(asset_id), 'key', 'service') as done;
set local role none;
select is(answer::jsonb ->> 'assetId', asset_id, 'a request as the service completes the upload of the caller')
from answers, uploads where request = 1;
select ok(not is_replayed, 'the first request as the service runs') from answers where request = 1;
select ok(is_replayed, 'a second request as the service is a replay') from answers where request = 2;
select is(
  count(distinct answer), 1::bigint, 'a replay as the service returns the asset of the first request'
) from answers;
select throws_ok(
  $$ select pg_temp.complete('{}', 'other', 'caller') $$, '42501', null,
  'a caller with a key cannot run an operation of the service'
);
select throws_ok(
  $$
    select gateway.call(
      'service', 'complete_upload', tests.completion_args('picture'), p_key => 'key', p_fingerprint => 'f'
    )
  $$,
  'PT401', 'UNAUTHORIZED', 'a guest cannot use an idempotency key for an operation of the service'
);
reset session authorization;
select results_eq(
  'select owner_id from app.assets', array[tests.id('maya')], 'the completed asset belongs to the caller'
);

rollback to empty;

-- prune_idempotent_answers deletes answers that are not replayed any more (docs/product.md W18).
select tests.person('maya');
insert into gateway.idempotent_answers (user_id, key, fingerprint, created_at)
values
  (tests.id('maya'), 'a day old', 'f', app.now() - interval '24 hours'),
  (tests.id('maya'), 'nearly', 'f', app.now() - interval '23 hours 59 minutes 59 seconds');
set local session authorization opine_worker;
select gateway.prune_idempotent_answers();
reset session authorization;
select set_eq(
  'select key from gateway.idempotent_answers', array['nearly'],
  'prune_idempotent_answers deletes only answers of 24 hours and more'
);

rollback to empty;

-- A stored answer holds ids and sealed tokens, and nothing else of the answer (docs/product.md W18).
select tests.person('maya');

create function pg_temp.remembered(p_answer jsonb, out created_ids uuid[], out sealed_tokens text[])
language plpgsql as $$
begin
  insert into gateway.idempotent_answers (user_id, key, fingerprint) values (tests.id('maya'), 'key', 'f')
  on conflict do nothing;
  perform gateway.remember(tests.claims('maya'), 'key', p_answer);
  select a.created_ids, a.sealed_tokens into remembered.created_ids, remembered.sealed_tokens
  from gateway.idempotent_answers as a;
end
$$;

create temporary table ids as
select tests.id('a') as a, tests.id('b') as b, tests.id('c') as c;
select is(
  (select (r.created_ids, r.sealed_tokens)::text from pg_temp.remembered(answer) as r), (ids, tokens)::text, title
)
from ids as named
cross join lateral (
  values
    (
      jsonb_build_object('id', named.a, 'text', 'Trams', 'hubs', jsonb_build_array(jsonb_build_object('id', named.b))),
      array[named.a], '{}'::text[], 'of a post only its own id is stored'
    ),
    (
      jsonb_build_object('postId', named.a, 'hubs', jsonb_build_array(
        jsonb_build_object('hubId', named.b, 'created', true), jsonb_build_object('hubId', named.c, 'created', false)
      )),
      array[named.b], '{}', 'of a share only the Hubs into which it brought the post are stored'
    ),
    (
      jsonb_build_object('hubName', 'Elm', 'items', jsonb_build_array(
        jsonb_build_object('id', named.a, 'state', 'pending', 'sealedToken', 'sealed a'),
        jsonb_build_object('id', null, 'state', 'invalid', 'sealedToken', null),
        jsonb_build_object('id', named.b, 'state', 'pending', 'sealedToken', 'sealed b')
      )),
      array[named.a, null, named.b], array['sealed a', null, 'sealed b'],
      'of invitations the ids and the sealed tokens are stored, each in its place'
    ),
    ('{"following": true}', '{}', '{}', 'of a state nothing is stored')
) as c (answer, ids, tokens, title);

rollback to empty;

-- replay_answer reads only what it knows to read.
select throws_ok(
  $$ select app.replay_answer('update_hub', '{}', '{}', '{}') $$, '20000', null,
  'replay_answer refuses an operation that honours no idempotency key'
);

select * from finish();
rollback;
