select plan(4);

select tests.person('maya', 3);
select tests.act_as('maya');
create temporary table answers as select api.sync_contacts('{"permission": "limited", "contactCount": 12}') as answer;
select is(
  answer #> '{status}' -> 'level' || (answer #> '{status}' -> 'nextStep'), '[4, null]', 'the person is Hub-ready, and no step is left'
)
from answers;
select is(answer -> 'status' ->> 'contactsSyncedAt', app.iso(app.now()), 'as of now') from answers;
select is(
  answer -> 'snapshot', jsonb_build_object('uploadId', s.upload_id, 'state', 'pending'), 'the upload is told where to go'
)
from answers, app.contact_snapshots as s;
select results_eq(
  'select user_id, permission from app.contact_snapshots', $$ values (tests.id('maya'), 'limited') $$, 'and awaited'
);

select * from finish();
