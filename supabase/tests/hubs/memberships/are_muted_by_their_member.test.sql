select plan(4);

select tests.elm();
select tests.act_as('jonas');
update app.memberships set is_muted = true;
reset role;
select set_eq(
  'select user_id from app.memberships where is_muted', array[tests.id('jonas')],
  'one mutes one''s own membership, and nobody else''s'
);
select is(tests.refusal_of('jonas', format('update app.memberships set %s = app.now()', attribute)), '42501', 'nobody says ' || attribute)
from unnest(array['joined_at', 'seen_at']) as attribute;
select is(tests.refusal_of(null, 'update app.memberships set is_muted = true'), '42501', 'a guest mutes none');

select * from finish();
