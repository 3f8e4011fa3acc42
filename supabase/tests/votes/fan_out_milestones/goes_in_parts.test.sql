select plan(9);

select tests.person(name) from unnest(array['lena', 'maya', 'jonas', 'ann']) as name;
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.receipt('maya', 'trams', 1), tests.receipt('jonas', 'trams', 5), tests.receipt('ann', 'trams', 6);
insert into app.milestones (id, post_id, next_total, last_total)
values
  ('ffffffff-ffff-7fff-bfff-ffffffffffff', tests.id('bikes'), 100, 100),
  ('00000000-0000-7000-8000-000000000000', tests.id('trams'), 1000001, 1000006);
select ok(app.fan_out_milestones(), 'there are some');
select bag_eq($$ select tests.milestones('trams') $$, array['maya: 1000000 of 1000001', 'jonas: 1000000 of 1000005'], 'of a million votes five totals at a time, as each has two thousand voters');
select bag_eq('select next_total, last_total from app.milestones', 'values (1000006, 1000006), (100, 100)', 'the rest waits');
select is_empty($$ select tests.milestones('bikes') $$, 'the first one first');
select ok(app.fan_out_milestones(), 'there are more');
select bag_eq($$ select tests.milestones('trams') $$, array['maya: 1000000 of 1000001', 'jonas: 1000000 of 1000005', 'ann: 1000000 of 1000006'], 'each once');
select ok(app.fan_out_milestones(), 'and of other posts');
select ok(not app.fan_out_milestones(), 'until there are none');
select set_eq($$ select tests.who_may('select app.fan_out_milestones()') $$, array['opine_worker'], 'the worker does this');

select * from finish();
