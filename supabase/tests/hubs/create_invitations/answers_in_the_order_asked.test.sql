select plan(4);

select tests.elm();
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon of the trees');

create function pg_temp.invite(variadic p_names text[])
returns jsonb
language sql
return api.create_invitations(tests.in_hub('elm', jsonb_build_object('invitations', (
  select jsonb_agg(
    jsonb_build_object('phoneNumber', tests.phone_of(name), 'tokenHash', tests.hex('token of ' || name), 'sealedToken', 'sealed ' || name)
    order by place
  )
  from unnest(p_names) with ordinality as given (name, place)
))));

select tests.act_as('jonas');
create temporary table answers as select pg_temp.invite('one', 'lena', 'two', 'jonas', 'amara') as answer;
reset role;
select is(answer - 'items', '{"hubName": "elm", "inviterName": "Jonas"}', 'with what the message says: the public name') from answers;
select is(
  array(select item ->> 'sealedToken' from answers, jsonb_array_elements(answer -> 'items') with ordinality as listed (item, place) order by place),
  array['sealed one', 'sealed lena', 'sealed two', 'sealed jonas', 'sealed amara'], 'alike for whoever owns a phone'
);
select set_eq(
  'select (item ->> ''id'')::uuid as id, item ->> ''sealedToken'' as sealed, item ->> ''state'' as state, item ->> ''expiresAt'' as until from answers, jsonb_array_elements(answer -> ''items'') as item',
  $$
    select i.id, 'sealed ' || name as sealed, 'pending' as state, app.iso(app.now() + interval '7 days') as until
    from unnest(array['one', 'lena', 'two', 'jonas', 'amara']) as name
    join app.hub_invitations as i on i.phone = tests.phone_of(name) and i.token_hash = tests.hash('token of ' || name)
    where i.hub_id = tests.id('elm') and i.inviter_id = tests.id('jonas')
  $$,
  'each with its id and how long it lasts'
);
select is(
  array(select distinct jsonb_object_keys(item) from answers, jsonb_array_elements(answer -> 'items') as item order by 1), '{expiresAt,id,sealedToken,state}',
  'and no phone'
);

select * from finish();
