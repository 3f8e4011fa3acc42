select plan(3);

select tests.elm();
select tests.hub('oak', 'amara');
select tests.hub('ash', 'lena');
delete from app.memberships where hub_id = tests.id('ash');
update app.hubs set custom_link = name || '-street';
select app.end_membership(tests.id('elm'), tests.id(name)) from unnest(array['jonas', 'maya']) as name;
select is_empty('select from app.hubs where closed_at is not null', 'a Hub is open as long as it has a member');
select app.end_membership(tests.id('elm'), tests.id('amara'));
select results_eq(
  $$ select closed_at, custom_link collate "default" from app.hubs where id = tests.id('elm') $$, 'values (app.now(), null)',
  'the last one closes it, and its custom link is free'
);
select is_empty($$ select from app.hubs where id <> tests.id('elm') and closed_at is not null $$, 'and it alone');

select * from finish();
