select plan(3);

select is(app.key_id('secret'), substr(sha256('secret'), 1, 8), 'eight bytes of its hash');
select is(app.key_ids(array['secret', 'other']), array[app.key_id('secret'), app.key_id('other')], 'of several each, in their order');
select is(app.key_ids('{}'), '{}', 'of none none');

select * from finish();
