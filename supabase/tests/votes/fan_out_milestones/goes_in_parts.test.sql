select plan(9);

select tests.person(name) from unnest(array['lena', 'maya', 'jonas', 'ann']) as name;
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.receipt('maya', 'trams', 1), tests.receipt('jonas', 'trams', 5), tests.receipt('ann', 'trams', 6);
insert into app.milestones (id, post_id, next_total, last_total)
values
  ('ffffffff-ffff-7fff-bfff-ffffffffffff', tests.id('bikes'), 100, 100),
  ('00000000-0000-7000-8000-000000000000', tests.id('trams'), 200001, 200006);
select ok(app.fan_out_milestones(), 'there are some');
select bag_eq($$ select tests.milestones('trams') $$, array['maya: 200000 of 200001', 'jonas: 200000 of 200005'], 'of 200,000 votes five totals at a time, as each has four hundred voters');
select bag_eq('select next_total, last_total from app.milestones', 'values (200006, 200006), (100, 100)', 'the rest waits');
select is_empty($$ select tests.milestones('bikes') $$, 'the first one first');
select ok(app.fan_out_milestones(), 'there are more');
select bag_eq($$ select tests.milestones('trams') $$, array['maya: 200000 of 200001', 'jonas: 200000 of 200005', 'ann: 200000 of 200006'], 'each once');
select ok(app.fan_out_milestones(), 'and of other posts');
select ok(not app.fan_out_milestones(), 'until there are none');
select set_eq($$ select tests.who_may('select app.fan_out_milestones()') $$, array['opine_worker'], 'the worker does this');

select * from finish();
