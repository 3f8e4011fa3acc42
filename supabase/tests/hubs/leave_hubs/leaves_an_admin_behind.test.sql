select plan(4);

select tests.elm();
select tests.hub('oak', 'amara');
select tests.hub('ash', 'lena');
select tests.membership('ash', 'amara');
update app.hubs set custom_link = name || '-street';
select results_eq(
  $$ select app.leave_hubs(tests.id('amara')) from generate_series(1, 4) $$, array[true, true, true, false], 'an ended account leaves all its Hubs'
);
select bag_eq($$ select tests.members('elm') $$, array['maya: admin', 'jonas: member'], 'where it was the only admin another member becomes one');
select bag_eq($$ select tests.members('ash') $$, array['lena: admin'], 'where there is one all stay what they are');
select results_eq('select name from app.hubs where closed_at is not null', array['oak'], 'where nobody else is, the Hub closes');

select * from finish();
