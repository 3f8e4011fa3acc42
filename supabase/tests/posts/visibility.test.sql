begin;
select plan(4);

-- Who sees a post. The world has a post for each author, visibility and place, removed by staff or not
-- (docs/product.md PO13, PO14).
select tests.person(name, 4)
from unnest(array['amara', 'maya', 'lena', 'plain', 'suspended', 'ended', 'blocked', 'blocking']) as name;
select tests.hub('elm', 'amara'), tests.membership('elm', 'maya'), tests.hub('oak', 'amara'), tests.hub('ash', 'amara');
select tests.membership('elm', author), tests.membership('ash', 'maya')
from unnest(array['plain', 'suspended']) with ordinality as a (author, n)
where n = 1;
select tests.membership('elm', 'suspended');
select tests.block('maya', 'blocked'), tests.block('blocking', 'maya');
create temporary table world as
select concat_ws(' ', author, visibility, place, staff) as post, author, visibility, place, staff
from unnest(array['plain', 'suspended', 'ended', 'blocked', 'blocking']) as author
cross join unnest(enum_range(null::app.post_visibility)) as visibility
cross join unnest(array['elm', 'oak', 'ash', 'nowhere']) as place
cross join unnest(array['kept', 'removed']) as staff;
select count(tests.post(w.post, w.author, w.visibility)) from world as w;
select count(tests.placement(w.post, w.place)) from world as w where w.place <> 'nowhere';
update app.posts as p set removed_at = app.now() from world as w where p.id = tests.id(w.post) and w.staff = 'removed';
insert into app.suspensions (user_id) values (tests.id('suspended'));
select tests.account_deletion('ended');
delete from app.memberships where hub_id = tests.id('ash');
update app.hubs set suspended_at = app.now() where id = tests.id('ash');

create temporary table answers as
select
  viewer.name as viewer, w.post,
  exists (select from app.seen_posts(tests.id(viewer.name)) as seen where seen.id = tests.id(w.post)) as is_seen,
  tests.value_as(
    viewer.name, format('exists (select from app.posts where id = %L)', tests.id(w.post))
  ) = 'true' as is_policy,
  w.staff = 'kept' and (
    w.author is not distinct from viewer.name
    or (
      w.visibility in ('public', 'public_hub')
      or w.place = 'elm' and viewer.name in ('amara', 'maya', 'plain', 'suspended')
      or w.place = 'oak' and viewer.name = 'amara'
    ) is true
    and w.author not in ('suspended', 'ended')
    and (w.author not in ('blocked', 'blocking') or viewer.name is distinct from 'maya')
  ) as is_expected
from unnest(array['amara', 'maya', 'lena', 'plain', 'suspended', 'ended', 'blocked', 'blocking', null]) as viewer (name)
cross join world as w;

select is_empty(
  'select viewer, post, is_seen from answers where is_seen is distinct from is_expected',
  'seen_posts has for each viewer their own posts, the public ones and those of their Hubs, but of nobody hidden'
);
select is_empty(
  'select viewer, post, is_seen from answers where is_seen is distinct from is_policy',
  'the policy of posts shows each caller what seen_posts has for them'
);
select ok(
  count(*) filter (where is_seen) > 100 and count(*) filter (where not is_seen) > 100,
  'the viewers of the generated world see many posts and do not see many others'
)
from answers;
select bag_eq(
  $$ select post from answers where viewer = 'maya' and is_seen and post like '%private%' $$,
  array['plain private_locked_hub elm kept'],
  'a member sees the private posts of their open Hub by authors who are not hidden from them'
);

select * from finish();
rollback;
