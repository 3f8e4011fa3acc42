select plan(4);

select tests.person('maya', 1);
select tests.open_upload('picture', 'maya');
select tests.complete('maya', tests.completion('picture'));

create function pg_temp.refuse(p_reason text)
returns jsonb
language sql
return tests.complete('maya', tests.completion('picture') || jsonb_build_object('content', jsonb_build_object('refusal', p_reason)));

select is(
  tests.error_of(format('select pg_temp.refuse(%L)', reason)), tests.error_of(format(
    'do $do$ begin raise exception using errcode = %L, message = %L, detail = %L; end $do$',
    'PT409', 'UPLOAD_CONFLICT', jsonb_build_object('reason', reason)
  )), 'for ' || reason
)
from unnest(array['object_missing', 'content_mismatch']) as reason;
select isnt(tests.complete_whole('maya', tests.completion('picture')), null, 'the upload stays open for a better file');
select lives_ok($$ select pg_temp.refuse('object_missing') $$, 'and once it is completed, what a late try finds changes nothing');

select * from finish();
