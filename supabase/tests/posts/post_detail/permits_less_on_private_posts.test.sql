select plan(8);

select tests.elm();
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.slider('in two', 'jonas', 'private_locked_hub');
select tests.placed('in two', 'elm');
select tests.slider('public', 'jonas', 'public_hub');
select tests.placed('public', 'elm');

create function pg_temp.permissions(p_name text)
returns text[]
language sql
as $$
  select array_agg(permission.key order by permission.key)
  from jsonb_each(api.get_post(tests.arguments(p_name)) -> 'permissions') as permission
  where permission.value = 'true'
$$;

select tests.act_as('maya');
select is(pg_temp.permissions('locked'), '{canShareToFeed,canVote}', 'no comments, no passing on');
select is(pg_temp.permissions('in two'), '{canRepost,canShareToFeed,canShareToHubs,canVote}', 'passed on where it is in two');
select is(
  pg_temp.permissions('public'), '{canComment,canRepost,canShareToFeed,canShareToHubs,canVote}', 'all of it where everybody may read it'
);
reset role;
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select tests.act_as('jonas');
select is(pg_temp.permissions('in two'), '{canDelete,canShareToFeed}', 'or passed on by who is not Hub-ready, its author either');
reset role;
update app.users set contacts_synced_at = app.now() where id = tests.id('jonas');
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select tests.act_as('jonas');
select is(pg_temp.permissions('in two'), '{canDelete,canRepost,canShareToFeed,canShareToHubs}', 'no vote of an author who is in none of its Hubs');
reset role;
select tests.vote('maya', 'in two', 'left');
select tests.act_as('maya');
select is(pg_temp.permissions('in two'), '{canRepost,canShareToFeed,canShareToHubs}', 'nor a second one');
select tests.act_as('amara');
select is(pg_temp.permissions('locked'), '{canShareToFeed,canVote}', 'each of whom votes by themself');
select tests.act_as('lena');
select is(tests.refusal('get_post', tests.arguments('locked')), 'POST_NOT_FOUND', 'an outsider finds none');

select * from finish();
