select plan(9);

select tests.elm();
select tests.person('ann', 4);
select tests.membership('elm', 'ann');
select tests.invitation('by jonas', 'elm', 'jonas', 'lena');
select tests.invitation('by ann', 'elm', 'ann', 'lena');
select tests.invitation('of nobody', 'elm', 'ann', 'somebody');
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');
select tests.invitation('elsewhere', 'oak', 'lena', 'somebody');

create function pg_temp.seen()
returns setof text
language sql
as $$
  select name from unnest(array['by jonas', 'by ann', 'of nobody', 'elsewhere']) as name
  where tests.id(name) in (select i.id from app.hub_invitations as i)
$$;

select tests.act_as('jonas');
select bag_eq('select pg_temp.seen()', array['by jonas'], 'a member sees their own');
select tests.act_as('maya');
select bag_eq('select pg_temp.seen()', array['by jonas', 'by ann', 'of nobody'], 'a manager all of the Hub');
select tests.act_as('amara');
select bag_eq('select pg_temp.seen()', array['by jonas', 'by ann', 'of nobody'], 'so does an admin');
select tests.act_as('lena');
select bag_eq('select pg_temp.seen()', array['by jonas', 'by ann', 'elsewhere'], 'who is invited sees what names their phone');
reset role;
select tests.block('lena', 'jonas');
select tests.block('ann', 'lena');
select tests.act_as('lena');
select bag_eq('select pg_temp.seen()', array['elsewhere'], 'but nothing from whom they have blocked, or who has blocked them');
reset role;
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('elm');
select tests.act_as('jonas');
select is_empty('select pg_temp.seen()', 'who has left sees no longer whom they invited');
select throws_ok('select token_hash from app.hub_invitations', '42501', null, 'nobody sees tokens');
select throws_ok('select makes_member from app.hub_invitations', '42501', null, 'nor what an invitation is worth');
select tests.act_as_guest();
select throws_ok('select id from app.hub_invitations', '42501', null, 'a guest sees none');

select * from finish();
