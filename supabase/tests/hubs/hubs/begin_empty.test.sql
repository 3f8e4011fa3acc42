select plan(1);

insert into app.hubs (name) values ('Élm');
select results_eq(
  'select description, search_name collate "default", member_count, last_activity_at, closed_at from app.hubs',
  $$ values ('', 'elm', 0, app.now(), null::timestamptz) $$, 'a Hub begins now, without members'
);

select * from finish();
