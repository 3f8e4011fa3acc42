select plan(4);

select tests.elm();
select tests.hub('ash', 'amara');
create function pg_temp.link(p_hub text, p_name text)
returns text
language sql
return tests.refusal('create_invite_link', tests.in_hub(p_hub, jsonb_build_object('tokenHash', tests.hex(p_name), 'sealedToken', 'sealed', 'expiresInDays', 7)));

select tests.act_as('amara');
select is(count(pg_temp.link('elm', n::text)), 0::bigint, 'at once') from generate_series(1, 100) as n;
select tests.act_as('maya');
select is(pg_temp.link('elm', 'one more'), 'RATE_LIMITED', 'all who make some together');
select tests.act_as('amara');
select is(pg_temp.link('ash', 'another'), null, 'and each Hub for itself');
select is(count(*)::integer, 101, 'no more are made') from app.invite_links;

select * from finish();
